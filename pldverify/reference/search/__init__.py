"""Every float: saddle points, plans, prices. Nothing that proves imports it."""
