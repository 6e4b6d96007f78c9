"""pldverify: proved enclosures of differential-privacy parameters, and verdicts on accountants.

``import pldverify as pv`` is cheap: every name loads its module when it is first used. They stand in
``__init__.pyi``; all that ``pldverify.mechanisms`` makes public is here too.
"""

from pldverify import errors as errors
from pldverify import late_names
from pldverify.version import __version__ as __version__

__getattr__, __dir__ = late_names.attach(__name__)
