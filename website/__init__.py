"""What ``python -m mkdocs build --strict`` makes of the code: pages of ledger, API and notebooks."""
