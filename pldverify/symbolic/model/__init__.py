"""What a derivation holds, as data: densities, parameters, formulas, obligations. Nothing is derived here."""
