"""A floor of gateways and devices that are not there: a real HTTP server that plays shifts, incidents and bad manners."""
