"""`python -m jotto_desk` is `jotto`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is being imported ends it as it does later."""
    try:
        from jotto_desk.cli import main as run
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
