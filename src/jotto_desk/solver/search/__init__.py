"""Tree search: a beam for a good tree at once, branch and bound for the best one and its proof."""
