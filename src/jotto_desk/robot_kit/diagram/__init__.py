"""The picture of the flow: layout, curves and SVG."""
