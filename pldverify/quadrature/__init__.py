"""The second opinion: mpmath quadrature of the defining integrals. Estimates only; nothing of the engines.

>>> believed = pv.quadrature.delta(pv.Gaussian(sigma=1), epsilon=1)
>>> f"{float(believed):.10f}", believed.digits >= 10
('0.1269367375', True)
>>> believed.covers(pv.delta(pv.Gaussian(sigma=1), epsilon=1).lower)
True
"""

from pldverify.quadrature.quantities import delta as delta
from pldverify.quadrature.quantities import epsilon as epsilon
from pldverify.quadrature.quantities import rdp as rdp
from pldverify.quadrature.quantities import tail as tail
