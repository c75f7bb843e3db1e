"""What happens when processes die, hang or lose their servers: with real processes."""
