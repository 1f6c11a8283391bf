"""`python -m jotto_desk` is `jotto`."""

from jotto_desk.cli import main

if __name__ == "__main__":
    main()
