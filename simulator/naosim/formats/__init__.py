"""What Choregraphe writes: behaviours, projects, manifests, packages and translations, read with bounds."""
