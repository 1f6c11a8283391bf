"""The state that the services, boxes and scripts of one simulated robot share."""
