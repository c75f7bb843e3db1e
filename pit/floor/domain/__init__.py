"""The property stream, pure: what a house has set up, settled and chosen."""
