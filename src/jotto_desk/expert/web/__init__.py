"""The service on the network: its two interfaces, the limits on requests, and the shape of what it sends."""
