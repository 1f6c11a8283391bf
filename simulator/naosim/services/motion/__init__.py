"""Moving: joints, walking, postures, animations and autonomous life."""
