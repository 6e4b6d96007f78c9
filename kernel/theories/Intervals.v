(** Noise cut at its losses: the points X(j) of the line at which the loss is jh, and integers that enclose both
    distribution functions there. Between two of them the losses lie between theirs: [fits_cell]. *)

Require Import Reals ZArith List Bool Lra Lia.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Experiments Composition Rounding Densities Noise Mechanisms.
Import ListNotations.
Open Scope R_scope.

(** The point at which the loss is jh, as n/d. *)
Definition cut_at (h : Z * Z) (kind : noise) (s : Z * Z) (j : Z) : Z * Z :=
  match kind with
  | Laplace => (- (j * fst h), 2 * snd h)%Z
  | Gaussian => (- (j * fst h * snd s), snd h * fst s)%Z
  end.

Definition slope (kind : noise) (s : R) : R := match kind with Laplace => 2 | Gaussian => s end.

Definition point (h : R) (kind : noise) (s : R) (j : Z) : R := - (IZR j * h) / slope kind s.

(** What lies left of a point, rounded down and up: P-mass and Q-mass. *)
Definition edge := ((Z * Z) * (Z * Z))%type.

Definition edge_at (h : Z * Z) (kind : noise) (s : Z * Z) (j : Z) : option edge :=
  let '(xn, xd) := cut_at h kind s j in
  let '(sn, sd) := s in
  let at_most up sign := distribution_bound kind up (2 * xn * sd + sign * sn * xd) (2 * xd * sd) in
  match at_most false 1%Z, at_most true 1%Z, at_most false (-1)%Z, at_most true (-1)%Z with
  | Some a, Some b, Some c, Some d => Some ((a, b), (c, d))
  | _, _, _, _ => None
  end.

(** Those of j, j + 1, ..., j + count. *)
Fixpoint edges (h : Z * Z) (kind : noise) (s : Z * Z) (count : nat) (j : Z) : option (list edge) :=
  match edge_at h kind s j, count with
  | Some e, O => Some [e]
  | Some e, S rest => match edges h kind s rest (j + 1) with Some l => Some (e :: l) | None => None end
  | None, _ => None
  end.

(** All numbers make sense, and losses from [low] to [top] reach those that there are, if there is a greatest one. *)
Definition fits (h : Z * Z) (kind : noise) (s : Z * Z) (low top : Z) : bool :=
  ((0 <? fst h) && (0 <? snd h) && (0 <? fst s) && (0 <? snd s) && (low <? top)
   && match kind with
      | Laplace => (- (fst s * snd h) <=? low * fst h * snd s) && (fst s * snd h <=? top * fst h * snd s)
                   && ((top - 1) * fst h * snd s <=? fst s * snd h)
      | Gaussian => true
      end)%Z.

Definition left_of_p (kind : noise) (s x : R) : R := distribution (density kind) (x + s / 2).
Definition left_of_q (kind : noise) (s x : R) : R := distribution (density kind) (x - s / 2).

Lemma shifted_is kind c x : is_derive (fun x => distribution (density kind) (x + c)) x (density kind (x + c)).
Proof.
  replace (density kind (x + c)) with (scal 1 (density kind (x + c))) by (unfold scal; simpl; unfold mult; simpl; ring).
  apply (is_derive_comp (distribution (density kind)) (fun x => x + c)).
  - apply distribution_is. intros; apply density_continuous.
  - replace 1 with (plus 1 0) by (unfold plus; simpl; ring).
    apply (is_derive_plus (fun x => x) (fun _ => c)); [apply (is_derive_id (K := R_AbsRing))|apply (is_derive_const (V := R_NormedModule))].
Qed.

Lemma shifted_continuous kind c x : continuous (fun x => density kind (x + c)) x.
Proof.
  apply (continuous_comp (fun x => x + c) (density kind)); [|apply density_continuous].
  apply (continuous_plus (K := R_AbsRing) (V := R_NormedModule)); [apply continuous_id|apply continuous_const].
Qed.

Lemma fits_positive h kind s low top : fits h kind s low top = true -> 0 < ratio h /\ 0 < ratio s.
Proof.
  unfold fits. rewrite !andb_true_iff, !Z.ltb_lt. intros [[[[[H1 H2] H3] H4] _] _]. apply IZR_lt in H1, H2, H3, H4.
  split; apply Rmult_lt_0_compat; try assumption; apply Rinv_0_lt_compat; assumption.
Qed.

Lemma slope_positive kind s : 0 < s -> 0 < slope kind s.
Proof. destruct kind; simpl; lra. Qed.

Lemma point_decreasing h kind s i j : 0 < h -> 0 < s -> (i <= j)%Z -> point h kind s j <= point h kind s i.
Proof.
  intros Hh Hs Hij. unfold point. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, slope_positive; assumption|].
  apply Ropp_le_contravar, Rmult_le_compat_r; [lra|apply IZR_le; assumption].
