"""The package a robot installs: made, checked, copied onto a robot and installed there."""
