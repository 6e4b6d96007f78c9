"""Testing: strategies, assertions and checks for those who write accountants.

Every name loads its module when it is first used: the checks need no Hypothesis, the strategies no pytest.
They stand in ``__init__.pyi``.
"""

from pldverify.late_names import attach

__getattr__, __dir__ = attach(__name__)