Qed.

Lemma cut_is h kind s j : 0 < ratio h -> 0 < ratio s -> (0 < snd h)%Z -> (0 < snd s)%Z ->
  let '(n, d) := cut_at h kind s j in (0 < d)%Z /\ IZR n / IZR d = point (ratio h) kind (ratio s) j.
Proof.
  intros Hh Hs Hd Hd'. assert (Hn : (0 < fst s)%Z).
  { apply lt_IZR. apply IZR_lt in Hd'. apply (Rmult_lt_reg_r (/ IZR (snd s))); [apply Rinv_0_lt_compat; assumption|].
    rewrite Rmult_0_l. exact Hs. }
  destruct kind; unfold cut_at; (split; [lia|]); unfold point, slope, ratio; rewrite opp_IZR, !mult_IZR;
    apply IZR_lt in Hd, Hd', Hn; field; lra.
Qed.

Definition edge_holds (kind : noise) (s x : R) (e : edge) : Prop :=
  IZR (fst (fst e)) <= scale * left_of_p kind s x <= IZR (snd (fst e)) /\
  IZR (fst (snd e)) <= scale * left_of_q kind s x <= IZR (snd (snd e)).

Lemma edge_at_holds h kind s j e : 0 < ratio h -> 0 < ratio s -> (0 < snd h)%Z -> (0 < snd s)%Z ->
  edge_at h kind s j = Some e -> edge_holds kind (ratio s) (point (ratio h) kind (ratio s) j) e.
