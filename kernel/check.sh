#!/usr/bin/env bash
# What the kernel rests on: nothing is admitted, an independent checker accepts every file, and the theorems use no
# axiom but those of the standard library's real numbers and of its machine integers. Run it after `make -C kernel`.
set -euo pipefail
cd "$(dirname "$0")"

if grep -nE '\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|bypass_check|Unset (Guard|Positivity|Universe) Checking)\b' theories/*.v; then
  echo "check.sh: something is assumed" >&2
  exit 1
fi

# every file of the theory, on which Claims rests, and of the libraries below it: a minute
coqchk -silent -Q theories Kernel Kernel.Claims

allowed="ClassicalDedekindReals.sig_not_dec
ClassicalDedekindReals.sig_forall_dec
FunctionalExtensionality.functional_extensionality_dep
Classical_Prop.classic"
# PrimInt63 names the machine's integers and their operations, Uint63 says of each what it computes
machine='(PrimInt63|Uint63)[.][A-Za-z0-9_]+'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for theorem in remove_certified add_certified both_certified remove_refuted add_refuted both_refuted_by_remove \
  both_refuted_by_add Composition.adaptive_composition Experiments.private_iff; do
  printf 'From Kernel Require Import Claims.\nPrint Assumptions %s.\n' "$theorem" >"$work/Assumed.v"
  coqc -Q theories Kernel "$work/Assumed.v" >"$work/said"
  # an axiom begins a line: its name, then its type, here or below
  sed -n 's/^\([A-Za-z_][A-Za-z0-9_.]*\)\( *:.*\)\{0,1\}$/\1/p' "$work/said" | grep -v '^Axioms$' >"$work/found" || true
  unknown=$(grep -vxF "$allowed" "$work/found" | grep -vxE "$machine" || true)
  if [ -n "$unknown" ]; then
    echo "check.sh: $theorem assumes $unknown" >&2
    exit 1
  fi
  grep -qE '^(Axioms:|Closed under the global context)' "$work/said"
done
echo "nothing is admitted; the axioms are those of the real numbers and of machine integers"
