"""`jotto voice`: what NAO's ears mix up."""
