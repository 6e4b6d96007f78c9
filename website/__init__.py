"""What ``python -m mkdocs build --strict`` makes of the code: pages of the ledger, of the API and of the notebooks."""
