"""The site as a person meets it: Debian's Chromium against a running demo."""
