(** Long products of polynomials by one product of two great integers, as Kronecker has it: of a number of a
    polynomial's fields, each wide enough for a coefficient of the product.

    The integers are those of the library Bignums, on the processor's words: its product is used by its
    specification alone. How a product is cut into coefficients is not proved: they are packed again and compared,
    [fast_times], so that what is found is the product, [fast_times_is]. *)

Require Import Reals ZArith List Bool Lra Lia.
From Bignums Require Import BigN.
From Kernel Require Import Polynomials.
Import ListNotations.
Open Scope Z_scope.

(** Σ a_i x^i. *)
Fixpoint at_x (x : Z) (A : list Z) : Z := match A with [] => 0 | a :: rest => a + x * at_x x rest end.

Definition sum (A : list Z) : Z := fold_right Z.add 0 A.

Definition read (A : list bigN) : list Z := map BigN.to_Z A.

(** Two neighbours in one: the polynomial at x is one of x². *)
Fixpoint paired (w : bigN) (A : list bigN) : list bigN :=
  match A with a :: b :: rest => BigN.add a (BigN.shiftl b w) :: paired w rest | _ => A end.

Fixpoint packed (rounds : nat) (w : bigN) (A : list bigN) : option bigN :=
  match A, rounds with
  | [a], _ => Some a
  | _, O => None
  | _, S rest => packed rest (BigN.add w w) (paired w A)
  end.

(** The other way; nothing is proved of it. *)
Fixpoint cut (rounds : nat) (widths : list bigN) (x : bigN) (rest : list Z) : list Z :=
  match rounds, widths with
  | S k, w :: widths' =>
      let high := BigN.shiftr x w in
      cut k widths' (BigN.sub x (BigN.shiftl high w)) (cut k widths' high rest)
  | _, _ => BigN.to_Z x :: rest
  end.

Fixpoint doubled (rounds : nat) (w : bigN) (rest : list bigN) : list bigN :=
  match rounds with O => rest | S k => doubled k (BigN.add w w) (w :: rest) end.

Definition rounds_for (A : list Z) : nat := S (Z.to_nat (Z.log2_up (Z.of_nat (length A)))).

Definition pack (w : Z) (A : list Z) : option bigN :=
  packed (rounds_for A) (BigN.of_pos (Z.to_pos w)) (map (fun a => BigN.of_N (Z.to_N a)) A).

Definition fast_times (A B : list Z) : list Z :=
  let most := sum A * sum B in
  let w := Z.log2 most + 1 in
  match pack w A, pack w B with
  | Some a, Some b =>
      let c := BigN.mul a b in
      let rounds := Z.to_nat (Z.log2_up (Z.of_nat (length A + length B))) in
      let C := firstn (length A + length B - 1) (cut rounds (doubled rounds (BigN.of_pos (Z.to_pos w)) []) c []) in
      match pack w C with
      | Some c' => if BigN.eqb c c' && (length C =? length A + length B - 1)%nat && forallb (fun x => (0 <=? x) && (x <? 2 ^ w)) C then C else times 0 Z.add Z.mul A B
      | None => times 0 Z.add Z.mul A B
      end
  | _, _ => times 0 Z.add Z.mul A B
  end.

Lemma at_x_plus x : forall A B, at_x x (plus Z.add A B) = at_x x A + at_x x B.
Proof. induction A as [|a A IH]; intros [|b B]; cbn; try lia. rewrite IH. ring. Qed.

Lemma at_x_times x B : forall A, at_x x (times 0 Z.add Z.mul A B) = at_x x A * at_x x B.
Proof.
  induction A as [|a A IH]; [reflexivity|]. cbn [times]. rewrite at_x_plus. cbn [at_x]. rewrite IH.
  assert (at_x x (map (Z.mul a) B) = a * at_x x B) as ->; [|ring].
  clear IH. induction B as [|b B IHB]; cbn [map at_x]; [|rewrite IHB]; ring.
Qed.

Lemma sum_at_x A : sum A = at_x 1 A.
Proof. unfold sum. induction A as [|a A IH]; cbn [fold_right at_x]; [|rewrite IH]; lia. Qed.

Lemma sum_nonneg A : nonneg A -> 0 <= sum A.
Proof. unfold sum. induction 1; simpl; lia. Qed.

Lemma paired_is w : forall n A, (length A <= n)%nat ->
  at_x (2 ^ BigN.to_Z w) (read A) = at_x (2 ^ BigN.to_Z (BigN.add w w)) (read (paired w A)).
Proof.
  induction n as [|n IH]; intros [|a [|b A]] Hn; cbn in Hn; try lia; try reflexivity; [cbn; ring|].
  specialize (IH A ltac:(lia)). unfold read in *. cbn [paired map at_x]. rewrite IH, !BigN.spec_add, BigN.spec_shiftl_pow2.
  rewrite Z.pow_add_r by apply BigN.spec_pos. ring.
Qed.

