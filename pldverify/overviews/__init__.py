"""Overview: what audits show, what is proved and what is reported of one run, side by side."""
