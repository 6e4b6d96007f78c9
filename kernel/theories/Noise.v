(** Noise whose distribution function is enclosed by integers: Laplace noise of scale 1, and Gaussian noise of standard
    deviation 1. *)

Require Import Reals ZArith Lra Lia Bool List.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Rounding Densities Bell.
Import ListNotations.
Open Scope R_scope.

Inductive noise := Laplace | Gaussian.

Definition density (kind : noise) (x : R) : R :=
  match kind with Laplace => exp (- Rabs x) / 2 | Gaussian => exp (- (x * x / 2)) / (2 * half_area) end.

(** What two neighbouring answers at a distance s reveal at x. *)
Definition loss (kind : noise) (s x : R) : R :=
  match kind with Laplace => Rabs (x - s / 2) - Rabs (x + s / 2) | Gaussian => - (s * x) end.

Lemma density_ratio kind s x : density kind (x + s / 2) = exp (loss kind s x) * density kind (x - s / 2).
Proof.
  destruct kind; unfold density, loss, Rdiv; rewrite <- Rmult_assoc, <- exp_plus; do 2 f_equal; field.
Qed.

Lemma density_even kind x : density kind (- x) = density kind x.
Proof. destruct kind; unfold density; [rewrite Rabs_Ropp; reflexivity|]. do 3 f_equal. field. Qed.

Lemma density_positive kind x : 0 < density kind x.
Proof.
  destruct kind; unfold density; [pose proof (exp_pos (- Rabs x)); lra|]. pose proof half_area_positive.
  apply Rmult_lt_0_compat; [apply exp_pos|apply Rinv_0_lt_compat; lra].
Qed.

Lemma density_continuous kind x : continuous (density kind) x.
Proof.
  destruct kind; unfold density; (apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const]).
  - apply (continuous_comp (fun x => - Rabs x) exp); [|apply continuous_exp].
    apply (continuous_opp (K := R_AbsRing) (V := R_NormedModule)), continuous_Rabs.
  - apply bell_continuous.
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

Lemma normal_distribution x : distribution (density Gaussian) x = / 2 + area x / (2 * half_area).
Proof.
  unfold distribution, area. f_equal. pose proof half_area_positive.
  pose proof (is_RInt_scal (V := R_NormedModule) bell 0 x (/ (2 * half_area)) _
    (RInt_correct (V := R_CompleteNormedModule) _ _ _ (bell_integrable 0 x))) as H'.
  assert (H'' : is_RInt (density Gaussian) 0 x (/ (2 * half_area) * RInt bell 0 x)).
  { eapply is_RInt_ext; [|exact H']. intros y _. unfold density, bell, scal; simpl; unfold mult; simpl. apply Rmult_comm. }
  rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ H''). apply Rmult_comm.
Qed.

(** Nearly all mass lies in an interval. *)
Lemma distribution_total kind eta : 0 < eta -> exists T, 0 <= T /\ 1 - eta <= distribution (density kind) T.
Proof.
  intros Heta. assert (Hi : 0 < / eta) by (apply Rinv_0_lt_compat; assumption).
  destruct kind.
  - exists (/ eta). split; [lra|]. rewrite laplace_distribution, exp_Ropp by lra.
    enough (/ exp (/ eta) <= eta) by (pose proof (Rinv_0_lt_compat _ (exp_pos (/ eta))); lra).
    rewrite <- (Rinv_inv eta) at 2. apply Rinv_le_contravar; [assumption|].
    pose proof (exp_ineq1_le (/ eta)). lra.
  - pose proof half_area_positive as Hh. assert (H2 : 0 < 2 * half_area * eta) by (repeat apply Rmult_lt_0_compat; lra).
    assert (HT : 0 < / (2 * half_area * eta)) by (apply Rinv_0_lt_compat; assumption).
    exists (/ (2 * half_area * eta)). split; [lra|]. rewrite normal_distribution.
    destruct (half_area_between _ HT) as [_ H]. set (T := / (2 * half_area * eta)) in *.
    assert (Hbell : bell T <= 1).
    { unfold bell. rewrite <- exp_0. apply Rlt_le, exp_increasing. assert (0 < T * T) by (apply Rmult_lt_0_compat; assumption). lra. }
    assert (bell T / T <= 2 * half_area * eta).
    { replace (2 * half_area * eta) with (1 * / T) by (unfold T; rewrite Rinv_inv; ring).
      apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|assumption]. }
    apply (Rmult_le_reg_r (2 * half_area)); [lra|].
    replace ((/ 2 + area T / (2 * half_area)) * (2 * half_area)) with (half_area + area T) by (field; lra). lra.
