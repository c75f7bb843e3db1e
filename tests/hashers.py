"""Argon2 with the smallest cost: the same algorithm, so that a sign-in in a test takes no noticeable time."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickArgon2(Argon2PasswordHasher):
    """The production hasher at the lowest cost that Argon2 allows."""

    time_cost = 1
    memory_cost = 8
    parallelism = 1
