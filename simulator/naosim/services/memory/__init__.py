"""ALMemory: values, events and signals."""
