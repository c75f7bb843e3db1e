"""The rules as a book: what each clause says and where the software uses it. Read by `manage.py rules` and `/rules/`.

Nothing here decides anything; all of it is read from the packs.
"""
