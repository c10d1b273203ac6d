"""Run the command line as ``python -m mjopt``."""

from mjopt.cli.main import run

if __name__ == "__main__":
    run()
