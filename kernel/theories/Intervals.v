(** Noise, or a mixture of it on two answers, cut at points n/d of the line: integers that enclose both distribution
    functions there, [edges_hold], and what ratios of the densities there are on either side, [end_at_holds]. Ratios
    fall with the noise's own, and losses from left to right. Who sees in which interval an outcome lies runs the
    noise: [pieces_run]. *)

Require Import Reals ZArith List Bool Lra Lia.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Experiments Composition Rounding Densities Noise Mechanisms.
Import ListNotations.
Open Scope R_scope.

(** What lies left of a point, rounded down and up: P-mass and Q-mass. *)
Definition edge := ((Z * Z) * (Z * Z))%type.

Definition left_of (kind : noise) (s : Z * Z) (whole a : Z) (x : R) : R :=
  IZR a / IZR whole * distribution (density kind) (x + ratio s / 2)
  + IZR (whole - a) / IZR whole * distribution (density kind) (x - ratio s / 2).

(** All numbers make sense, and P has no less of the first answer than Q. *)
Definition sensible (s : Z * Z) (whole a b : Z) : bool :=
  ((0 <? fst s) && (0 <? snd s) && (0 <? whole) && (0 <=? b) && (b <=? a) && (a <=? whole))%Z.

Definition weighed (up : bool) (whole a x y : Z) : Z := rounded_quotient up (a * x + (whole - a) * y) whole.

(** The loss of the noise itself at n/d. *)
Definition loss_at (kind : noise) (s : Z * Z) (d n : Z) : Z * Z :=
  match kind with
  | Laplace => (Z.abs (2 * n * snd s - fst s * d) - Z.abs (2 * n * snd s + fst s * d), 2 * d * snd s)
  | Gaussian => (- (fst s * n), snd s * d)
  end%Z.

Definition edge_at (kind : noise) (s : Z * Z) (whole a b d n : Z) : option edge :=
  let at_most up sign := distribution_bound kind up (2 * n * snd s + sign * (fst s * d)) (2 * d * snd s) in
  match at_most false 1%Z, at_most true 1%Z, at_most false (-1)%Z, at_most true (-1)%Z with
  | Some x, Some x', Some y, Some y' =>
      Some ((weighed false whole a x y, weighed true whole a x' y'), (weighed false whole b x y, weighed true whole b x' y'))
  | _, _, _, _ => None
  end.

(** What Q/P is at n/d at most, and e^(-jh) rounded up, if Q/P is no less; in the noise itself if its loss is at most jh. *)
Definition end_at (h : Z * Z) (kind : noise) (s : Z * Z) (whole a b d j n : Z) : option (Z * Z) :=
  let '(ln, ld) := loss_at kind s d n in
  match exp_bound false ln ld, exp_bound true ln ld, exp_bound true (- (j * fst h)) (snd h) with
  | Some r, Some r', Some y =>
      if ((0 <? r) && ((a =? whole) && (b =? 0) && (ln * snd h <=? j * fst h * ld)
          || (y * (a * r' + (whole - a) * one) <=? (b * r' + (whole - b) * one) * one)))%Z
      then Some (rounded_quotient true ((b * r + (whole - b) * one) * one) (a * r + (whole - a) * one), y)%Z
      else None
  | _, _, _ => None
  end.

(** Points go from right to left. *)
Fixpoint falling (n : Z) (rest : list Z) : bool :=
  match rest with [] => true | m :: rest' => (m <=? n)%Z && falling m rest' end.

Fixpoint descending (x : R) (rest : list R) : Prop :=
  match rest with [] => True | y :: rest' => y <= x /\ descending y rest' end.

Lemma falling_descends d : (0 < d)%Z -> forall rest n, falling n rest = true ->
  descending (IZR n / IZR d) (map (fun m => IZR m / IZR d) rest).
Proof.
  intros Hd. apply IZR_lt, Rinv_0_lt_compat in Hd. induction rest as [|m rest IH]; intros n; simpl; [trivial|].
  rewrite andb_true_iff, Z.leb_le. intros [Hn H]. split; [|auto]. apply Rmult_le_compat_r; [lra|apply IZR_le; assumption].
Qed.

