"""Which shells `jotto --install-completion` knows, asked before typer writes anything."""

from ...errors import DeskError

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
OPTIONS = ("--install-completion", "--show-completion")


def require_shell() -> None:
    """Raise `DeskError` where the shell cannot be told, or is none that can be completed in."""
    import shellingham

    try:
        name = shellingham.detect_shell()[0]
    except (shellingham.ShellDetectionFailure, OSError, RuntimeError) as error:
        raise DeskError("Your shell cannot be told from here; run this in bash, zsh or fish itself.") from error
    if name not in SHELLS:
        raise DeskError(f"Your shell '{name}' cannot be completed in; run this in one of: {', '.join(SHELLS)}.")