Qed.

Lemma distribution_within kind x : 0 <= distribution (density kind) x <= 1.
Proof.
  assert (Hup : forall y, distribution (density kind) y <= 1).
  { intros y. destruct (Rle_lt_dec (distribution (density kind) y) 1) as [H|H]; [assumption|]. exfalso.
    assert (Hmore : forall z, 1 < distribution (density kind) z -> 0 <= z -> False).
    { clear. intros z Hz Hz0. destruct kind.
      - rewrite laplace_distribution in Hz by assumption. pose proof (exp_pos (- z)). lra.
      - rewrite normal_distribution in Hz. pose proof (area_at_most z). pose proof half_area_positive.
        assert (area z / (2 * half_area) <= / 2); [|lra]. apply (Rmult_le_reg_r (2 * half_area)); [lra|].
        replace (area z / (2 * half_area) * (2 * half_area)) with (area z) by (field; lra). lra. }
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
  | Gaussian =>
      let half := if up then half_down else half_up in
      match area_bound up n d with
      | Some a => Some (rounded_quotient up (one * (half + a)) (2 * half))
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
  pose proof scale_pos as Hs. destruct kind; unfold distribution_nonneg.
  - destruct (exp_bound (negb up) (- n) d) as [x|] eqn:E; [|discriminate].
    intros H. apply some_equal in H. subst a. apply exp_bound_ordered in E.
    eapply ordered_trans; [|apply quotient_ordered; lia]. rewrite laplace_distribution by assumption.
    rewrite minus_IZR, mult_IZR. change (IZR one) with scale.
    replace (IZR (- n) / IZR d) with (- (IZR n / IZR d)) in E by (rewrite opp_IZR; unfold Rdiv; ring).
    destruct up; simpl in *; lra.
  - destruct (area_bound up n d) as [x|] eqn:E; [|discriminate]. intros H. apply some_equal in H. subst a.
    apply area_bound_ordered in E; [|assumption|assumption]. set (y := IZR n / IZR d) in *.
    destruct half_down_below as [Hdown Hdown'], half_up_above as [Hup Hup']. pose proof half_area_positive as Hh.
    set (half := if up then half_down else half_up).
    assert (Hhalf : (0 < half)%Z) by (unfold half; destruct up; assumption). pose proof (IZR_lt _ _ Hhalf) as Hhalf'.
    assert (Hy : 0 <= area y).
    { pose proof (area_increasing 0 y Hx) as H. unfold area at 1 in H.
      rewrite (RInt_point (V := R_CompleteNormedModule)) in H. exact H. }
    eapply ordered_trans; [|apply quotient_ordered; lia]. rewrite normal_distribution, !mult_IZR, plus_IZR.
    change (IZR one) with scale.
    replace (scale * (/ 2 + area y / (2 * half_area))) with (scale * / 2 + scale * (scale * area y / (2 * (scale * half_area))))
      by (field; lra).
    replace (scale * (IZR half + IZR x) / (2 * IZR half)) with (scale * / 2 + scale * (IZR x / (2 * IZR half))) by (field; lra).
    assert (Hsy : 0 <= scale * area y) by (apply Rmult_le_pos; lra).
    assert (Hsh : 0 < scale * half_area) by (apply Rmult_lt_0_compat; assumption).
    assert (Hinv : 0 < / (2 * IZR half)) by (apply Rinv_0_lt_compat; lra).
    assert (Hinv' : 0 < / (2 * (scale * half_area))) by (apply Rinv_0_lt_compat; lra).
    unfold half in *. destruct up; cbn [ordered] in *; apply Rplus_le_compat_l, Rmult_le_compat_l; try lra; unfold Rdiv.
    + apply Rmult_le_compat; [assumption|lra|assumption|]. apply Rinv_le_contravar; lra.
    + apply (Rle_trans _ (scale * area y * / (2 * IZR half_up))); [apply Rmult_le_compat_r; lra|].
      apply Rmult_le_compat_l; [assumption|]. apply Rinv_le_contravar; lra.
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
