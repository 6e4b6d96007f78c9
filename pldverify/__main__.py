"""``python -m pldverify``."""

from pldverify.cli import main

main(prog_name="pldverify")
