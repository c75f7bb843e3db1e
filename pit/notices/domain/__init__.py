"""The change workflow, pure: from a draft to what is in force."""
