#!/usr/bin/env python
"""Django's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pit.settings")
    reads_files = sys.argv[1:2] and sys.argv[1] in ("check_rules", "complete_pack", "play", "rules")
    if reads_files and not {"--record", "--property"} & set(sys.argv):  # opens no session, signs nothing
        os.environ.setdefault("PITSTAND_SECRET_KEY", "none is needed here")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