Lemma packed_is : forall rounds w A a, packed rounds w A = Some a -> BigN.to_Z a = at_x (2 ^ BigN.to_Z w) (read A).
Proof.
  induction rounds as [|rounds IH]; intros w [|b [|c A]] a; cbn [packed]; try discriminate;
    try (intros [= <-]; cbn; ring); intros E; apply IH in E; [exact E|].
  rewrite E. symmetry. apply (paired_is w _ _ (le_n _)).
Qed.

Lemma pack_is w A a : 0 < w -> nonneg A -> pack w A = Some a -> BigN.to_Z a = at_x (2 ^ w) A.
Proof.
  intros Hw HA E. apply packed_is in E. rewrite E, BigN.spec_of_pos, Z2Pos.id by assumption. f_equal. clear -HA.
  unfold read. rewrite map_map. induction HA as [|x A Hx HA IH]; cbn [map]; [reflexivity|].
  rewrite IH, BigN.spec_of_N, Z2N.id by assumption. reflexivity.
Qed.

Definition below_x (x : Z) (A : list Z) := Forall (fun a => 0 <= a < x) A.

(** Fields are told by the number. *)
Lemma fields_are_told x : forall A B, length A = length B -> below_x x A -> below_x x B -> at_x x A = at_x x B -> A = B.
Proof.
  induction A as [|a A IH]; intros [|b B] Hlength HA HB E; try discriminate; [reflexivity|].
  inversion HA as [|? ? Ha HA']; inversion HB as [|? ? Hb HB']; subst. cbn [at_x] in E. injection Hlength as Hlength.
  assert (a = b).
  { rewrite (Z.mod_unique_pos (a + x * at_x x A) x (at_x x A) a Ha) by ring. rewrite E. symmetry.
    apply (Z.mod_unique_pos _ _ (at_x x B)); [assumption|ring]. }
  subst b. f_equal. apply IH; try assumption. nia.
Qed.

Lemma length_plus : forall A B, length (plus Z.add A B) = Nat.max (length A) (length B).
Proof. induction A as [|a A IH]; intros [|b B]; cbn; try reflexivity. rewrite IH. reflexivity. Qed.

Lemma length_times B : B <> [] -> forall A, A <> [] -> length (times 0 Z.add Z.mul A B) = (length A + length B - 1)%nat.
Proof.
  intros HB. assert (length B <> O) by (destruct B; [congruence|discriminate]).
  induction A as [|a A IH]; intros HA; [congruence|]. cbn [times]. rewrite length_plus, map_length. cbn [length].
  destruct A as [|b A]; [cbn; lia|]. rewrite IH by discriminate. cbn [length]. lia.
Qed.

Lemma below_sum A : nonneg A -> Forall (fun a => 0 <= a <= sum A) A.
Proof.
  induction 1 as [|a A Ha HA IH]; constructor.
  - pose proof (sum_nonneg A HA). unfold sum in *. simpl. lia.
  - eapply Forall_impl; [|exact IH]. unfold sum. simpl. intros; lia.
Qed.

Theorem fast_times_is A B : nonneg A -> nonneg B -> fast_times A B = times 0 Z.add Z.mul A B.
Proof.
  intros HA HB. pose proof (nonneg_times A B HA HB) as HAB.
  unfold fast_times. set (w := Z.log2 (sum A * sum B) + 1).
  destruct (pack w A) as [a|] eqn:Ha; [|reflexivity]. destruct (pack w B) as [b|] eqn:Hb; [|reflexivity].
  cbv zeta. set (C := firstn (length A + length B - 1) _). destruct (pack w C) as [c|] eqn:Hc; [|reflexivity].
  destruct (_ && _) eqn:Hok; [|reflexivity]. rewrite !andb_true_iff, BigN.spec_eqb, Z.eqb_eq, Nat.eqb_eq, forallb_forall in Hok.
  destruct Hok as [[Heq Hlength] Hfields]. rewrite BigN.spec_mul in Heq.
  assert (Hw : 0 < w) by (unfold w; pose proof (Z.log2_nonneg (sum A * sum B)); lia).
  assert (HC : below_x (2 ^ w) C).
  { apply Forall_forall. intros x Hx. specialize (Hfields x Hx). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in Hfields. exact Hfields. }
  assert (HnC : nonneg C) by (eapply Forall_impl; [|exact HC]; intros ? [? _]; assumption).
  apply (fields_are_told (2 ^ w)); [|assumption| |].
  - rewrite Hlength. symmetry. apply length_times; intros ->; discriminate.
  - assert (Hmost : sum (times 0 Z.add Z.mul A B) < 2 ^ w).
    { rewrite sum_at_x, at_x_times, <- !sum_at_x. pose proof (sum_nonneg A HA). pose proof (sum_nonneg B HB).
      assert (Hm : 0 <= sum A * sum B) by nia. unfold w. destruct (Z.eq_dec (sum A * sum B) 0) as [->|Hpos]; [reflexivity|].
      apply Z.log2_spec. lia. }
    eapply Forall_impl; [|exact (below_sum _ HAB)]. cbn beta. intros; lia.
  - rewrite at_x_times, <- (pack_is w C c), <- (pack_is w A a), <- (pack_is w B b) by assumption. symmetry. exact Heq.
Qed.
