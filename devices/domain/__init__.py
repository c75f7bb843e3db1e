"""What a device is and what its readings mean for a table. Pure: no Django, no clock, no I/O."""
