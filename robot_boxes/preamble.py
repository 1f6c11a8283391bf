import os
import sys


def jotto_root(box):
    """Find the project's folder; put its lib first on the path and drop stale jotto modules of other places."""
    try:
        folder = box.behaviorAbsolutePath()
    except Exception:
        folder = ALProxy("ALFrameManager").getBehaviorPath(box.behaviorId)
    root = folder.rstrip("/")
    for _ in range(4):
        if os.path.exists(os.path.join(root, "manifest.xml")) or os.path.isdir(os.path.join(root, "lib")):
            break
        root = os.path.dirname(root)
    lib = os.path.join(root, "lib")
    if os.path.isdir(os.path.join(lib, "jotto_behaviour")):
        if lib not in sys.path:
            sys.path.insert(0, lib)
        for name in list(sys.modules):
            if name.split(".")[0] in ("jotto", "jotto_behaviour"):
                path = getattr(sys.modules[name], "__file__", None) or ""
                if not os.path.abspath(path).startswith(os.path.abspath(lib) + os.sep):
                    del sys.modules[name]
    return root


def jotto_leave(root):
    """Take the path entry out again."""
    lib = os.path.join(root, "lib")
    if lib in sys.path:
        sys.path.remove(lib)
