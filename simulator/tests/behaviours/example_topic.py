"""A topic with every feature that the example of a new dialog in Choregraphe shows, in words of our own."""

from __future__ import absolute_import, division, print_function

from behaviours import read_file

EXAMPLE = str(read_file("example.top").decode("ascii"))