Proof.
  intros Hh Hs Hd Hd'. pose proof (cut_is h kind s j Hh Hs Hd Hd') as Hcut. unfold edge_at.
  destruct (cut_at h kind s j) as [xn xd], s as [sn sd]. destruct Hcut as [Hxd Hx]. simpl in Hd'.
  assert (Hat : forall up sign a, distribution_bound kind up (2 * xn * sd + sign * sn * xd) (2 * xd * sd) = Some a ->
    ordered up (scale * distribution (density kind) (point (ratio h) kind (ratio (sn, sd)) j + IZR sign * (ratio (sn, sd) / 2))) (IZR a)).
  { intros up sign a H. apply distribution_bound_ordered in H; [|nia]. rewrite <- Hx.
    replace (IZR xn / IZR xd + IZR sign * (ratio (sn, sd) / 2))
      with (IZR (2 * xn * sd + sign * sn * xd) / IZR (2 * xd * sd)); [assumption|].
    unfold ratio; cbn [fst snd]. rewrite plus_IZR, !mult_IZR. apply IZR_lt in Hxd, Hd'. field. lra. }
  destruct (distribution_bound kind false (2 * xn * sd + 1 * sn * xd) (2 * xd * sd)) as [a|] eqn:Ha; [|discriminate].
  destruct (distribution_bound kind true (2 * xn * sd + 1 * sn * xd) (2 * xd * sd)) as [b|] eqn:Hb; [|discriminate].
  destruct (distribution_bound kind false (2 * xn * sd + -1 * sn * xd) (2 * xd * sd)) as [c|] eqn:Hc; [|discriminate].
  destruct (distribution_bound kind true (2 * xn * sd + -1 * sn * xd) (2 * xd * sd)) as [d|] eqn:Hdd; [|discriminate].
  intros E. apply some_equal in E. subst e. apply Hat in Ha, Hb, Hc, Hdd. simpl ordered in *.
  unfold edge_holds, left_of_p, left_of_q. simpl.
  replace (point (ratio h) kind (ratio (sn, sd)) j + ratio (sn, sd) / 2)
    with (point (ratio h) kind (ratio (sn, sd)) j + IZR 1 * (ratio (sn, sd) / 2)) by ring.
  replace (point (ratio h) kind (ratio (sn, sd)) j - ratio (sn, sd) / 2)
    with (point (ratio h) kind (ratio (sn, sd)) j + IZR (-1) * (ratio (sn, sd) / 2)) by ring.
  repeat split; assumption.
Qed.

Fixpoint hold_from (h : R) (kind : noise) (s : R) (j : Z) (l : list edge) : Prop :=
  match l with [] => True | e :: rest => edge_holds kind s (point h kind s j) e /\ hold_from h kind s (j + 1) rest end.

Lemma edges_hold h kind s count : 0 < ratio h -> 0 < ratio s -> (0 < snd h)%Z -> (0 < snd s)%Z -> forall j l,
  edges h kind s count j = Some l -> length l = S count /\ hold_from (ratio h) kind (ratio s) j l.
Proof.
  intros Hh Hs Hd Hd'. induction count as [|k IH]; intros j l; simpl;
    (destruct (edge_at h kind s j) as [e|] eqn:He; [|discriminate]);
    apply edge_at_holds in He; try assumption.
  - intros E. apply some_equal in E. subst l. simpl. auto.
  - destruct (edges h kind s k (j + 1)) as [l'|] eqn:Hl; [|discriminate]. intros E. apply some_equal in E. subst l.
    apply IH in Hl as [Hlength Hl]. simpl. auto.
Qed.

(** Where losses lie. *)
Lemma fits_cell h kind s low top : fits h kind s low top = true -> let X := point (ratio h) kind (ratio s) in
  forall j x, (low <= j < top)%Z -> X (j + 1)%Z < x < X j ->
  IZR j * ratio h <= loss kind (ratio s) x <= IZR (j + 1) * ratio h.
Proof.
  intros Hfits X j x Hj Hx. pose proof (fits_positive _ _ _ _ _ Hfits) as [Hh Hs].
  unfold fits in Hfits. rewrite !andb_true_iff, !Z.ltb_lt in Hfits. destruct Hfits as [[[[[H1 H2] H3] H4] _] Hkind].
  apply IZR_lt in H1, H2, H3, H4. destruct kind.
  - rewrite !andb_true_iff, !Z.leb_le in Hkind. destruct Hkind as [[Hlow Htop] Htop'].
    assert (Hscaled : forall i, IZR i * ratio h * (IZR (snd h) * IZR (snd s)) = IZR (i * fst h * snd s))
      by (intros i; unfold ratio; rewrite !mult_IZR; field; lra).
    assert (Hs' : ratio s * (IZR (snd h) * IZR (snd s)) = IZR (fst s * snd h)) by (unfold ratio; rewrite mult_IZR; field; lra).
    assert (Hc : 0 < IZR (snd h) * IZR (snd s)) by (apply Rmult_lt_0_compat; assumption).
    assert (Hjs : IZR j * ratio h <= ratio s).
    { apply (Rle_trans _ (IZR (top - 1) * ratio h)); [apply Rmult_le_compat_r; [lra|apply IZR_le; lia]|].
      apply (Rmult_le_reg_r _ _ _ Hc). rewrite Hscaled, Hs'. apply IZR_le. assumption. }
    assert (Hjs' : - ratio s <= IZR (j + 1) * ratio h).
    { apply (Rle_trans _ (IZR low * ratio h)); [|apply Rmult_le_compat_r; [lra|apply IZR_le; lia]].
      apply (Rmult_le_reg_r _ _ _ Hc). rewrite Hscaled, Ropp_mult_distr_l_reverse, Hs', <- opp_IZR. apply IZR_le. assumption. }
    unfold X, point in Hx. simpl slope in Hx. unfold loss.
    unfold Rabs. destruct (Rcase_abs (x - ratio s / 2)), (Rcase_abs (x + ratio s / 2)); lra.
  - unfold X, point in Hx. simpl slope in Hx. unfold loss. destruct Hx as [Hx Hx'].
    apply (Rmult_lt_compat_l (ratio s)) in Hx, Hx'; [|assumption|assumption].
    replace (ratio s * (- (IZR (j + 1) * ratio h) / ratio s)) with (- (IZR (j + 1) * ratio h)) in Hx by (field; lra).
    replace (ratio s * (- (IZR j * ratio h) / ratio s)) with (- (IZR j * ratio h)) in Hx' by (field; lra). lra.
Qed.

Lemma fits_right h kind s low top x : fits h kind s low top = true -> point (ratio h) kind (ratio s) low <= x ->
  loss kind (ratio s) x <= IZR low * ratio h.
Proof.
  intros Hfits Hx. pose proof (fits_positive _ _ _ _ _ Hfits) as [Hh Hs].
  unfold fits in Hfits. rewrite !andb_true_iff, !Z.ltb_lt in Hfits. destruct Hfits as [[[[[H1 H2] H3] H4] _] Hkind].
  apply IZR_lt in H1, H2, H3, H4. destruct kind.
  - rewrite !andb_true_iff, !Z.leb_le in Hkind. destruct Hkind as [[Hlow _] _].
    assert (Hjs : - ratio s <= IZR low * ratio h).
    { apply (Rmult_le_reg_r (IZR (snd h) * IZR (snd s))); [apply Rmult_lt_0_compat; assumption|].
      replace (- ratio s * (IZR (snd h) * IZR (snd s))) with (IZR (- (fst s * snd h)))
        by (unfold ratio; rewrite opp_IZR, mult_IZR; field; lra).
      replace (IZR low * ratio h * (IZR (snd h) * IZR (snd s))) with (IZR (low * fst h * snd s))
        by (unfold ratio; rewrite !mult_IZR; field; lra). apply IZR_le. assumption. }
    unfold point in Hx. simpl slope in Hx. unfold loss.
    unfold Rabs. destruct (Rcase_abs (x - ratio s / 2)), (Rcase_abs (x + ratio s / 2)); lra.
  - unfold point in Hx. simpl slope in Hx. unfold loss. apply (Rmult_le_compat_l (ratio s)) in Hx; [|lra].
    replace (ratio s * (- (IZR low * ratio h) / ratio s)) with (- (IZR low * ratio h)) in Hx by (field; lra). lra.
Qed.

(** Laplace noise has no greater losses. *)
Lemma fits_left h s low top x : fits h Laplace s low top = true -> loss Laplace (ratio s) x <= IZR top * ratio h.
Proof.
  intros Hfits. pose proof (fits_positive _ _ _ _ _ Hfits) as [Hh Hs].
  unfold fits in Hfits. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in Hfits.
  destruct Hfits as [[[[[H1 H2] H3] H4] _] [[_ Htop] _]]. apply IZR_lt in H1, H2, H3, H4.
  assert (Hjs : ratio s <= IZR top * ratio h).
  { apply (Rmult_le_reg_r (IZR (snd h) * IZR (snd s))); [apply Rmult_lt_0_compat; assumption|].
    replace (ratio s * (IZR (snd h) * IZR (snd s))) with (IZR (fst s * snd h)) by (unfold ratio; rewrite mult_IZR; field; lra).
    replace (IZR top * ratio h * (IZR (snd h) * IZR (snd s))) with (IZR (top * fst h * snd s))
      by (unfold ratio; rewrite !mult_IZR; field; lra). apply IZR_le. assumption. }
  unfold loss, Rabs. destruct (Rcase_abs (x - ratio s / 2)), (Rcase_abs (x + ratio s / 2)); lra.
Qed.

(** Who sees in which interval an outcome lies runs the noise: [pieces_run]. Points go from right to left. *)
Fixpoint pieces (F G : R -> R) (x : R) (rest : list R) : experiment :=
  match rest with [] => [(F x, G x)] | y :: rest' => (F x - F y, G x - G y) :: pieces F G y rest' end.

Definition all_pieces (F G : R -> R) (x : R) (rest : list R) : experiment := (1 - F x, 1 - G x) :: pieces F G x rest.

Fixpoint descending (x : R) (rest : list R) : Prop :=
  match rest with [] => True | y :: rest' => y <= x /\ descending y rest' end.

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

Lemma shifted_total kind c eta : 0 < eta -> exists T, forall S, T <= S ->
  distribution (density kind) (- S + c) + (1 - distribution (density kind) (S + c)) <= eta.
Proof.
  intros Heta. destruct (distribution_total kind (eta / 2) ltac:(lra)) as (T & _ & HT). exists (T + Rabs c). intros S HS.
  assert (Hmono : forall x y, x <= y -> distribution (density kind) x <= distribution (density kind) y).
  { apply distribution_increasing; [intros; apply density_continuous|intros; apply Rlt_le, density_positive]. }
  pose proof (Rle_abs c). pose proof (Rle_abs (- c)) as Habs. rewrite Rabs_Ropp in Habs.
  replace (- S + c) with (- (S - c)) by ring.
  rewrite distribution_opp by (intros; apply density_continuous || apply density_even).
  pose proof (Hmono T (S - c) ltac:(lra)). pose proof (Hmono T (S + c) ltac:(lra)). lra.
Qed.

Lemma pieces_run kind s x rest : descending x rest ->
  valid (all_pieces (left_of_p kind s) (left_of_q kind s) x rest) /\
  noisy (density kind) s (all_pieces (left_of_p kind s) (left_of_q kind s) x rest).
Proof.
  intros H. assert (Hmono : forall c x y, x <= y -> distribution (density kind) (x + c) <= distribution (density kind) (y + c)).
  { intros. apply distribution_increasing; [intros; apply density_continuous|intros; apply Rlt_le, density_positive|lra]. }
  split.
  - apply pieces_valid; try (intros; apply distribution_within); [| |assumption]; intros; apply Hmono; assumption.
  - split.
    + apply pieces_dominated; try (intros; apply shifted_is || apply shifted_continuous || apply distribution_within); [|assumption].
      intros. apply shifted_total. assumption.
    + replace (swap _) with (all_pieces (left_of_q kind s) (left_of_p kind s) x rest)
        by (unfold all_pieces; rewrite <- swap_pieces; reflexivity).
      apply pieces_dominated; try (intros; apply shifted_is || apply shifted_continuous || apply distribution_within); [|assumption].
      intros. apply shifted_total. assumption.
Qed.
