(** Noise whose distribution function is enclosed by integers: Laplace noise of scale 1. *)

Require Import Reals ZArith Lra Lia Bool List.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Rounding Densities.
Import ListNotations.
Open Scope R_scope.

Inductive noise := Laplace.

Definition density (kind : noise) (x : R) : R :=
  match kind with Laplace => exp (- Rabs x) / 2 end.

(** What two neighbouring answers at a distance s reveal at x. *)
Definition loss (kind : noise) (s x : R) : R :=
  match kind with Laplace => Rabs (x - s / 2) - Rabs (x + s / 2) end.

Lemma density_ratio kind s x : density kind (x + s / 2) = exp (loss kind s x) * density kind (x - s / 2).
Proof.
  destruct kind; unfold density, loss, Rdiv; rewrite <- Rmult_assoc, <- exp_plus; do 2 f_equal; ring.
Qed.

Lemma density_even kind x : density kind (- x) = density kind x.
Proof. destruct kind; unfold density. rewrite Rabs_Ropp. reflexivity. Qed.

Lemma density_positive kind x : 0 < density kind x.
Proof. destruct kind; unfold density; pose proof (exp_pos (- Rabs x)); lra. Qed.

Lemma density_continuous kind x : continuous (density kind) x.
Proof.
  destruct kind; unfold density. apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_comp (fun x => - Rabs x) exp); [|apply continuous_exp].
  apply (continuous_opp (K := R_AbsRing) (V := R_NormedModule)), continuous_Rabs.
Qed.

Lemma laplace_distribution x : 0 <= x -> distribution (density Laplace) x = 1 - exp (- x) / 2.
Proof.
  intros Hx. unfold distribution.
  assert (H : is_RInt (density Laplace) 0 x (minus (- exp (- x) / 2) (- exp (- 0) / 2))).
  { apply (is_RInt_ext (fun x => exp (- x) / 2)).
    - rewrite Rmin_left, Rmax_right by assumption. intros y Hy. unfold density. rewrite Rabs_pos_eq; [reflexivity|lra].
    - apply (is_RInt_derive (V := R_CompleteNormedModule) (fun x => - exp (- x) / 2)).
      + intros y _. auto_derive; [trivial|]. field.
      + intros y _. apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
        apply (continuous_comp (fun x => - x) exp); [|apply continuous_exp].
        apply (continuous_opp (K := R_AbsRing) (V := R_NormedModule)), continuous_id. }
  apply (is_RInt_unique (V := R_CompleteNormedModule)) in H. rewrite H. unfold minus, plus, opp; simpl. rewrite Ropp_0, exp_0. field.
Qed.

(** Nearly all mass lies in an interval. *)
Lemma distribution_total kind eta : 0 < eta -> exists T, 0 <= T /\ 1 - eta <= distribution (density kind) T.
Proof.
  intros Heta. assert (Hi : 0 < / eta) by (apply Rinv_0_lt_compat; assumption).
  exists (/ eta). split; [lra|]. destruct kind. rewrite laplace_distribution, exp_Ropp by lra.
  enough (/ exp (/ eta) <= eta) by (pose proof (Rinv_0_lt_compat _ (exp_pos (/ eta))); lra).
  rewrite <- (Rinv_inv eta) at 2. apply Rinv_le_contravar; [assumption|].
  pose proof (exp_ineq1_le (/ eta)). lra.
Qed.

Lemma distribution_within kind x : 0 <= distribution (density kind) x <= 1.
Proof.
  assert (Hup : forall y, distribution (density kind) y <= 1).
  { intros y. destruct (Rle_lt_dec (distribution (density kind) y) 1) as [H|H]; [assumption|]. exfalso.
    assert (Hmore : forall z, 1 < distribution (density kind) z -> 0 <= z -> False).
    { clear. intros z Hz Hz0. destruct kind. rewrite laplace_distribution in Hz by assumption.
      pose proof (exp_pos (- z)). lra. }
    apply (Hmore (Rmax y 0)); [|apply Rmax_r]. eapply Rlt_le_trans; [exact H|].
    apply distribution_increasing; [intros; apply density_continuous|intros; apply Rlt_le, density_positive|apply Rmax_l]. }
  split; [|apply Hup]. specialize (Hup (- x)).
  rewrite distribution_opp in Hup by (intros; apply density_continuous || apply density_even). lra.
Qed.

(** Bounds of the distribution function at n/d ≥ 0, in units of 1/[one], *)
Definition distribution_nonneg (kind : noise) (up : bool) (n d : Z) : option Z :=
  match kind with
  | Laplace =>
      match exp_bound (negb up) (- n) d with
      | Some x => Some (rounded_quotient up (2 * one - x) 2)
      | None => None
      end
  end.

(** and at any n/d. *)
Definition distribution_bound (kind : noise) (up : bool) (n d : Z) : option Z :=
  if (0 <=? n)%Z then distribution_nonneg kind up n d
  else match distribution_nonneg kind (negb up) (- n) d with Some a => Some (one - a)%Z | None => None end.

Lemma distribution_nonneg_ordered kind up n d a : (0 <= n)%Z -> (0 < d)%Z -> distribution_nonneg kind up n d = Some a ->
  ordered up (scale * distribution (density kind) (IZR n / IZR d)) (IZR a).
Proof.
  intros Hn Hd. assert (Hx : 0 <= IZR n / IZR d).
  { apply Rmult_le_pos; [apply IZR_le; assumption|]. apply Rlt_le, Rinv_0_lt_compat, IZR_lt. assumption. }
  destruct kind. unfold distribution_nonneg. destruct (exp_bound (negb up) (- n) d) as [x|] eqn:E; [|discriminate].
  intros H. apply some_equal in H. subst a. apply exp_bound_ordered in E.
  eapply ordered_trans; [|apply quotient_ordered; lia]. rewrite laplace_distribution by assumption.
  rewrite minus_IZR, mult_IZR. change (IZR one) with scale.
  replace (IZR (- n) / IZR d) with (- (IZR n / IZR d)) in E by (rewrite opp_IZR; unfold Rdiv; ring).
  destruct up; simpl in *; lra.
Qed.

Theorem distribution_bound_ordered kind up n d a : (0 < d)%Z -> distribution_bound kind up n d = Some a ->
  ordered up (scale * distribution (density kind) (IZR n / IZR d)) (IZR a).
Proof.
  intros Hd. unfold distribution_bound. destruct (0 <=? n)%Z eqn:Hn; [apply Z.leb_le in Hn|apply Z.leb_gt in Hn].
  - apply distribution_nonneg_ordered; assumption.
  - destruct (distribution_nonneg kind (negb up) (- n) d) as [x|] eqn:E; [|discriminate].
    intros H. apply some_equal in H. subst a. apply distribution_nonneg_ordered in E; [|lia|assumption].
    replace (IZR (- n) / IZR d) with (- (IZR n / IZR d)) in E by (rewrite opp_IZR; unfold Rdiv; ring).
    rewrite distribution_opp in E by (intros; apply density_continuous || apply density_even).
    rewrite minus_IZR. change (IZR one) with scale. destruct up; simpl in *; lra.
Qed.
