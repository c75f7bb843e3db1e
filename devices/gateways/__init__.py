"""How Pitstand speaks to gateways: the shapes of the contract, the client, and a simulator that is a real server."""
