"""Running a behaviour: boxes, links, timelines, resources and Dialog boxes."""
