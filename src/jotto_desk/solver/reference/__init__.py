"""The search core in numpy: a plain oracle for the native one."""
