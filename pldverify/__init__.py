"""pldverify: proved enclosures of differential-privacy parameters, and verdicts on accountants.

``import pldverify as pv`` is cheap: engines and adapters load where they are used.
"""

__version__ = "0.1.0"
