"""The demo's houses: one floor file each."""
