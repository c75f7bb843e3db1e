"""Cases with answers, run through the product itself: `manage.py check_rules`. The format is in docs/vectors.md.

Nothing here decides anything. Each kind of case is put to the calculator or to the decider that the pit uses, under the
pack that the case names, and what comes out is held against what the case expects.
"""
