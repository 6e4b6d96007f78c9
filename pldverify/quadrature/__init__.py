"""The second opinion: mpmath quadrature of the defining integrals. Estimates only; nothing of the engines."""

from pldverify.quadrature.quantities import delta as delta
from pldverify.quadrature.quantities import epsilon as epsilon
from pldverify.quadrature.quantities import rdp as rdp
from pldverify.quadrature.quantities import tail as tail
