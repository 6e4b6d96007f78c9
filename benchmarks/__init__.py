"""What is measured, and the tools that measure it; a package, as opacus installs one of this name."""
