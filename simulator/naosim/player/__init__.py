"""The player, which runs a behaviour: its boxes, links, timelines, resources and Dialog boxes."""
