import os
import sys


def jotto_root(box):
    """Find the project's folder, put its lib first on the path and drop jotto modules of other places and uploads."""
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
    upload = jotto_upload(lib)
    if upload:
        if lib in sys.path:
            sys.path.remove(lib)
        sys.path.insert(0, lib)
        # NAO keeps modules until it is switched off, and the next upload has the same place.
        if getattr(sys.modules.get("jotto_behaviour"), "upload", None) != upload:
            for name in list(sys.modules):
                if name.split(".")[0] in ("jotto", "jotto_behaviour"):
                    del sys.modules[name]
    try:
        import jotto_behaviour
    except ImportError:
        raise ImportError("The folder %s has no game in it: run 'jotto robot stage', then upload again." % lib)
    jotto_behaviour.upload = upload
    return root


def jotto_upload(lib):
    """Tell one upload from the next by its files; nothing without files."""
    found = []
    for package in ("jotto", "jotto_behaviour"):
        folder = os.path.join(lib, package)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith((".py", ".json")):
                state = os.stat(os.path.join(folder, name))
                found.append((folder, name, state.st_size, state.st_mtime, state.st_ctime))
    return found


def jotto_leave(root):
    """Take the path entry out again."""
    lib = os.path.join(root, "lib")
    if lib in sys.path:
        sys.path.remove(lib)
