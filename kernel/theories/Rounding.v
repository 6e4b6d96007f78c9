(** Directed rounding: fixed-point numbers that are proved to lie on one side of a real number, and bounds of the
    exponential, from 1 + y ≤ e^y and repeated squaring alone. What is done often, or with long numbers, is done by the
    library Bignums on the processor's words, and used by its specification alone. *)

Require Import Reals ZArith Lra Lia Bool.
From Bignums Require Import BigN BigZ.
Open Scope R_scope.

(** [y] is on the [up] side of [x]. *)
Definition ordered (up : bool) (x y : R) : Prop := if up then x <= y else y <= x.

Lemma ordered_trans up x y z : ordered up x y -> ordered up y z -> ordered up x z.
Proof. destruct up; simpl; lra. Qed.

Lemma ordered_mult up c x y : 0 <= c -> ordered up x y -> ordered up (c * x) (c * y).
Proof. destruct up; simpl; intros; apply Rmult_le_compat_l; assumption. Qed.

Lemma ordered_square up x y : 0 <= x -> 0 <= y -> ordered up x y -> ordered up (x * x) (y * y).
Proof. destruct up; simpl; intros; apply Rmult_le_compat; assumption. Qed.

Lemma ordered_inverse up x y : 0 < x -> 0 < y -> ordered up x y -> ordered (negb up) (/ x) (/ y).
Proof. destruct up; simpl; intros; apply Rinv_le_contravar; assumption. Qed.

Lemma some_equal {T} (x y : T) : Some x = Some y -> x = y.
Proof. congruence. Qed.

(** The unit of all fixed-point numbers. Division by it is a shift, which is much faster. *)
Definition bits : Z := 192.
Definition one : Z := Eval vm_compute in (2 ^ bits)%Z.

Definition floor (n d : Z) : Z := 
  if (d =? one)%Z then Z.shiftr n bits else BigZ.to_Z (BigZ.div (BigZ.of_Z n) (BigZ.of_Z d)).

Lemma floor_is n d : floor n d = (n / d)%Z.
Proof.
  unfold floor. destruct (d =? one)%Z eqn:Hd; [|rewrite BigZ.spec_div, !BigZ.spec_of_Z; reflexivity].
  apply Z.eqb_eq in Hd. rewrite Hd.
  apply Z.shiftr_div_pow2. discriminate.
Qed.

Definition rounded_quotient (up : bool) (n d : Z) : Z := if up then (- floor (- n) d)%Z else floor n d.

Lemma quotient_ordered up n d : (0 < d)%Z -> ordered up (IZR n / IZR d) (IZR (rounded_quotient up n d)).
Proof.
  intros Hd. pose proof (IZR_lt _ _ Hd) as Hd'.
  assert (below : forall k, IZR (k / d) <= IZR k / IZR d).
  { intros k. apply (Rmult_le_reg_r (IZR d)); [assumption|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- mult_IZR by lra. apply IZR_le.
    rewrite Z.mul_comm. apply Z.mul_div_le. assumption. }
  destruct up; simpl; rewrite floor_is; [|apply below].
  rewrite opp_IZR. specialize (below (- n)%Z). rewrite opp_IZR in below. unfold Rdiv in *. lra.
Qed.

Lemma quotient_nonneg up n d : (0 < d)%Z -> (0 <= n)%Z -> (0 <= rounded_quotient up n d)%Z.
Proof.
  intros Hd Hn. destruct up; simpl; rewrite floor_is; [|apply Z.div_pos; lia].
  assert (- n / d <= 0 / d)%Z by (apply Z.div_le_mono; lia). rewrite Z.div_0_l in H by lia. lia.
Qed.

(** y is halved so often. *)
Definition halvings : nat := 100.
Definition parts : Z := Eval vm_compute in (2 ^ Z.of_nat halvings)%Z.

Definition scale : R := IZR one.

Lemma one_pos : (0 < one)%Z.
Proof. reflexivity. Qed.

Lemma parts_pos : (0 < parts)%Z.
Proof. reflexivity. Qed.

Lemma parts_power : IZR parts = 2 ^ halvings.
Proof. rewrite pow_IZR. apply f_equal. reflexivity. Qed.

Lemma scale_pos : 0 < scale.
Proof. apply IZR_lt, one_pos. Qed.

(** Numbers on words, xy/[one] and x/k, rounded up by one unit. *)
Definition big (x : Z) : bigN := BigN.of_N (Z.to_N x).
Definition of_big (x : bigN) : R := IZR (BigN.to_Z x).
Definition big_bits : bigN := Eval vm_compute in big bits.
Definition rounded (up : bool) (x : bigN) : bigN := if up then BigN.succ x else x.
Definition big_product (up : bool) (x y : bigN) : bigN := rounded up (BigN.shiftr (BigN.mul x y) big_bits).
Definition big_quotient (up : bool) (x k : bigN) : bigN := rounded up (BigN.div x k).

Lemma of_big_is x : (0 <= x)%Z -> of_big (big x) = IZR x.
Proof. intros Hx. unfold of_big, big. rewrite BigN.spec_of_N, Z2N.id by assumption. reflexivity. Qed.

Lemma of_big_nonneg x : 0 <= of_big x.
Proof. apply IZR_le, BigN.spec_pos. Qed.

Lemma rounded_ordered up n d x : (0 < d)%Z -> BigN.to_Z x = (n / d)%Z -> ordered up (IZR n / IZR d) (of_big (rounded up x)).
Proof.
  intros Hd Hx. pose proof (IZR_lt _ _ Hd) as Hd'. destruct up; unfold of_big; simpl.
  - rewrite BigN.spec_succ, Hx. apply (Rmult_le_reg_r (IZR d)); [assumption|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- mult_IZR by lra. apply IZR_le.
    pose proof (Z.mul_succ_div_gt n d Hd). lia.
  - rewrite Hx, <- (floor_is n d). apply (quotient_ordered false n d Hd).
Qed.

Lemma big_product_ordered up x y : ordered up (of_big x * of_big y / scale) (of_big (big_product up x y)).
Proof.
  unfold of_big at 1 2. rewrite <- mult_IZR. apply (rounded_ordered up _ one); [apply one_pos|].
  rewrite BigN.spec_shiftr, BigN.spec_mul. change (BigN.to_Z big_bits) with bits. apply Z.shiftr_div_pow2. discriminate.
Qed.

Lemma big_quotient_ordered up x k : (0 < BigN.to_Z k)%Z -> ordered up (of_big x / of_big k) (of_big (big_quotient up x k)).
Proof. intros Hk. apply rounded_ordered; [assumption|apply BigN.spec_div]. Qed.

#[global] Opaque one bits parts halvings big_bits.

Fixpoint squares (up : bool) (count : nat) (a : bigN) : bigN :=
  match count with O => a | S rest => squares up rest (big_product up a a) end.

Lemma squares_ordered up count : forall a y, ordered up (scale * exp y) (of_big a) ->
  ordered up (scale * exp (2 ^ count * y)) (of_big (squares up count a)).
Proof.
  pose proof scale_pos as Hu.
  induction count as [|m IH]; simpl; intros a y H; [rewrite Rmult_1_l; assumption|].
  replace (2 * 2 ^ m * y) with (2 ^ m * (y + y)) by ring.
  apply IH. eapply ordered_trans; [|apply big_product_ordered]. rewrite exp_plus.
  replace (scale * (exp y * exp y)) with (/ scale * ((scale * exp y) * (scale * exp y))) by (field; lra).
  unfold Rdiv. rewrite (Rmult_comm _ (/ scale)).
  apply ordered_mult; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
  apply ordered_square; [|apply of_big_nonneg|assumption].
  apply Rmult_le_pos; [lra|apply Rlt_le, exp_pos].
Qed.

(** Bounds of e^(n/d) in units of 1/[one], for 0 ≤ n/d < 2^100. *)
Definition exp_nonneg (up : bool) (n d : Z) : option Z :=
  if ((0 <=? n) && (0 <? d) && (n <? d * parts))%Z then
    Some (BigN.to_Z (squares up halvings (big
      (if up then rounded_quotient true (one * (d * parts)) (d * parts - n)
       else one + rounded_quotient false (one * n) (d * parts))%Z)))
  else None.

Lemma exp_nonneg_ordered up n d a : exp_nonneg up n d = Some a -> ordered up (scale * exp (IZR n / IZR d)) (IZR a).
Proof.
  unfold exp_nonneg. destruct ((0 <=? n) && (0 <? d) && (n <? d * parts))%Z eqn:H; [|discriminate].
  intros E; apply some_equal in E; subst a. rewrite !andb_true_iff, Z.leb_le, !Z.ltb_lt in H. destruct H as [[Hn Hd] Hsmall].
  pose proof scale_pos as Hu. pose proof (IZR_lt _ _ Hd) as Hd'. pose proof (IZR_le _ _ Hn) as Hn'.
  pose proof parts_power as Hparts. pose proof (IZR_lt _ _ parts_pos) as Hparts'.
  pose proof one_pos as Hone. pose proof parts_pos as Hparts0.
  pose proof (IZR_lt _ _ Hsmall) as Hsmall'. rewrite mult_IZR in Hsmall'.
  assert (Hdp : (0 < d * parts)%Z) by (apply Z.mul_pos_pos; assumption).
  set (y := IZR n / (IZR d * IZR parts)).
  replace (IZR n / IZR d) with (2 ^ halvings * y) by (unfold y; rewrite <- Hparts; field; lra).
  assert (Hdp' : 0 < IZR d * IZR parts) by (apply Rmult_lt_0_compat; assumption).
  apply squares_ordered. rewrite of_big_is.
  2: { destruct up; [apply quotient_nonneg; [lia|]; apply Z.mul_nonneg_nonneg; lia|].
    apply Z.add_nonneg_nonneg; [lia|]. apply quotient_nonneg; [assumption|]. apply Z.mul_nonneg_nonneg; lia. }
  destruct up; simpl.
  - eapply Rle_trans; [|apply (quotient_ordered true); lia].
    rewrite mult_IZR, minus_IZR, mult_IZR. change (IZR one) with scale.
    assert (Hgap : 0 < IZR d * IZR parts - IZR n) by lra.
    replace (scale * (IZR d * IZR parts) / (IZR d * IZR parts - IZR n)) with (scale * / (1 - y))
      by (unfold y; field; lra).
    apply Rmult_le_compat_l; [lra|].
    rewrite <- (Ropp_involutive y), exp_Ropp. apply Rinv_le_contravar.
    + rewrite Ropp_involutive. apply (Rmult_lt_reg_r (IZR d * IZR parts)); [assumption|].
      unfold y. field_simplify; lra.
    + rewrite Ropp_involutive. apply (Rle_trans _ (1 + - y)); [lra|apply exp_ineq1_le].
  - rewrite plus_IZR. change (IZR one) with scale.
    pose proof (quotient_ordered false (one * n) (d * parts) Hdp) as H. simpl in H.
    rewrite !mult_IZR in H. change (IZR one) with scale in H.
    replace (scale * IZR n / (IZR d * IZR parts)) with (scale * y) in H by (unfold y; field; lra).
    pose proof (Rmult_le_compat_l scale _ _ (Rlt_le _ _ Hu) (exp_ineq1_le y)). lra.
Qed.

(** The same for n of either sign. *)
Definition exp_bound (up : bool) (n d : Z) : option Z :=
  if (0 <=? n)%Z then exp_nonneg up n d
  else match exp_nonneg (negb up) (- n) d with
       | Some a => if (0 <? a)%Z then Some (rounded_quotient up (one * one) a) else None
       | None => None
       end.

Theorem exp_bound_ordered up n d a : exp_bound up n d = Some a -> ordered up (scale * exp (IZR n / IZR d)) (IZR a).
Proof.
  unfold exp_bound. destruct (0 <=? n)%Z; [apply exp_nonneg_ordered|].
  destruct (exp_nonneg (negb up) (- n) d) as [b|] eqn:H; [|discriminate].
  destruct (0 <? b)%Z eqn:Hb; [|discriminate]. intros E; apply some_equal in E; subst a. apply Z.ltb_lt in Hb.
  apply exp_nonneg_ordered in H. pose proof scale_pos as Hu. pose proof (IZR_lt _ _ Hb) as Hb'.
  eapply ordered_trans; [|apply quotient_ordered; assumption].
  rewrite mult_IZR. change (IZR one) with scale. unfold Rdiv at 2. rewrite Rmult_assoc.
  apply ordered_mult; [lra|].
  replace (exp (IZR n / IZR d)) with (scale * / (scale * exp (IZR (- n) / IZR d))).
  - apply ordered_mult; [lra|]. rewrite <- (negb_involutive up). apply ordered_inverse; [|assumption|assumption].
    apply Rmult_lt_0_compat; [assumption|apply exp_pos].
  - rewrite opp_IZR. replace (- IZR n / IZR d) with (- (IZR n / IZR d)) by (unfold Rdiv; ring).
    rewrite exp_Ropp. field. split; [apply Rgt_not_eq, exp_pos|lra].
Qed.

Arguments rounded_quotient : simpl never.
