(** Pairs of densities on the line, and noise: what is claimed of them.

    What is seen of a continuous outcome is seen through finitely many: floats, say. Such an experiment is dominated by
    densities f and g if for every e it tells no more than ∫ max(0, f − e·g): [dominated_by]. Noise of density n
    runs on two neighbouring answers at a distance s, or on one of them at random: [mix]. Both are seen from their
    middle.

    Lemma U for densities: where all ratios g/f of an interval lie between y and x, the integral is at most that of two
    outcomes of these ratios, with no less P-mass and no more Q-mass: [cell_raises]. Lemma L: an interval's two masses
    tell less, [integral_at_least]. *)

Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Experiments Composition.
Import ListNotations.
Open Scope R_scope.

Definition dominated_by (f g : R -> R) (L : experiment) : Prop :=
  forall e eta, 0 <= e -> 0 < eta ->
    exists T, 0 <= T /\ hockey_stick e L <= RInt (fun x => Rmax 0 (f x - e * g x)) (- T) T + eta.

(** Noise around −s/2 with the weight w, and around s/2 with w'. *)
Definition mix (n : R -> R) (s w w' x : R) : R := w * n (x + s / 2) + w' * n (x - s / 2).

Lemma combined_continuous (f g : R -> R) a b x : (forall x, continuous f x) -> (forall x, continuous g x) ->
  continuous (fun x => a * f x + b * g x) x.
Proof.
  intros Cf Cg. apply (continuous_plus (K := R_AbsRing) (V := R_NormedModule));
    (apply (continuous_mult (K := R_AbsRing)); [apply continuous_const|auto]).
Qed.

Lemma integrable (f g : R -> R) a b s t : (forall x, continuous f x) -> (forall x, continuous g x) ->
  ex_RInt (fun x => Rmax 0 (a * f x - b * g x)) s t.
Proof.
  intros Cf Cg. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _.
  apply (continuous_ext (fun x => (Rabs (a * f x + (- b) * g x) + (a * f x + (- b) * g x)) * / 2)).
  - intros x. unfold Rmax. destruct (Rle_dec 0 _); [rewrite Rabs_pos_eq|rewrite Rabs_left]; lra.
  - apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
    apply (continuous_plus (K := R_AbsRing) (V := R_NormedModule));
      [apply continuous_Rabs_comp|]; apply combined_continuous; assumption.
Qed.

(** Reflected, densities tell the same; *)
Lemma dominated_by_reflected (f g f' g' : R -> R) L : (forall x, f (- x) = f' x) -> (forall x, g (- x) = g' x) ->
  (forall x, continuous f x) -> (forall x, continuous g x) -> dominated_by f g L -> dominated_by f' g' L.
Proof.
  intros Hf Hg Cf Cg H e eta He Heta. destruct (H e eta He Heta) as (T & HT & HL). exists T. split; [assumption|].
  eapply Rle_trans; [exact HL|]. apply Rplus_le_compat_r, Req_le. symmetry.
  set (k := fun x => Rmax 0 (f x - e * g x)).
  assert (Hk : ex_RInt k (- T) T).
  { apply (ex_RInt_ext (fun x => Rmax 0 (1 * f x - e * g x))); [intros x _; unfold k; f_equal; ring|].
    apply integrable; assumption. }
  apply (RInt_correct (V := R_CompleteNormedModule)) in Hk. rewrite <- (Ropp_involutive T) in Hk at 2.
  apply (is_RInt_swap (V := R_NormedModule)), (is_RInt_comp_opp (V := R_NormedModule)), (is_RInt_opp (V := R_NormedModule)) in Hk.
  rewrite opp_opp in Hk. apply is_RInt_unique.
  apply (is_RInt_ext (fun y => opp (opp (k (- y))))); [|assumption].
  intros x _. rewrite opp_opp. unfold k. rewrite Hf, Hg. reflexivity.
Qed.

Lemma mix_reflected (n : R -> R) s w w' x : (forall x, n (- x) = n x) -> mix n s w w' (- x) = mix n s w' w x.
Proof.
  intros H. unfold mix. replace (- x + s / 2) with (- (x - s / 2)) by ring. replace (- x - s / 2) with (- (x + s / 2)) by ring.
  rewrite !H. ring.
Qed.

Lemma mix_continuous (n : R -> R) s w w' x : (forall x, continuous n x) -> continuous (mix n s w w') x.
Proof.
  intros Hn. assert (C : forall c x, continuous (fun x => n (x + c)) x).
  { intros c y. apply (continuous_comp (fun x => x + c) n); [|apply Hn].
    apply (continuous_plus (K := R_AbsRing) (V := R_NormedModule)); [apply continuous_id|apply continuous_const]. }
  apply combined_continuous; intros y; apply C.
Qed.

(** so that even noise is its own reflection. *)
Lemma mix_dominates_reflected (n : R -> R) s p p' q q' L : (forall x, n (- x) = n x) -> (forall x, continuous n x) ->
  dominated_by (mix n s p p') (mix n s q q') L -> dominated_by (mix n s p' p) (mix n s q' q) L.
Proof.
  intros Heven Hn. apply dominated_by_reflected; intros x; try (apply mix_continuous; assumption);
    apply mix_reflected; assumption.
Qed.

Section Two.
  Variables f g F G : R -> R.
  Hypothesis F_is : forall x, is_derive F x (f x).
  Hypothesis G_is : forall x, is_derive G x (g x).
  Hypothesis f_continuous : forall x, continuous f x.
  Hypothesis g_continuous : forall x, continuous g x.

  Definition integral (a b s t : R) : R := RInt (fun x => Rmax 0 (a * f x - b * g x)) s t.

  Lemma integral_split a b s u t : integral a b s t = integral a b s u + integral a b u t.
  Proof. symmetry. apply (RInt_Chasles (V := R_CompleteNormedModule)); apply integrable; assumption. Qed.

  Lemma integral_nonneg a b s t : s <= t -> 0 <= integral a b s t.
  Proof. intros H. apply RInt_ge_0; [assumption|apply integrable; assumption|]. intros. apply Rmax_l. Qed.

  Lemma is_combined a b s t : is_RInt (fun x => a * f x + b * g x) s t (a * (F t - F s) + b * (G t - G s)).
  Proof.
    assert (H : is_RInt (fun x => a * f x + b * g x) s t (minus (a * F t + b * G t) (a * F s + b * G s))).
    { apply (is_RInt_derive (V := R_CompleteNormedModule) (fun x => a * F x + b * G x)); intros x _; [|apply combined_continuous; assumption].
      apply (is_derive_plus (fun x => a * F x) (fun x => b * G x)); apply is_derive_scal; auto. }
    replace (a * (F t - F s) + b * (G t - G s)) with (minus (a * F t + b * G t) (a * F s + b * G s)); [assumption|].
    unfold minus, plus, opp; simpl. ring.
  Qed.

  Lemma integral_at_most a b c d s t : s <= t ->
    (forall x, s < x < t -> Rmax 0 (a * f x - b * g x) <= c * f x + d * g x) ->
    integral a b s t <= c * (F t - F s) + d * (G t - G s).
  Proof.
    intros Hst H. rewrite <- (is_RInt_unique _ _ _ _ (is_combined c d s t)).
    apply RInt_le; [assumption|apply integrable; assumption|eexists; apply is_combined|assumption].
  Qed.

  (** Lemma L. *)
  Lemma integral_at_least a b s t : s <= t -> Rmax 0 (a * (F t - F s) - b * (G t - G s)) <= integral a b s t.
  Proof.
    intros Hst. apply Rmax_lub; [apply integral_nonneg; assumption|].
    replace (a * (F t - F s) - b * (G t - G s)) with (a * (F t - F s) + (- b) * (G t - G s)) by ring.
    rewrite <- (is_RInt_unique _ _ _ _ (is_combined a (- b) s t)).
    apply RInt_le; [assumption|eexists; apply is_combined|apply integrable; assumption|].
    intros x _. eapply Rle_trans; [|apply Rmax_r]. lra.
  Qed.

  Hypothesis f_nonneg : forall x, 0 <= f x.
  Hypothesis g_nonneg : forall x, 0 <= g x.

  (** Lemma U. *)
  Lemma cell_raises a b x y u v s t : 0 <= a -> 0 <= b -> 0 <= x -> y < x -> s <= t ->
    (forall z, s < z < t -> y * f z <= g z <= x * f z) -> F t - F s <= u + v -> u * x + v * y <= G t - G s ->
    integral a b s t <= u * Rmax 0 (a - b * x) + v * Rmax 0 (a - b * y).
  Proof.
    intros Ha Hb Hx Hxy Hst H HP HQ.
    set (c := Rmax 0 (a - b * x)). set (d := Rmax 0 (a - b * y)). set (slope := (d - c) / (x - y)).
    assert (Hc : 0 <= c) by apply Rmax_l. assert (Hc' : a - b * x <= c) by apply Rmax_r.
    assert (Hd : 0 <= d) by apply Rmax_l. assert (Hd' : a - b * y <= d) by apply Rmax_r.
    assert (Hcd : c <= d).
    { apply Rmax_lub; [assumption|]. pose proof (Rmult_le_compat_l b y x Hb (Rlt_le _ _ Hxy)). lra. }
    assert (Hslope : 0 <= slope) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
    assert (Hgap : slope * (x - y) = d - c) by (unfold slope; field; lra).
    apply (Rle_trans _ ((c + slope * x) * (F t - F s) + - slope * (G t - G s))).
    - apply integral_at_most; [assumption|]. intros z Hz. destruct (H z Hz) as [Hyz Hxz].
      pose proof (f_nonneg z) as Hfz. pose proof (Rmult_le_compat_l _ _ _ Hslope Hxz) as H1.
      pose proof (Rmult_le_pos _ _ Hc Hfz). apply Rmax_lub; [lra|].
      destruct (Rle_lt_dec slope b) as [Hless|Hmore].
      + pose proof (Rmult_le_compat_l (b - slope) _ _ ltac:(lra) Hyz).
        assert (0 <= (d - (a - b * y)) * f z) by (apply Rmult_le_pos; lra).
        replace (c + slope * x) with (d + slope * y) by lra. lra.
      + pose proof (Rmult_le_compat_l (slope - b) _ _ ltac:(lra) Hxz).
        assert (0 <= (c - (a - b * x)) * f z) by (apply Rmult_le_pos; lra). lra.
    - pose proof (Rmult_le_pos _ _ Hslope Hx) as H1. pose proof (Rmult_le_compat_l (c + slope * x) _ _ ltac:(lra) HP).
      pose proof (Rmult_le_compat_l _ _ _ Hslope HQ). replace d with (c + slope * (x - y)) by lra. lra.
  Qed.
End Two.

(** The distribution function of even noise. *)
Definition distribution (n : R -> R) (x : R) : R := / 2 + RInt n 0 x.

Section Even.
  Variable n : R -> R.
  Hypothesis n_continuous : forall x, continuous n x.
  Hypothesis n_even : forall x, n (- x) = n x.
  Hypothesis n_nonneg : forall x, 0 <= n x.

  Lemma n_integrable s t : ex_RInt n s t.
  Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). auto. Qed.

  Lemma distribution_is x : is_derive (distribution n) x (n x).
  Proof.
    unfold distribution. replace (n x) with (plus 0 (n x)) by (unfold plus; simpl; ring).
    apply (is_derive_plus (fun _ => / 2) (RInt n 0)); [apply (is_derive_const (V := R_NormedModule))|].
    apply (is_derive_RInt n _ 0); [|auto]. exists posreal_one. intros y _.
    apply (RInt_correct (V := R_CompleteNormedModule)), n_integrable.
  Qed.

  Lemma distribution_opp x : distribution n (- x) = 1 - distribution n x.
  Proof.
    unfold distribution. enough (RInt n 0 (- x) = - RInt n 0 x) by lra.
    assert (H : is_RInt n (- 0) (- x) (RInt n 0 (- x))).
    { rewrite Ropp_0. apply (RInt_correct (V := R_CompleteNormedModule)), n_integrable. }
    apply (is_RInt_comp_opp (V := R_NormedModule)) in H.
    assert (H' : is_RInt (fun y => opp (n y)) 0 x (RInt n 0 (- x))).
    { eapply is_RInt_ext; [|exact H]. intros y _. simpl. rewrite n_even. reflexivity. }
    apply (is_RInt_opp (V := R_NormedModule)) in H'.
    assert (H'' : is_RInt n 0 x (opp (RInt n 0 (- x)))).
    { eapply is_RInt_ext; [|exact H']. intros y _. simpl. apply opp_opp. }
      apply (is_RInt_unique (V := R_CompleteNormedModule)) in H''. rewrite H''. symmetry. apply Ropp_involutive.
  Qed.

  Lemma distribution_increasing s t : s <= t -> distribution n s <= distribution n t.
  Proof.
    intros Hst. unfold distribution. rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) n 0 s t) by apply n_integrable.
    pose proof (RInt_ge_0 n s t Hst (n_integrable s t) (fun x _ => n_nonneg x)). unfold plus; simpl. lra.
  Qed.
End Even.
