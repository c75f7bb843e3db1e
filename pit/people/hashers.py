"""Argon2id at a cost that a pit can bear: a PIN signs many times an hour, on two cores, beside everything else."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class PitArgon2(Argon2PasswordHasher):
    """OWASP's recommended setting (19 MiB, two passes, one lane). Django's own takes 100 MiB and eight threads a check.

    A four-digit PIN is not saved by a dearer hash; the count of guesses saves it (pit/people/guesses.py).
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1