Lemma shifted_is kind c x : is_derive (fun x => distribution (density kind) (x + c)) x (density kind (x + c)).
Proof.
  replace (density kind (x + c)) with (scal 1 (density kind (x + c))) by (unfold scal; simpl; unfold mult; simpl; ring).
  apply (is_derive_comp (distribution (density kind)) (fun x => x + c)).
  - apply distribution_is. intros; apply density_continuous.
  - replace 1 with (plus 1 0) by (unfold plus; simpl; ring).
    apply (is_derive_plus (fun x => x) (fun _ => c)); [apply (is_derive_id (K := R_AbsRing))|apply (is_derive_const (V := R_NormedModule))].
Qed.

(** A loss that is less in the noise is less in a mixture, too: the ratio is (b r + b')/(a r + a'). *)
Lemma ratio_below a a' b b' y r t : 0 <= b <= a -> 0 <= a' <= b' -> 0 <= r <= t -> 0 <= y ->
  y * (a * t + a') <= b * t + b' -> y * (a * r + a') <= b * r + b'.
Proof.
  intros Hb Ha Hr Hy H. destruct (Rle_lt_dec (y * a) b) as [Hless|Hmore].
  - destruct (Rle_lt_dec y 1) as [Hone|Hone].
    + pose proof (Rmult_le_compat_r a' y 1 ltac:(lra) Hone). pose proof (Rmult_le_compat_r r _ _ (proj1 Hr) Hless). lra.
    + destruct (Rle_lt_dec a 0) as [Hzero|Hpos]; [assert (a = 0) by lra; assert (b = 0) by lra; subst; lra|].
      pose proof (Rmult_lt_compat_r a _ _ Hpos Hone). lra.
  - pose proof (Rmult_le_compat_r (t - r) b (y * a) ltac:(lra) (Rlt_le _ _ Hmore)). lra.
Qed.

Lemma ratio_above a a' b b' x r t : 0 <= b <= a -> 0 <= a' <= b' -> 0 < r <= t -> 0 <= x ->
  b * r + b' <= x * (a * r + a') -> b * t + b' <= x * (a * t + a').
Proof.
  intros Hb Ha Hr Hx H. destruct (Rle_lt_dec b (x * a)) as [Hless|Hmore].
  - pose proof (Rmult_le_compat_r (t - r) b (x * a) ltac:(lra) Hless). lra.
  - destruct (Rle_lt_dec x 1) as [Hone|Hone].
    + pose proof (Rmult_le_compat_r a' x 1 ltac:(lra) Hone). pose proof (Rmult_lt_compat_r r _ _ (proj1 Hr) Hmore). lra.
    + destruct (Rle_lt_dec a 0) as [Hzero|Hpos]; [assert (a = 0) by lra; assert (b = 0) by lra; subst; lra|].
      pose proof (Rmult_lt_compat_r a _ _ Hpos Hone). lra.
Qed.

Section Mixture.
  Variables (kind : noise) (s : Z * Z) (whole a b : Z).
  Hypothesis Hsensible : sensible s whole a b = true.

  Lemma sensible_is : 0 < ratio s /\ (0 < snd s)%Z /\ 0 < IZR whole /\ 0 <= IZR b <= IZR a /\ 0 <= IZR (whole - a) <= IZR (whole - b).
  Proof.
    unfold sensible in Hsensible. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in Hsensible.
    destruct Hsensible as [[[[[H1 H2] H3] H4] H5] H6]. split.
    - apply IZR_lt in H1, H2. apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; assumption.
    - split; [assumption|]. split; [apply IZR_lt; assumption|]. repeat split; apply IZR_le; lia.
  Qed.

  Lemma weights_are w : w = a \/ w = b ->
    0 <= IZR w / IZR whole /\ 0 <= IZR (whole - w) / IZR whole /\ IZR w / IZR whole + IZR (whole - w) / IZR whole = 1.
  Proof.
    destruct sensible_is as (_ & _ & Hw & [H1 H2] & [H3 H4]). assert (Hi : 0 < / IZR whole) by (apply Rinv_0_lt_compat; assumption).
    intros Hab. repeat split; [destruct Hab; subst; apply Rmult_le_pos; lra|destruct Hab; subst; apply Rmult_le_pos; lra|].
    rewrite minus_IZR. field. lra.
  Qed.

  Lemma mixture_is w : forall x, is_derive (left_of kind s whole w) x (mixture kind s whole w x).
  Proof.
    intros x. unfold left_of, mixture, mix.
    apply (is_derive_plus (fun x => IZR w / IZR whole * distribution (density kind) (x + ratio s / 2))
      (fun x => IZR (whole - w) / IZR whole * distribution (density kind) (x - ratio s / 2)));
      apply is_derive_scal; apply shifted_is.
  Qed.

  Lemma mixture_continuous w : forall x, continuous (mixture kind s whole w) x.
  Proof. intros x. apply mix_continuous. apply density_continuous. Qed.

  Lemma mixture_nonneg w : w = a \/ w = b -> forall x, 0 <= mixture kind s whole w x.
  Proof.
    intros Hw x. destruct (weights_are w Hw) as (H1 & H2 & _). unfold mixture, mix.
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; apply Rlt_le, density_positive.
  Qed.

  Lemma left_of_within w : w = a \/ w = b -> forall x, 0 <= left_of kind s whole w x <= 1.
  Proof.
    intros Hw x. destruct (weights_are w Hw) as (H1 & H2 & H3). unfold left_of. set (u := IZR w / IZR whole) in *.
    set (v := IZR (whole - w) / IZR whole) in *. destruct (distribution_within kind (x + ratio s / 2)) as [A1 A2].
    destruct (distribution_within kind (x - ratio s / 2)) as [A3 A4].
    pose proof (Rmult_le_compat_l _ _ _ H1 A1). pose proof (Rmult_le_compat_l _ _ _ H1 A2).
    pose proof (Rmult_le_compat_l _ _ _ H2 A3). pose proof (Rmult_le_compat_l _ _ _ H2 A4). lra.
  Qed.

  Lemma left_of_increasing w : w = a \/ w = b -> forall x y, x <= y -> left_of kind s whole w x <= left_of kind s whole w y.
  Proof.
    intros Hw x y Hxy. destruct (weights_are w Hw) as (H1 & H2 & _).
    assert (Hmono : forall c, distribution (density kind) (x + c) <= distribution (density kind) (y + c)).
    { intros. apply distribution_increasing; [intros; apply density_continuous|intros; apply Rlt_le, density_positive|lra]. }
    unfold left_of. apply Rplus_le_compat; apply Rmult_le_compat_l; try assumption; apply Hmono.
  Qed.

  (** Nearly all mass lies in an interval. *)
  Lemma left_of_total w : w = a \/ w = b -> forall eta, 0 < eta -> exists T, forall S, T <= S ->
    left_of kind s whole w (- S) + (1 - left_of kind s whole w S) <= eta.
  Proof.
    intros Hw eta Heta. destruct (weights_are w Hw) as (H1 & H2 & H3). destruct sensible_is as (Hs & _).
    destruct (distribution_total kind (eta / 2) ltac:(lra)) as (T & _ & HT). exists (T + ratio s). intros S HS.
    assert (Hmono : forall x y, x <= y -> distribution (density kind) x <= distribution (density kind) y).
    { apply distribution_increasing; [intros; apply density_continuous|intros; apply Rlt_le, density_positive]. }
    assert (Hsides : forall c, - ratio s <= c <= ratio s ->
      distribution (density kind) (- S + c) + (1 - distribution (density kind) (S + c)) <= eta).
    { intros c Hc. replace (- S + c) with (- (S - c)) by ring.
      rewrite distribution_opp by (intros; apply density_continuous || apply density_even).
      pose proof (Hmono T (S - c) ltac:(lra)). pose proof (Hmono T (S + c) ltac:(lra)). lra. }
    pose proof (Rmult_le_compat_l _ _ _ H1 (Hsides (ratio s / 2) ltac:(lra))).
    pose proof (Rmult_le_compat_l _ _ _ H2 (Hsides (- (ratio s / 2)) ltac:(lra))).
    unfold left_of, Rminus in *. nra.
  Qed.

  Definition edge_holds (x : R) (e : edge) : Prop :=
    IZR (fst (fst e)) <= scale * left_of kind s whole a x <= IZR (snd (fst e)) /\
    IZR (fst (snd e)) <= scale * left_of kind s whole b x <= IZR (snd (snd e)).

  Lemma weighed_ordered up w x y x' y' : w = a \/ w = b -> ordered up (scale * x) (IZR x') -> ordered up (scale * y) (IZR y') ->
    ordered up (scale * (IZR w / IZR whole * x + IZR (whole - w) / IZR whole * y)) (IZR (weighed up whole w x' y')).
  Proof.
    intros Hw Hx Hy. destruct (weights_are w Hw) as (H1 & H2 & _). destruct sensible_is as (_ & _ & Hwhole & _).
    eapply ordered_trans; [|apply quotient_ordered, lt_IZR; assumption]. rewrite plus_IZR, !mult_IZR.
    pose proof (ordered_mult up _ _ _ H1 Hx). pose proof (ordered_mult up _ _ _ H2 Hy). unfold Rdiv in *.
    destruct up; simpl in *; lra.
  Qed.

  Lemma edge_at_holds d n e : (0 < d)%Z -> edge_at kind s whole a b d n = Some e -> edge_holds (IZR n / IZR d) e.
  Proof.
    intros Hd. destruct sensible_is as (_ & Hs & _). unfold edge_at.
    assert (Hat : forall up sign z, distribution_bound kind up (2 * n * snd s + sign * (fst s * d)) (2 * d * snd s) = Some z ->
      ordered up (scale * distribution (density kind) (IZR n / IZR d + IZR sign * (ratio s / 2))) (IZR z)).
    { intros up sign z H. apply distribution_bound_ordered in H; [|nia].
      replace (IZR n / IZR d + IZR sign * (ratio s / 2))
        with (IZR (2 * n * snd s + sign * (fst s * d)) / IZR (2 * d * snd s)); [assumption|].
      unfold ratio. rewrite plus_IZR, !mult_IZR. apply IZR_lt in Hd, Hs. field. lra. }
    destruct (distribution_bound kind false (2 * n * snd s + 1 * (fst s * d)) (2 * d * snd s)) as [x|] eqn:H1; [|discriminate].
    destruct (distribution_bound kind true (2 * n * snd s + 1 * (fst s * d)) (2 * d * snd s)) as [x'|] eqn:H2; [|discriminate].
    destruct (distribution_bound kind false (2 * n * snd s + -1 * (fst s * d)) (2 * d * snd s)) as [y|] eqn:H3; [|discriminate].
    destruct (distribution_bound kind true (2 * n * snd s + -1 * (fst s * d)) (2 * d * snd s)) as [y'|] eqn:H4; [|discriminate].
    intros E. apply some_equal in E. subst e. apply Hat in H1, H2, H3, H4. unfold edge_holds, left_of. cbn [fst snd].
    replace (IZR n / IZR d + ratio s / 2) with (IZR n / IZR d + IZR 1 * (ratio s / 2)) by ring.
    replace (IZR n / IZR d - ratio s / 2) with (IZR n / IZR d + IZR (-1) * (ratio s / 2)) by ring.
    split; split; [apply (weighed_ordered false)|apply (weighed_ordered true)|apply (weighed_ordered false)|apply (weighed_ordered true)];
      auto.
  Qed.

  Lemma loss_at_is d n : (0 < d)%Z -> let '(ln, ld) := loss_at kind s d n in
    (0 < ld)%Z /\ IZR ln / IZR ld = loss kind (ratio s) (IZR n / IZR d).
  Proof.
    intros Hd. destruct sensible_is as (_ & Hs & _). pose proof (IZR_lt _ _ Hd) as Hd'. pose proof (IZR_lt _ _ Hs) as Hs'.
    destruct kind; unfold loss_at, loss; (split; [nia|]).
    - rewrite minus_IZR, !abs_IZR, minus_IZR, plus_IZR, !mult_IZR. unfold ratio.
      assert (Hc : 0 < 2 * IZR d * IZR (snd s)) by (repeat apply Rmult_lt_0_compat; lra).
      replace (IZR n / IZR d - IZR (fst s) / IZR (snd s) / 2)
        with ((2 * IZR n * IZR (snd s) - IZR (fst s) * IZR d) * / (2 * IZR d * IZR (snd s))) by (field; lra).
      replace (IZR n / IZR d + IZR (fst s) / IZR (snd s) / 2)
        with ((2 * IZR n * IZR (snd s) + IZR (fst s) * IZR d) * / (2 * IZR d * IZR (snd s))) by (field; lra).
      rewrite !Rabs_mult, (Rabs_pos_eq (/ _)) by (apply Rlt_le, Rinv_0_lt_compat; assumption). field. lra.
    - rewrite opp_IZR, !mult_IZR. unfold ratio. field. lra.
  Qed.

  Lemma loss_decreasing x z : x <= z -> loss kind (ratio s) z <= loss kind (ratio s) x.
  Proof.
    intros Hxz. destruct sensible_is as (Hs & _). destruct kind; unfold loss.
    - unfold Rabs. destruct (Rcase_abs (x - ratio s / 2)), (Rcase_abs (x + ratio s / 2)), (Rcase_abs (z - ratio s / 2)),
        (Rcase_abs (z + ratio s / 2)); lra.
    - pose proof (Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hs) Hxz). lra.
  Qed.

  (** Bounds of Q/P on either side of x, in units of 1/[one], and e^(-l). *)
  Definition end_holds (l x : R) (e : Z * Z) : Prop :=
    (forall z, loss kind (ratio s) z <= loss kind (ratio s) x -> exp (- l) * mixture kind s whole a z <= mixture kind s whole b z) /\
    (forall z, loss kind (ratio s) x <= loss kind (ratio s) z ->
      mixture kind s whole b z <= IZR (fst e) / scale * mixture kind s whole a z) /\
    exp (- l) <= IZR (fst e) / scale /\ scale * exp (- l) <= IZR (snd e).

  Lemma mixture_by_loss w z : mixture kind s whole w z
    = density kind (z - ratio s / 2) / IZR whole * (IZR w * exp (loss kind (ratio s) z) + IZR (whole - w)).
  Proof. unfold mixture, mix. rewrite density_ratio. unfold Rdiv. ring. Qed.

  Lemma end_at_holds h d j n e : (0 < snd h)%Z -> (0 < d)%Z -> end_at h kind s whole a b d j n = Some e ->
    end_holds (IZR j * ratio h) (IZR n / IZR d) e.
  Proof.
    intros Hh Hd. destruct sensible_is as (_ & _ & Hw & Hab & Hab'). pose proof scale_pos as Hsc. unfold end_at.
    pose proof (loss_at_is d n Hd) as Hloss. destruct (loss_at kind s d n) as [ln ld]. destruct Hloss as [Hld Hloss].
    destruct (exp_bound false ln ld) as [r|] eqn:Hr; [|discriminate].
    destruct (exp_bound true ln ld) as [r'|] eqn:Hr'; [|discriminate].
    destruct (exp_bound true (- (j * fst h)) (snd h)) as [y|] eqn:Hy; [|discriminate].
    destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite andb_true_iff, Z.ltb_lt in Hok. destruct Hok as [Hr0 Hok].
    intros E. apply some_equal in E. subst e. apply exp_bound_ordered in Hr, Hr', Hy. cbn [ordered] in Hr, Hr', Hy.
    rewrite Hloss in Hr, Hr'. set (L := loss kind (ratio s) (IZR n / IZR d)) in *. set (t := exp L) in *.
    replace (IZR (- (j * fst h)) / IZR (snd h)) with (- (IZR j * ratio h)) in Hy
      by (unfold ratio; rewrite opp_IZR, mult_IZR; unfold Rdiv; ring).
    set (E := exp (- (IZR j * ratio h))) in *. assert (HE : 0 < E) by apply exp_pos.
    assert (Ht : 0 < t) by apply exp_pos. set (rho := IZR r / scale). set (rho' := IZR r' / scale).
    assert (Hrho : 0 < rho <= t).
    { split; [apply Rmult_lt_0_compat; [apply IZR_lt; assumption|apply Rinv_0_lt_compat; assumption]|].
      apply (Rmult_le_reg_l scale); [assumption|]. unfold rho. replace (scale * (IZR r / scale)) with (IZR r) by (field; lra). assumption. }
    assert (Hrho' : t <= rho').
    { apply (Rmult_le_reg_l scale); [assumption|]. unfold rho'. replace (scale * (IZR r' / scale)) with (IZR r') by (field; lra). assumption. }
    assert (Hat : E * (IZR a * t + IZR (whole - a)) <= IZR b * t + IZR (whole - b)).
    { rewrite orb_true_iff, !andb_true_iff, !Z.eqb_eq, !Z.leb_le in Hok. destruct Hok as [[[-> ->] Hle]|Hle].
      - rewrite Z.sub_diag, Z.sub_0_r. apply IZR_le in Hle. rewrite !mult_IZR in Hle.
        assert (HEt : E * t <= 1).
        { unfold E, t. rewrite <- exp_plus, <- exp_0. assert (Hsum : - (IZR j * ratio h) + L <= 0).
          { rewrite <- Hloss. apply IZR_lt in Hh, Hld. apply (Rmult_le_reg_r (IZR ld * IZR (snd h))); [apply Rmult_lt_0_compat; assumption|].
            replace ((- (IZR j * ratio h) + IZR ln / IZR ld) * (IZR ld * IZR (snd h)))
              with (IZR ln * IZR (snd h) - IZR j * IZR (fst h) * IZR ld) by (unfold ratio; field; lra). lra. }
          destruct Hsum as [Hsum| ->]; [apply Rlt_le, exp_increasing; assumption|apply Rle_refl]. }
        pose proof (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hw) HEt). lra.
      - apply (ratio_below (IZR a) (IZR (whole - a)) (IZR b) (IZR (whole - b)) E t rho'); try assumption; try lra.
        apply IZR_le in Hle. rewrite mult_IZR, (mult_IZR (_ + _)), !plus_IZR, !mult_IZR in Hle. change (IZR one) with scale in Hle.
        apply (Rmult_le_reg_r (scale * scale)); [apply Rmult_lt_0_compat; assumption|].
        replace ((IZR b * rho' + IZR (whole - b)) * (scale * scale))
          with ((IZR b * IZR r' + IZR (whole - b) * scale) * scale) by (unfold rho'; field; lra).
        eapply Rle_trans; [|exact Hle].
        replace (E * (IZR a * rho' + IZR (whole - a)) * (scale * scale))
          with (scale * E * (IZR a * IZR r' + IZR (whole - a) * scale)) by (unfold rho'; field; lra).
        apply Rmult_le_compat_r; [|assumption]. pose proof (Rmult_lt_0_compat _ _ Hsc Ht).
        apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
    set (X := rounded_quotient true _ _). assert (Hdenominator : 0 < IZR a * IZR r + IZR (whole - a) * scale).
    { apply IZR_lt in Hr0. rewrite minus_IZR in *. assert (0 <= IZR a * IZR r) by (apply Rmult_le_pos; lra).
      destruct (Rle_lt_dec (IZR whole) (IZR a)); nra. }
    assert (HX : IZR b * rho + IZR (whole - b) <= IZR X / scale * (IZR a * rho + IZR (whole - a))).
    { pose proof (quotient_ordered true ((b * r + (whole - b) * one) * one) (a * r + (whole - a) * one)
        ltac:(apply lt_IZR; rewrite plus_IZR, !mult_IZR; assumption)) as H. fold X in H. unfold ordered in H.
      rewrite mult_IZR, !plus_IZR, !mult_IZR in H. change (IZR one) with scale in H.
      apply (Rmult_le_compat_r (IZR a * IZR r + IZR (whole - a) * scale)) in H; [|lra].
      unfold Rdiv in H at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in H by lra.
      apply (Rmult_le_reg_r (scale * scale)); [apply Rmult_lt_0_compat; assumption|].
      replace ((IZR b * rho + IZR (whole - b)) * (scale * scale)) with ((IZR b * IZR r + IZR (whole - b) * scale) * scale)
        by (unfold rho; field; lra).
      replace (IZR X / scale * (IZR a * rho + IZR (whole - a)) * (scale * scale))
        with (IZR X * (IZR a * IZR r + IZR (whole - a) * scale)) by (unfold rho; field; lra). assumption. }
    assert (HX0 : 0 <= IZR X / scale).
    { assert (0 <= IZR X); [|apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat; assumption]].
      apply IZR_le, quotient_nonneg; [apply lt_IZR; rewrite plus_IZR, !mult_IZR; assumption|].
      apply Z.mul_nonneg_nonneg; [|pose proof one_pos; lia]. apply le_IZR. rewrite plus_IZR, !mult_IZR. change (IZR one) with scale.
      apply IZR_lt in Hr0. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
    assert (Hmono : forall x z, x <= z -> exp x <= exp z).
    { intros x z [Hxz| ->]; [apply Rlt_le, exp_increasing; assumption|apply Rle_refl]. }
    assert (Hfactor : forall z, 0 <= density kind (z - ratio s / 2) / IZR whole).
    { intros z. apply Rmult_le_pos; [apply Rlt_le, density_positive|apply Rlt_le, Rinv_0_lt_compat; assumption]. }
    split; [|split; [|split; [|exact Hy]]].
    - intros z Hz. rewrite !mixture_by_loss, <- Rmult_assoc, (Rmult_comm E), Rmult_assoc. apply Rmult_le_compat_l; [apply Hfactor|].
      apply (ratio_below _ _ _ _ E _ t); try assumption; [|lra]. split; [apply Rlt_le, exp_pos|apply Hmono; assumption].
    - intros z Hz. rewrite !mixture_by_loss, <- Rmult_assoc, (Rmult_comm (IZR X / scale)), Rmult_assoc. cbn [fst].
      apply Rmult_le_compat_l; [apply Hfactor|].
      apply (ratio_above _ _ _ _ _ rho); try assumption. split; [apply Hrho|]. eapply Rle_trans; [apply Hrho|]. apply Hmono. assumption.
    - cbn [fst]. pose proof (ratio_above _ _ _ _ _ rho t Hab Hab' Hrho HX0 HX) as Hup.
      assert (Hpos : 0 < IZR a * t + IZR (whole - a)).
      { rewrite minus_IZR in *. assert (0 <= IZR a * t) by (apply Rmult_le_pos; lra).
        destruct (Rle_lt_dec (IZR whole) (IZR a)); [|lra]. assert (0 < IZR a * t) by (apply Rmult_lt_0_compat; lra). lra. }
      apply (Rmult_le_reg_r (IZR a * t + IZR (whole - a))); [assumption|]. eapply Rle_trans; [exact Hat|exact Hup].
  Qed.
End Mixture.

(** Who sees in which interval an outcome lies runs the noise: [pieces_run]. *)
Fixpoint pieces (F G : R -> R) (x : R) (rest : list R) : experiment :=
  match rest with [] => [(F x, G x)] | y :: rest' => (F x - F y, G x - G y) :: pieces F G y rest' end.

Definition all_pieces (F G : R -> R) (x : R) (rest : list R) : experiment := (1 - F x, 1 - G x) :: pieces F G x rest.

Lemma swap_pieces F G : forall rest x, swap (pieces F G x rest) = pieces G F x rest.
Proof. unfold swap. induction rest as [|y rest IH]; intros x; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma pieces_valid F G : (forall x y, x <= y -> F x <= F y) -> (forall x y, x <= y -> G x <= G y) ->
  (forall x, 0 <= F x <= 1) -> (forall x, 0 <= G x <= 1) ->
  forall rest x, descending x rest -> valid (all_pieces F G x rest).
Proof.
  intros HF HG HF1 HG1 rest x H. constructor; [simpl; pose proof (HF1 x); pose proof (HG1 x); lra|]. revert x H.
  induction rest as [|y rest IH]; intros x; simpl.
  - intros _. constructor; [simpl; pose proof (HF1 x); pose proof (HG1 x); lra|constructor].
  - intros [Hxy H]. constructor; [simpl; pose proof (HF _ _ Hxy); pose proof (HG _ _ Hxy); lra|]. apply IH. assumption.
Qed.

Section Pieces.
  Variables f g F G : R -> R.
  Hypothesis F_is : forall x, is_derive F x (f x).
  Hypothesis G_is : forall x, is_derive G x (g x).
  Hypothesis f_continuous : forall x, continuous f x.
  Hypothesis g_continuous : forall x, continuous g x.
  Hypothesis F_within : forall x, 0 <= F x <= 1.
  Hypothesis G_within : forall x, 0 <= G x <= 1.
  Hypothesis F_total : forall eta, 0 < eta -> exists T, forall S, T <= S -> F (- S) + (1 - F S) <= eta.

  Lemma pieces_tell e : 0 <= e -> forall rest x, descending x rest -> exists b, b <= x /\ forall S, S <= b ->
    excess 1 e (pieces F G x rest) <= integral f g 1 e S x + F S.
  Proof.
    intros He. induction rest as [|y rest IH]; intros x; cbn [descending pieces].
    - intros _. exists x. split; [lra|]. intros S HS. unfold excess, gain; simpl. rewrite Rplus_0_r.
      pose proof (integral_at_least f g F G F_is G_is f_continuous g_continuous 1 e S x HS) as H.
      pose proof (F_within S). pose proof (G_within S). pose proof (Rmult_le_pos _ _ He (proj1 (G_within S))).
      unfold Rmax in *. destruct (Rle_dec 0 (1 * F x - e * G x)), (Rle_dec 0 (1 * (F x - F S) - e * (G x - G S))); lra.
    - intros [Hxy H]. destruct (IH y H) as (b & Hb & Hrest). exists b. split; [lra|]. intros S HS. specialize (Hrest S HS).
      rewrite (integral_split f g f_continuous g_continuous 1 e S y x).
      pose proof (integral_at_least f g F G F_is G_is f_continuous g_continuous 1 e y x Hxy).
      unfold excess in *; simpl. unfold gain at 1; simpl. lra.
  Qed.

  Lemma pieces_dominated rest x : descending x rest -> dominated_by f g (all_pieces F G x rest).
  Proof.
    intros H e eta He Heta. destruct (pieces_tell e He rest x H) as (b & Hb & Htell).
    destruct (F_total eta Heta) as [T0 HT0]. set (T := Rmax (Rmax T0 0) (Rmax (- b) x)).
    assert (HT : T0 <= T /\ 0 <= T /\ - T <= b /\ x <= T).
    { unfold T. pose proof (Rmax_l (Rmax T0 0) (Rmax (- b) x)). pose proof (Rmax_r (Rmax T0 0) (Rmax (- b) x)).
      pose proof (Rmax_l T0 0). pose proof (Rmax_r T0 0). pose proof (Rmax_l (- b) x). pose proof (Rmax_r (- b) x). lra. }
    destruct HT as (HT1 & HT2 & HT3 & HT4). exists T. split; [assumption|].
    replace (RInt _ (- T) T) with (integral f g 1 e (- T) T)
      by (apply (RInt_ext (V := R_CompleteNormedModule)); intros; rewrite Rmult_1_l; reflexivity).
    rewrite (integral_split f g f_continuous g_continuous 1 e (- T) x T). specialize (Htell (- T) HT3). specialize (HT0 T HT1).
    pose proof (integral_at_least f g F G F_is G_is f_continuous g_continuous 1 e x T HT4) as Hright.
    unfold hockey_stick, all_pieces, excess in *. simpl. unfold gain at 1; simpl.
    enough (Rmax 0 (1 * (1 - F x) - e * (1 - G x)) <= Rmax 0 (1 * (F T - F x) - e * (G T - G x)) + (1 - F T)) by lra.
    pose proof (F_within T). pose proof (Rmult_le_pos e (1 - G T) He ltac:(pose proof (G_within T); lra)).
    unfold Rmax. destruct (Rle_dec 0 (1 * (1 - F x) - e * (1 - G x))), (Rle_dec 0 (1 * (F T - F x) - e * (G T - G x))); lra.
  Qed.
End Pieces.


Lemma pieces_run kind s whole a b x rest : sensible s whole a b = true -> descending x rest ->
  let D := all_pieces (left_of kind s whole a) (left_of kind s whole b) x rest in
  valid D /\ runs (Mixed kind s whole a b) D.
Proof.
  intros Hs H D. assert (HD : valid D).
  { apply pieces_valid; try assumption; intros; (eapply left_of_increasing || eapply left_of_within); try eassumption; auto. }
  split; [assumption|]. split; [assumption|].
  assert (Hside : forall v w, v = a \/ v = b -> w = a \/ w = b ->
    dominated_by (mixture kind s whole v) (mixture kind s whole w) (all_pieces (left_of kind s whole v) (left_of kind s whole w) x rest)).
  { intros v w Hv Hw. apply pieces_dominated; try assumption; intros;
      (apply mixture_is || apply mixture_continuous || (eapply left_of_within || eapply left_of_total); eassumption). }
  split; [apply Hside; auto|].
  replace (swap D) with (all_pieces (left_of kind s whole b) (left_of kind s whole a) x rest);
    [apply Hside; auto|unfold D, all_pieces; rewrite <- swap_pieces; reflexivity].
Qed.
