"""An SMTP server as a process of its own for bench_outbox: takes everything; prints its port, then, asked, what it has.

`count` on standard input answers with messages taken and how many different Message-IDs they bear; `forget` empties it.
"""

import sys

from tests.receivers import smtp_server


def main() -> None:
    with smtp_server() as box:
        print(box.port, flush=True)
        for line in sys.stdin:
            ids = [str(mail["Message-ID"]) for mail in box.mails]
            if line.strip() == "forget":
                box.mails.clear()
            print(len(ids), len(set(ids)), flush=True)


if __name__ == "__main__":
    main()
