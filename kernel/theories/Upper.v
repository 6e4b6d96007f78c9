(** The upper check. Steps become masses at losses, [Dots], compositions their products. Where [upper] answers true, the
    claim holds: [upper_sound].

    Hints, where an outcome goes, may be anything: they are checked. *)

Require Import Reals ZArith List Bool Lra Lia.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Experiments Composition Cells Densities Noise Rounding Mechanisms Polynomials Products Powers Intervals Dots.
Import ListNotations.
Open Scope R_scope.

(** Where outcomes go: of each outcome of a pair a cell and the P-masses at its two ends; of a guarantee its ε, in
    units of h; of noise points n/d, where losses are the lowest one, the next and so on or a little less, and the
    masses at both ends of each cell. *)
Inductive upper_hint :=
| Cells (start : Z) (rows : list (Z * (Z * Z)))
| Points (m : Z)
| Grid (low d : Z) (points : list Z) (parts : list (Z * Z)).

(** Bounds of (1 − δ)/(1 + y). *)
Definition share_up (delta : Z * Z) (x : Z) : Z :=
  rounded_quotient true ((snd delta - fst delta) * (one * one)) (snd delta * (one + x)).

(** What is known at a point, [edge_at] and [end_at]. *)
Definition mark := (edge * (Z * Z))%type.

(** Those of losses j, j + 1, ... *)
Fixpoint marks (h : Z * Z) (kind : noise) (s : Z * Z) (whole a b d j : Z) (points : list Z) : option (list mark) :=
  match points with
  | [] => Some []
  | n :: rest =>
      match edge_at kind s whole a b d n, end_at h kind s whole a b d j n, marks h kind s whole a b d (j + 1) rest with
      | Some e, Some r, Some l => Some ((e, r) :: l)
      | _, _, _ => None
      end
  end.

(** Lemma U of a cell between two points: masses at its two losses, with no less P-mass in all, rounded up, and no
    more Q-mass, rounded down. *)
Definition cell_fits (right left : mark) (u v : Z) : bool :=
  let '(e, r) := right in let '(e', r') := left in
  ((0 <=? u) && (0 <=? v) && (snd (fst e) - fst (fst e') <=? u + v)
   && (u * fst r + v * snd r' <=? (fst (snd e) - snd (snd e')) * one))%Z.

Fixpoint place_cells (l : list mark) (parts : list (Z * Z)) : option (list Z) :=
  match l, parts with
  | [_], [] => Some [0%Z]
  | m :: (m' :: _) as rest, (u, v) :: parts' =>
      match place_cells rest parts' with
      | Some A => if cell_fits m m' u v then Some (u :: plus Z.add [v] A) else None
      | None => None
      end
  | _, _ => None
  end.

(** What lies beyond the cells: to the right at the lowest loss; to the left at the greatest one, if Laplace noise has
    no greater one there, or at +∞. *)
Definition upper_noise (h : Z * Z) (kind : noise) (s : Z * Z) (whole a b low d : Z) (points : list Z) (parts : list (Z * Z))
    : option upper_bound :=
  match marks h kind s whole a b d low points with
  | Some ((e, r) :: rest) =>
      match place_cells ((e, r) :: rest) parts with
      | Some A =>
          let right := (one - fst (fst e))%Z in let left := snd (fst (fst (last rest (e, r)))) in
          let greatest := match kind with Laplace => 2 * last points 0 * snd s <=? - (fst s * d) | Gaussian => false end%Z in
          if sensible s whole a b && ((0 <? fst h) && (0 <? snd h) && (0 <? d) && (0 <=? right) && (0 <=? left))%Z
             && match points with n :: rest => falling n rest | [] => false end then
            Some {| start := low; lost := if greatest then 0 else left;
              masses := add_at 0%Z Z.add O right (if greatest then add_at 0%Z Z.add (length parts) left A else A) |}
          else None
      | None => None
      end
  | _ => None
  end.

Definition upper_step (h : Z * Z) (m : mechanism) (hint : upper_hint) : option upper_bound :=
  match m, hint with
  | Mixed kind s whole a b, Grid low d points parts => upper_noise h kind s whole a b low d points parts
  | _, _ =>
    if well_formed m then
      match m, hint with
      | Pair whole rows, Cells s hints =>
          match place h whole s (possible rows) hints with
          | Some A => Some {| start := s; masses := A; lost := rounded_quotient true (impossible rows * one) whole |}
          | None => None
          end
      | Private (n, d) delta, Points m =>
          match exp_bound false n d, exp_bound false (- n) d with
          | Some x, Some y =>
              if ((0 <? snd h) && (0 <=? m) && (0 <=? x) && (0 <=? y) && (n * snd h =? m * fst h * d))%Z then
                Some {| start := - m; lost := rounded_quotient true (fst delta * one) (snd delta);
                  masses := add_at 0%Z Z.add O (share_up delta x) (add_at 0%Z Z.add (Z.to_nat (2 * m)) (share_up delta y) []) |}
              else None
          | _, _ => None
          end
      | _, _ => None
      end
    else None
  end.

(** Σ a (1 − e^(ε − loss)): [p] and [w] are lower bounds of the first exponential and of what it falls by. *)
Fixpoint tail (w p : Z) (A : list Z) : Z :=
  match A with [] => 0 | a :: rest => a * (one - p) + tail w (rounded_quotient false (p * w) one) rest end%Z.

Definition upper (c : composition) (h : Z * Z) (cut : Z) (hints : list upper_hint) (epsilon delta : Z * Z) : bool :=
  let '(hn, hd) := h in let '(en, ed) := epsilon in let '(dn, dd) := delta in
  match composed (upper_times cut) upper_nothing (upper_step h) c hints with
  | None => false
  | Some X =>
      let skipped := Z.to_nat (en * hd / (hn * ed) + 1 - start X) in
      let first := (start X + Z.of_nat skipped)%Z in
      match exp_bound false (en * hd - first * hn * ed) (ed * hd), exp_bound false (- hn) hd with
      | Some p, Some w =>
          ((0 <? hn) && (0 <? hd) && (0 <? ed) && (0 <? dd) && (0 <=? p) && (0 <=? w)
           && ((Z.of_nat skipped =? 0) || ((first - 1) * hn * ed <=? en * hd)) && (en * hd <=? first * hn * ed)
           && ((lost X * one + tail w p (skipn skipped (masses X))) * dd <=? dn * (one * one)))%Z
      | _, _ => false
      end
  end.

Lemma share_up_is delta x y : (0 < snd delta)%Z -> ratio delta <= 1 -> (0 <= x)%Z -> IZR x <= scale * y ->
  (1 - ratio delta) * / (1 + y) <= IZR (share_up delta x) / scale.
Proof.
  destruct delta as [n d]. unfold ratio, share_up; simpl. intros Hd Hdelta Hx Hy. pose proof scale_pos as Hs. pose proof one_pos as Ho.
  pose proof (quotient_ordered true ((d - n) * (one * one)) (d * (one + x)) ltac:(nia)) as H. unfold ordered in H.
  rewrite !mult_IZR, plus_IZR, minus_IZR in H. change (IZR one) with scale in H. apply IZR_le in Hx. apply IZR_lt in Hd.
  apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv at 2. rewrite (Rmult_assoc (IZR _)), Rinv_l, Rmult_1_r by lra.
  eapply Rle_trans; [|exact H]. assert (0 <= y) by (apply (Rmult_le_reg_l scale); lra).
  replace ((1 - IZR n / IZR d) * / (1 + y) * scale) with ((1 - IZR n / IZR d) * (scale * scale * / (scale + scale * y)))
    by (field; repeat split; nra).
  replace ((IZR d - IZR n) * (scale * scale) / (IZR d * (scale + IZR x)))
    with ((1 - IZR n / IZR d) * (scale * scale * / (scale + IZR x))) by (field; repeat split; nra).
  apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; lra.
Qed.

Lemma share_up_nonneg delta x : (0 < snd delta)%Z -> ratio delta <= 1 -> (0 <= x)%Z -> (0 <= share_up delta x)%Z.
Proof.
  destruct delta as [n d]. unfold ratio, share_up; simpl. intros Hd Hdelta Hx. pose proof one_pos as Ho.
  assert (n <= d)%Z.
  { apply le_IZR. apply IZR_lt in Hd. apply (Rmult_le_compat_r (IZR d)) in Hdelta; [|lra].
    unfold Rdiv in Hdelta. rewrite Rmult_assoc, Rinv_l in Hdelta; lra. }
  apply quotient_nonneg; [nia|]. apply Z.mul_nonneg_nonneg; nia.
Qed.

Lemma private_holds h m epsilon delta x y : (0 <= m)%Z -> (0 <= x)%Z -> (0 <= y)%Z -> (0 < snd delta)%Z ->
  well_formed (Private epsilon delta) = true -> ratio epsilon = IZR m * h ->
  IZR x <= scale * exp (ratio epsilon) -> IZR y <= scale * exp (- ratio epsilon) ->
  upper_holds h (pair (Private epsilon delta))
    {| start := - m; lost := rounded_quotient true (fst delta * one) (snd delta);
       masses := add_at 0%Z Z.add O (share_up delta x) (add_at 0%Z Z.add (Z.to_nat (2 * m)) (share_up delta y) []) |}.
Proof.
  intros Hm Hx Hy Hd Hwell Hloss HX HY. pose proof scale_pos as Hs. pose proof one_pos as Ho.
  split; [apply (pair_is_pair _ Hwell)|]. destruct (well_formed_private _ _ Hwell) as [_ [Hd0 Hd1]].
  assert (HA : nonneg (add_at 0%Z Z.add O (share_up delta x) (add_at 0%Z Z.add (Z.to_nat (2 * m)) (share_up delta y) [])))
    by (apply nonneg_add_at; [|apply nonneg_add_at; [|constructor]]; apply share_up_nonneg; assumption).
  assert (Hlost : ratio delta <= IZR (rounded_quotient true (fst delta * one) (snd delta)) / scale).
  { pose proof (quotient_ordered true (fst delta * one) (snd delta) Hd) as H. unfold ordered in H. rewrite mult_IZR in H.
    change (IZR one) with scale in H. apply IZR_lt in Hd. apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv at 1.
    rewrite (Rmult_assoc (IZR (rounded_quotient _ _ _))), Rinv_l, Rmult_1_r by lra. unfold ratio, Rdiv in *. lra. }
  split; [assumption|]. split.
  { simpl. apply le_IZR. apply (Rmult_le_reg_r (/ scale)); [apply Rinv_0_lt_compat; assumption|]. unfold Rdiv in Hlost. lra. }
  intros a b Ha Hb. unfold told. rewrite excess_cons_apart, excess_dots by (assumption || (simpl; lra)).
  cbn [start masses lost].
  rewrite !value_add_at, Z2Nat.id by lia. simpl value. rewrite Z.add_0_r.
  replace (- m + 2 * m)%Z with m by ring.
  apply (share_up_is delta x) in HX; [|assumption|assumption|assumption].
  apply (share_up_is delta y) in HY; [|assumption|assumption|assumption].
  simpl pair. unfold leaky_response, excess. simpl total. set (t := exp (ratio epsilon)) in *.
  assert (Ht : 0 < t) by apply exp_pos. rewrite exp_Ropp in HY. fold t in HY.
  assert (Hlow : dot h a b (- m) = Rmax 0 (a - b * t)).
  { unfold dot. rewrite opp_IZR. replace (- (- IZR m * h)) with (ratio epsilon) by lra. reflexivity. }
  assert (Hhigh : dot h a b m = Rmax 0 (a - b * / t)).
  { unfold dot. rewrite <- Hloss, exp_Ropp. reflexivity. }
  rewrite Hlow, Hhigh. set (d := ratio delta) in *.
  assert (H1 : 0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra).
  assert (H2 : 0 < / t) by (apply Rinv_0_lt_compat; lra).
  assert (H3 : 0 < / (1 + / t)) by (apply Rinv_0_lt_compat; lra).
  replace ((1 - d) * (t / (1 + t)), (1 - d) * (1 / (1 + t))) with ((1 - d) * / (1 + / t), (1 - d) * / (1 + / t) * / t)
    by (f_equal; field; lra).
  replace ((1 - d) * (1 / (1 + t)), (1 - d) * (t / (1 + t))) with ((1 - d) * / (1 + t), (1 - d) * / (1 + t) * t)
    by (f_equal; field; lra).
  rewrite !gain_of_mass by (apply Rmult_le_pos; lra).
  assert (gain a b (d, 0) = a * d) as ->.
  { unfold gain; simpl. pose proof (Rmult_le_pos _ _ Ha Hd0). rewrite Rmax_right; lra. }
  assert (gain a b (0, d) = 0) as ->.
  { unfold gain; simpl. pose proof (Rmult_le_pos _ _ Hb Hd0). apply Rmax_left; lra. }
  pose proof (Rmult_le_compat_l _ _ _ Ha Hlost).
  pose proof (Rmult_le_compat_r _ _ _ (Rmax_l 0 (a - b * t)) HX).
  pose proof (Rmult_le_compat_r _ _ _ (Rmax_l 0 (a - b * / t)) HY). unfold Rdiv in *. lra.
Qed.

Lemma pair_holds h whole rows s hints A : well_formed (Pair whole rows) = true ->
  place h whole s (possible rows) hints = Some A ->
  upper_holds (ratio h) (pair (Pair whole rows))
    {| start := s; masses := A; lost := rounded_quotient true (impossible rows * one) whole |}.
Proof.
  intros Hwell HA. destruct (pair_is_pair _ Hwell) as [HV _]. apply well_formed_pair in Hwell. pose proof Hwell as (Hw & Hrows & _).
  destruct (place_bounds _ _ _ Hw _ _ _ HA) as [HnA Hbound]. pose proof (impossible_nonneg _ Hrows) as Hi.
  assert (Hl : (0 <= rounded_quotient true (impossible rows * one) whole)%Z)
    by (apply quotient_nonneg; [assumption|]; pose proof one_pos; nia).
  split; [assumption|]. split; [assumption|]. split; [assumption|]. intros a b Ha Hb.
  rewrite excess_told, excess_possible by assumption. simpl. specialize (Hbound a b Ha Hb).
  enough (a * (IZR (impossible rows) / IZR whole) <= a * (IZR (rounded_quotient true (impossible rows * one) whole) / scale)) by lra.
  apply Rmult_le_compat_l; [assumption|].
  pose proof (quotient_ordered true (impossible rows * one) whole Hw) as H. unfold ordered in H. rewrite mult_IZR in H.
  change (IZR one) with scale in H. pose proof scale_pos as Hs. apply (Rmult_le_reg_r scale); [assumption|].
  unfold Rdiv at 2. rewrite (Rmult_assoc (IZR (rounded_quotient _ _ _))), Rinv_l, Rmult_1_r by lra. unfold Rdiv in *. lra.
Qed.

Lemma pair_covers m : well_formed m = true -> covers m (pair m).
Proof.
  intros Hm. split; [apply (pair_is_pair m Hm)|]. intros L. apply runs_dominated.
  destruct m as [|epsilon delta|]; [trivial| |discriminate]. apply well_formed_private. assumption.
Qed.

Lemma last_of_cons {T} : forall (l : list T) m x, last (m :: l) x = last l m.
Proof.
  induction l as [|k l IH]; intros m x; [reflexivity|]. change (last (k :: l) x = last (k :: l) m). rewrite !IH. reflexivity.
Qed.

Section Noise.
  Variables (h : Z * Z) (kind : noise) (s : Z * Z) (whole a b d : Z).
  Hypotheses (Hsensible : sensible s whole a b = true) (Hh : (0 < fst h)%Z) (Hh' : (0 < snd h)%Z) (Hd : (0 < d)%Z).
  Let f := mixture kind s whole a.
  Let g := mixture kind s whole b.
  Let F := left_of kind s whole a.
  Let G := left_of kind s whole b.
  Let at_point (n : Z) := IZR n / IZR d.

  Fixpoint marks_hold (j : Z) (points : list Z) (l : list mark) : Prop :=
    match points, l with
    | [], [] => True
    | n :: points', (e, r) :: l' =>
        edge_holds kind s whole a b (at_point n) e /\ end_holds kind s whole a b (IZR j * ratio h) (at_point n) r
        /\ marks_hold (j + 1) points' l'
    | _, _ => False
    end.

  Lemma marks_are_right : forall points j l, marks h kind s whole a b d j points = Some l -> marks_hold j points l.
  Proof.
    induction points as [|n points IH]; intros j l; simpl; [intros E; apply some_equal in E; subst; exact I|].
    destruct (edge_at kind s whole a b d n) as [e|] eqn:He; [|discriminate].
    destruct (end_at h kind s whole a b d j n) as [r|] eqn:Hr; [|discriminate].
    destruct (marks h kind s whole a b d (j + 1) points) as [l'|] eqn:Hl; [|discriminate].
    intros E. apply some_equal in E. subst l. simpl. split; [apply edge_at_holds; assumption|].
    split; [apply end_at_holds; assumption|]. apply IH. assumption.
  Qed.

  Let F_is : forall x, is_derive F x (f x).
  Proof. apply mixture_is. Qed.
  Let G_is : forall x, is_derive G x (g x).
  Proof. apply mixture_is. Qed.
  Let Cf : forall x, continuous f x.
  Proof. apply mixture_continuous. Qed.
  Let Cg : forall x, continuous g x.
  Proof. apply mixture_continuous. Qed.
  Let f_nonneg : forall x, 0 <= f x.
  Proof. apply (mixture_nonneg kind s whole a b Hsensible). auto. Qed.
  Let g_nonneg : forall x, 0 <= g x.
  Proof. apply (mixture_nonneg kind s whole a b Hsensible). auto. Qed.

  Lemma ratio_positive : 0 < ratio h.
  Proof. apply IZR_lt in Hh, Hh'. apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; assumption. Qed.

  Lemma of_units z x y : scale * x <= IZR z -> IZR y <= scale * x -> x <= IZR z / scale /\ IZR y / scale <= x.
  Proof.
    pose proof scale_pos. intros H1 H2. split; apply (Rmult_le_reg_l scale); try assumption.
    - replace (scale * (IZR z / scale)) with (IZR z) by (field; lra). assumption.
    - replace (scale * (IZR y / scale)) with (IZR y) by (field; lra). assumption.
  Qed.

  Lemma integral_of_cells : forall points n j l parts A, falling n points = true -> marks_hold j (n :: points) l ->
    place_cells l parts = Some A -> nonneg A /\ length parts = length points /\ forall x y, 0 <= x -> 0 <= y ->
      integral f g x y (at_point (last points n)) (at_point n) <= value (dot (ratio h) x y) j A / scale.
  Proof.
    pose proof scale_pos as Hsc. pose proof ratio_positive as Hr.
    induction points as [|n' points IH]; intros n j [|[e r] l] parts A Hfalling Hold; try contradiction; destruct Hold as (He & Hend & Hold).
    - destruct l; [|contradiction]. destruct parts; [|discriminate]. intros E. apply some_equal in E. subst A.
      split; [repeat constructor; lia|]. split; [reflexivity|]. intros x y _ _. unfold integral.
      cbn [last]. rewrite (RInt_point (V := R_CompleteNormedModule)). unfold zero; simpl. lra.
    - destruct l as [|[e' r'] l]; [contradiction|]. simpl in Hfalling. rewrite andb_true_iff, Z.leb_le in Hfalling.
      destruct Hfalling as [Hnn Hfalling]. destruct parts as [|[u v] parts]; [discriminate|].
      change (match place_cells ((e', r') :: l) parts with
        | Some A => if cell_fits (e, r) (e', r') u v then Some (u :: plus Z.add [v] A) else None
        | None => None
        end = Some A -> nonneg A /\ length ((u, v) :: parts) = length (n' :: points) /\ forall x y, 0 <= x -> 0 <= y ->
          integral f g x y (at_point (last (n' :: points) n)) (at_point n) <= value (dot (ratio h) x y) j A / scale).
      destruct (place_cells ((e', r') :: l) parts) as [B|] eqn:HB; [|discriminate].
      destruct (IH n' (j + 1)%Z _ parts B Hfalling Hold HB) as (HnB & Hlength & Hrest).
      destruct (cell_fits _ _ _ _) eqn:Hok; [|discriminate]. unfold cell_fits in Hok.
      rewrite !andb_true_iff, !Z.leb_le in Hok. destruct Hok as [[[Hu Hv] HP] HQ]. intros E. apply some_equal in E. subst A.
      split; [constructor; [assumption|apply nonneg_plus; [repeat constructor|]; assumption]|].
      split; [cbn [length]; lia|]. intros x y Hx Hy. specialize (Hrest x y Hx Hy).
      rewrite last_of_cons, (integral_split f g Cf Cg x y _ (at_point n')). cbn [value]. rewrite value_plus. cbn [value].
      destruct He as [[He1 He2] [He3 He4]], Hend as (Hless & Hmore & HX & HY).
      destruct Hold as ([[He5 He6] [He7 He8]] & (Hless' & Hmore' & HX' & HY') & _).
      assert (Hcell : integral f g x y (at_point n') (at_point n)
        <= IZR u / scale * Rmax 0 (x - y * (IZR (fst r) / scale)) + IZR v / scale * Rmax 0 (x - y * exp (- (IZR (j + 1) * ratio h)))).
      { assert (Hnn' : at_point n' <= at_point n)
          by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, IZR_lt; assumption|apply IZR_le; assumption]).
        apply (cell_raises f g F G F_is G_is Cf Cg f_nonneg); try assumption; try (apply mass_nonneg; assumption).
        - eapply Rle_trans; [apply Rlt_le, exp_pos|exact HX].
        - eapply Rlt_le_trans; [|exact HX]. apply exp_increasing. rewrite plus_IZR. lra.
        - intros z Hz. split.
          + apply Hless'. apply (loss_decreasing kind s whole a b Hsensible). lra.
          + apply Hmore. apply (loss_decreasing kind s whole a b Hsensible). lra.
        - destruct (of_units _ _ _ He2 He1) as [HFn _]. destruct (of_units _ _ _ He6 He5) as [_ HFn'].
          apply IZR_le in HP. rewrite minus_IZR, plus_IZR in HP. apply (Rmult_le_compat_r (/ scale)) in HP;
            [|apply Rlt_le, Rinv_0_lt_compat; assumption]. unfold F, Rdiv in *. lra.
        - destruct (of_units _ _ _ He4 He3) as [_ HGn]. destruct (of_units _ _ _ He8 He7) as [HGn' _].
          apply IZR_le in HQ, Hv. rewrite plus_IZR, !mult_IZR, minus_IZR in HQ. change (IZR one) with scale in HQ.
          pose proof (Rmult_le_compat_l _ _ _ Hv HY') as H. apply (Rmult_le_reg_r (scale * scale)); [apply Rmult_lt_0_compat; assumption|].
          replace ((IZR u / scale * (IZR (fst r) / scale) + IZR v / scale * exp (- (IZR (j + 1) * ratio h))) * (scale * scale))
            with (IZR u * IZR (fst r) + IZR v * (scale * exp (- (IZR (j + 1) * ratio h)))) by (field; lra).
          apply (Rle_trans _ ((IZR (fst (snd e)) - IZR (snd (snd e'))) * scale)); [lra|].
          rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
          apply (Rle_trans _ ((IZR (fst (snd e)) / scale - IZR (snd (snd e')) / scale) * scale)); [apply Req_le; field; lra|].
          apply Rmult_le_compat_r; [lra|]. unfold G. lra. }
      assert (Hraised : Rmax 0 (x - y * (IZR (fst r) / scale)) <= dot (ratio h) x y j).
      { apply Rle_max_compat_l. pose proof (Rmult_le_compat_l _ _ _ Hy HX). lra. }
      pose proof (Rmult_le_compat_l _ _ _ (mass_nonneg u Hu) Hraised). unfold dot in *. unfold Rdiv in *. lra.
  Qed.

  (** A tail as P-mass at a loss that is the greatest there. *)
  Lemma tail_raises a' b' x y l : 0 <= a' -> 0 <= b' -> x <= y -> (forall z, x < z < y -> exp (- l) * f z <= g z) ->
    integral f g a' b' x y <= (F y - F x) * Rmax 0 (a' - b' * exp (- l)).
  Proof.
    intros Ha Hb Hxy Hloss. set (c := Rmax 0 (a' - b' * exp (- l))).
    assert (Hc : 0 <= c) by apply Rmax_l. assert (Hc' : a' - b' * exp (- l) <= c) by apply Rmax_r.
    rewrite Rmult_comm, <- (Rplus_0_r (c * _)). replace 0 with (0 * (G y - G x)) by ring.
    apply (integral_at_most f g F G F_is G_is Cf Cg); [assumption|]. intros z Hz. specialize (Hloss z Hz).
    pose proof (Rmult_le_compat_l _ _ _ Hb Hloss). pose proof (Rmult_le_compat_r _ _ _ (f_nonneg z) Hc').
    pose proof (Rmult_le_pos _ _ Hc (f_nonneg z)). apply Rmax_lub; lra.
  Qed.

  Lemma last_mark : forall points n j m l, marks_hold j (n :: points) (m :: l) ->
    edge_holds kind s whole a b (at_point (last points n)) (fst (last l m)) /\
    end_holds kind s whole a b (IZR (j + Z.of_nat (length points)) * ratio h) (at_point (last points n)) (snd (last l m)).
  Proof.
    induction points as [|n' points IH]; intros n j [e r] [|[e' r'] l] (He & Hr & Hold); try contradiction.
    - rewrite Z.add_0_r. split; assumption.
    - specialize (IH n' (j + 1)%Z (e', r') l Hold). cbn [length]. rewrite Nat2Z.inj_succ, !last_of_cons.
      replace (j + Z.succ (Z.of_nat (length points)))%Z with (j + 1 + Z.of_nat (length points))%Z by lia. exact IH.
  Qed.

  Lemma upper_of_noise low points parts X : upper_noise h kind s whole a b low d points parts = Some X ->
    exists D, covers (Mixed kind s whole a b) D /\ upper_holds (ratio h) D X.
  Proof.
    unfold upper_noise. destruct (marks h kind s whole a b d low points) as [[|[e r] rest]|] eqn:Hmarks; [discriminate| |discriminate].
    apply marks_are_right in Hmarks. destruct points as [|n points]; [contradiction|].
    destruct (place_cells _ parts) as [A|] eqn:HA; [|discriminate]. set (greatest := match kind with Laplace => _ | Gaussian => _ end).
    destruct (_ && _) eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le in Hok.
    destruct Hok as [[_ [[_ Hright] Hleft]] Hfalling]. intros E. apply some_equal in E.
    pose proof scale_pos as Hsc. pose proof ratio_positive as Hr.
    destruct (integral_of_cells points n low _ parts A Hfalling Hmarks HA) as (HnA & Hlength & Hcells).
    pose proof (last_mark _ _ _ _ _ Hmarks) as [Hlast Hlastend]. destruct Hmarks as (He & Hend & _).
    set (x := at_point n) in *. set (t := last points n) in *. set (y := at_point t) in *.
    set (left := snd (fst (fst (last rest (e, r))))) in *. set (right := (one - fst (fst e))%Z) in *.
    assert (Hsane : nonneg (masses X) /\ (0 <= lost X)%Z).
    { subst X. cbn [masses lost]. destruct greatest; (split; [|assumption || lia]); repeat apply nonneg_add_at; assumption. }
    destruct Hsane as [HnX HlX].
    exists (told (ratio h) X). split; [|split; [apply valid_told; assumption|repeat split; try assumption; intros ? ? _ _; apply Rle_refl]].
    split; [apply valid_told; assumption|]. intros L [_ [HL _]] e' He'. apply le_epsilon. intros eta Heta.
    destruct (HL e' eta He' Heta) as (T & HT & HLT). eapply Rle_trans; [exact HLT|]. apply Rplus_le_compat_r.
    replace (RInt _ (- T) T) with (integral f g 1 e' (- T) T)
      by (apply (RInt_ext (V := R_CompleteNormedModule)); intros; rewrite Rmult_1_l; reflexivity).
    set (T' := Rmax T (Rmax (- y) x)).
    assert (HT' : T <= T' /\ - T' <= y /\ x <= T').
    { pose proof (Rmax_l T (Rmax (- y) x)). pose proof (Rmax_r T (Rmax (- y) x)).
      pose proof (Rmax_l (- y) x). pose proof (Rmax_r (- y) x). fold T' in H, H0. lra. }
    destruct HT' as (HT1 & HT2 & HT3).
    apply (Rle_trans _ (integral f g 1 e' (- T') T')).
    { rewrite (integral_split f g Cf Cg 1 e' (- T') (- T) T'), (integral_split f g Cf Cg 1 e' (- T) T T').
      pose proof (integral_nonneg f g Cf Cg 1 e' (- T') (- T) ltac:(lra)). pose proof (integral_nonneg f g Cf Cg 1 e' T T' ltac:(lra)). lra. }
    rewrite (integral_split f g Cf Cg 1 e' (- T') y T'), (integral_split f g Cf Cg 1 e' y x T').
    specialize (Hcells 1 e' ltac:(lra) He'). unfold hockey_stick. rewrite excess_told by (assumption || lra).
    assert (Hwithin : forall z, 0 <= F z <= 1) by (apply (left_of_within kind s whole a b Hsensible); auto).
    assert (Hright' : integral f g 1 e' x T' <= IZR right / scale * dot (ratio h) 1 e' low).
    { eapply Rle_trans; [apply (tail_raises 1 e' x T' (IZR low * ratio h)); try lra|].
      - intros z Hz. apply Hend. apply (loss_decreasing kind s whole a b Hsensible). lra.
      - apply Rmult_le_compat_r; [apply dot_nonneg|]. destruct He as [[He _] _]. unfold right. rewrite minus_IZR.
        change (IZR one) with scale. apply (Rmult_le_reg_l scale); [assumption|].
        replace (scale * ((scale - IZR (fst (fst e))) / scale)) with (scale - IZR (fst (fst e))) by (field; lra).
        pose proof (Rmult_le_compat_l scale _ _ (Rlt_le _ _ Hsc) (proj2 (Hwithin T'))). fold F x in He. lra. }
    assert (Hl : F y - F (- T') <= IZR left / scale).
    { destruct Hlast as [[_ Hlast] _]. apply (Rmult_le_reg_l scale); [assumption|].
      replace (scale * (IZR left / scale)) with (IZR left) by (field; lra).
      pose proof (Rmult_le_compat_l scale _ _ (Rlt_le _ _ Hsc) (proj1 (Hwithin (- T')))). fold F left in Hlast. lra. }
    subst X. cbn [masses lost start] in *. rewrite value_add_at, Z.add_0_r. destruct greatest eqn:Hgreatest.
    - rewrite value_add_at, Hlength.
      assert (Hleft' : integral f g 1 e' (- T') y <= IZR left / scale * dot (ratio h) 1 e' (low + Z.of_nat (length points))).
      { eapply Rle_trans; [apply (tail_raises 1 e' (- T') y (IZR (low + Z.of_nat (length points)) * ratio h)); try lra|].
        - intros z Hz. apply Hlastend. unfold greatest in Hgreatest. destruct kind; [|discriminate]. apply Z.leb_le in Hgreatest.
          destruct (sensible_is s whole a b Hsensible) as (Hs & Hs' & _). unfold loss.
          assert (Hy : y <= - (ratio s / 2)).
          { rewrite last_of_cons in Hgreatest. fold t in Hgreatest. apply IZR_le in Hgreatest. rewrite opp_IZR, !mult_IZR in Hgreatest.
            pose proof (IZR_lt _ _ Hs'). pose proof (IZR_lt _ _ Hd).
            apply (Rmult_le_reg_r (2 * IZR d * IZR (snd s))); [repeat apply Rmult_lt_0_compat; lra|].
            unfold y, at_point, ratio. replace (IZR t / IZR d * (2 * IZR d * IZR (snd s))) with (2 * IZR t * IZR (snd s)) by (field; lra).
            replace (- (IZR (fst s) / IZR (snd s) / 2) * (2 * IZR d * IZR (snd s))) with (- (IZR (fst s) * IZR d)) by (field; lra).
            assumption. }
          unfold Rabs. destruct (Rcase_abs (y - ratio s / 2)), (Rcase_abs (y + ratio s / 2)), (Rcase_abs (z - ratio s / 2)),
            (Rcase_abs (z + ratio s / 2)); lra.
        - apply Rmult_le_compat_r; [apply dot_nonneg|assumption]. }
      unfold Rdiv in *. lra.
    - assert (Hleft' : integral f g 1 e' (- T') y <= IZR left / scale).
      { eapply Rle_trans; [apply (integral_at_most f g F G F_is G_is Cf Cg) with (c := 1) (d := 0)|]; try lra.
        intros z _. pose proof (f_nonneg z). pose proof (Rmult_le_pos _ _ He' (g_nonneg z)). apply Rmax_lub; lra. }
      unfold Rdiv in *. lra.
  Qed.
End Noise.

Lemma upper_of_step h m hint X : upper_step h m hint = Some X -> exists D, covers m D /\ upper_holds (ratio h) D X.
Proof.
  intros E. assert (Hfinite : (exists kind s whole a b low d points parts,
    m = Mixed kind s whole a b /\ hint = Grid low d points parts) \/ well_formed m = true).
  { unfold upper_step in E. destruct m, hint; try (left; repeat eexists; fail);
      right; destruct (well_formed _) eqn:Hm; (reflexivity || discriminate). }
  destruct Hfinite as [(kind & s & whole & a & b & low & d & points & parts & -> & ->)|Hm].
  { change (upper_noise h kind s whole a b low d points parts = Some X) in E. pose proof E as E'. unfold upper_noise in E'.
    destruct (marks _ _ _ _ _ _ _ _ _) as [[|[e r] rest]|]; [discriminate| |discriminate].
    destruct (place_cells _ _); [|discriminate]. destruct (_ && _) eqn:Hok; [|discriminate]. clear E'.
    rewrite !andb_true_iff, !Z.ltb_lt in Hok. destruct Hok as [[Hs [[[[H1 H2] H3] _] _]] _].
    apply upper_of_noise in E; assumption. }
  exists (pair m). split; [apply pair_covers; assumption|]. revert E. unfold upper_step. rewrite Hm.
  destruct m as [whole rows|[n d] delta|kind gap whole a b], hint as [s hints|i|low den points parts]; try discriminate.
  - destruct (place h whole s (possible rows) hints) as [A|] eqn:HA; [|discriminate].
    intros E. apply some_equal in E. subst X. apply (pair_holds _ _ _ _ hints); assumption.
  - destruct (exp_bound false n d) as [x|] eqn:Hx; [|discriminate].
    destruct (exp_bound false (- n) d) as [y|] eqn:Hy; [|discriminate].
    destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, Z.ltb_lt, !Z.leb_le, Z.eqb_eq in Hok.
    destruct Hok as [[[[Hh H1] H2] H3] H4]. intros E. apply some_equal in E. subst X.
    apply exp_bound_ordered in Hx, Hy. simpl in Hx, Hy.
    replace (IZR (- n) / IZR d) with (- ratio (n, d)) in Hy by (unfold ratio; simpl; rewrite opp_IZR; unfold Rdiv; ring).
    pose proof Hm as Hsense. destruct delta as [n' d']. simpl in Hsense. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in Hsense.
    destruct Hsense as [[[[Hn Hd] _] Hd'] _]. apply private_holds; try assumption. apply IZR_lt in Hh, Hd.
    apply (f_equal IZR) in H4. rewrite !mult_IZR in H4. unfold ratio; simpl.
    apply (Rmult_eq_reg_r (IZR d * IZR (snd h))); [|apply Rgt_not_eq, Rmult_lt_0_compat; assumption].
    replace (IZR n / IZR d * (IZR d * IZR (snd h))) with (IZR n * IZR (snd h)) by (field; lra).
    rewrite H4. field. lra.
Qed.

Lemma value_skip f n : forall A s, (forall j, (j < s + Z.of_nat n)%Z -> f j = 0) ->
  value f s A = value f (s + Z.of_nat n) (skipn n A).
Proof.
  induction n as [|n IH]; intros A s H; [rewrite Z.add_0_r; reflexivity|].
  destruct A as [|a A]; [reflexivity|]. change (IZR a * f s + value f (s + 1) A = value f (s + Z.of_nat (S n)) (skipn n A)).
  rewrite H by lia. rewrite IH.
  - replace (s + 1 + Z.of_nat n)%Z with (s + Z.of_nat (S n))%Z by lia. lra.
  - intros j Hj. apply H. lia.
Qed.

Lemma tail_bounds h e w : 0 <= h -> (0 <= w)%Z -> IZR w <= scale * exp (- h) -> forall A j p, nonneg A -> (0 <= p)%Z ->
  IZR p <= scale * (e * exp (- (IZR j * h))) -> 0 <= e * exp (- (IZR j * h)) <= 1 ->
  value (dot h 1 e) j A * scale <= IZR (tail w p A).
Proof.
  intros Hh Hw Hw'. pose proof scale_pos as Hs. intros A. induction A as [|a A IH]; intros j p HA Hp Hp' Hone; simpl; [lra|].
  inversion HA as [|? ? Ha HA']; subst. rewrite plus_IZR, mult_IZR, minus_IZR. change (IZR one) with scale.
  assert (Hnext : e * exp (- (IZR (j + 1) * h)) = e * exp (- (IZR j * h)) * exp (- h)).
  { rewrite Rmult_assoc, <- exp_plus. do 2 f_equal. rewrite plus_IZR. ring. }
  assert (Hsmall : 0 < exp (- h) <= 1).
  { split; [apply exp_pos|]. rewrite <- exp_0. destruct Hh as [Hh|<-]; [|rewrite Ropp_0; lra].
    apply Rlt_le, exp_increasing. lra. }
  apply IZR_le in Ha. set (x := e * exp (- (IZR j * h))) in *.
  assert (Hdot : dot h 1 e j = 1 - x) by (unfold dot; fold x; apply Rmax_right; lra).
  assert (Hrest : value (dot h 1 e) (j + 1) A * scale <= IZR (tail w (rounded_quotient false (p * w) one) A)).
  { apply IH; [assumption| | |].
    - apply quotient_nonneg; [apply one_pos|]. apply Z.mul_nonneg_nonneg; assumption.
    - pose proof (quotient_ordered false (p * w) one one_pos) as H. unfold ordered in H. rewrite mult_IZR in H.
      change (IZR one) with scale in H. eapply Rle_trans; [exact H|]. rewrite Hnext.
      apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply IZR_le in Hp, Hw. pose proof (Rmult_le_compat _ _ _ _ Hp Hw Hp' Hw'). lra.
    - rewrite Hnext. nra. }
  rewrite Hdot. pose proof (Rmult_le_compat_l _ _ _ Ha Hp'). lra.
Qed.

Theorem upper_sound c h cut hints epsilon delta : upper c h cut hints epsilon delta = true ->
  remove_claim c (ratio epsilon) (ratio delta).
Proof.
  destruct h as [hn hd], epsilon as [en ed], delta as [dn dd]. unfold upper.
  destruct (composed (upper_times cut) upper_nothing (upper_step (hn, hd)) c hints) as [X|] eqn:HX; [|discriminate].
  set (skipped := Z.to_nat _). set (first := (start X + Z.of_nat skipped)%Z). cbv zeta.
  destruct (exp_bound false (en * hd - first * hn * ed) (ed * hd)) as [p|] eqn:Hp; [|discriminate].
  destruct (exp_bound false (- hn) hd) as [w|] eqn:Hw; [|discriminate].
  rewrite !andb_true_iff, orb_true_iff, !Z.ltb_lt, !Z.leb_le, Z.eqb_eq.
  intros [[[[[[[[Hhn Hhd] Hed] Hdd] Hp0] Hw0] Hbefore] Hfirst] Hdelta].
  apply exp_bound_ordered in Hp, Hw. simpl in Hp, Hw.
  set (h := ratio (hn, hd)) in *. set (e := exp (ratio (en, ed))).
  pose proof (IZR_lt _ _ Hhn) as Hhn'. pose proof (IZR_lt _ _ Hhd) as Hhd'. pose proof (IZR_lt _ _ Hed) as Hed'.
  pose proof (IZR_lt _ _ Hdd) as Hdd'. pose proof scale_pos as Hs. assert (He : 0 < e) by apply exp_pos.
  assert (Hh : 0 < h) by (apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; assumption).
  apply (composed_holds _ _ _ covers (upper_holds h)) in HX;
    [|intros; apply upper_product; auto; lra|apply upper_of_nothing|apply upper_of_step].
  destruct HX as (Ds & Hcovers & VD & HA & Hl & HD). apply (claim_from_above _ Ds); [assumption|].
  assert (Hcommon : 0 < IZR ed * IZR hd) by (apply Rmult_lt_0_compat; assumption).
  assert (Heps : ratio (en, ed) * (IZR ed * IZR hd) = IZR (en * hd)) by (unfold ratio; simpl; rewrite mult_IZR; field; lra).
  assert (Hat : forall j, IZR j * h * (IZR ed * IZR hd) = IZR (j * hn * ed))
    by (intros j; unfold h, ratio; simpl; rewrite !mult_IZR; field; lra).
  assert (Hexp : forall j, e * exp (- (IZR j * h)) = exp (ratio (en, ed) - IZR j * h))
    by (intros j; unfold e; rewrite <- exp_plus; f_equal; ring).
  assert (Hskip : value (dot h 1 e) (start X) (masses X) = value (dot h 1 e) first (skipn skipped (masses X))).
  { destruct Hbefore as [Hnone|Hbefore].
    - unfold first. destruct skipped; [rewrite Z.add_0_r; reflexivity|discriminate].
    - apply value_skip. intros j Hj. apply Rmax_left. rewrite Hexp.
      assert (0 <= ratio (en, ed) - IZR j * h).
      { apply (Rmult_le_reg_r (IZR ed * IZR hd)); [assumption|]. rewrite Rmult_0_l, Rmult_minus_distr_r, Heps, Hat.
        rewrite <- minus_IZR. apply IZR_le. assert (j * (hn * ed) <= (first - 1) * (hn * ed))%Z; [|lia].
        apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg; lia|]. fold first in Hj. lia. }
      pose proof (exp_ineq1_le (ratio (en, ed) - IZR j * h)). lra. }
  assert (Htail : value (dot h 1 e) first (skipn skipped (masses X)) * scale <= IZR (tail w p (skipn skipped (masses X)))).
  { apply (tail_bounds h e w); try assumption; [lra| | | |].
    - replace (- h) with (IZR (- hn) / IZR hd); [assumption|]. unfold h, ratio; simpl. rewrite opp_IZR. unfold Rdiv. ring.
    - clear -HA. revert HA. generalize (masses X). induction skipped as [|n IH]; intros A HA; [assumption|].
      destruct HA; [constructor|]. apply IH. assumption.
    - rewrite Hexp. replace (ratio (en, ed) - IZR first * h) with (IZR (en * hd - first * hn * ed) / IZR (ed * hd));
        [assumption|].
      apply (Rmult_eq_reg_r (IZR ed * IZR hd)); [|lra]. rewrite Rmult_minus_distr_r, Heps, Hat, minus_IZR, (mult_IZR ed).
      field. lra.
    - rewrite Hexp. split; [apply Rlt_le, exp_pos|]. rewrite <- exp_0.
      assert (ratio (en, ed) - IZR first * h <= 0).
      { apply (Rmult_le_reg_r (IZR ed * IZR hd)); [assumption|]. rewrite Rmult_0_l, Rmult_minus_distr_r, Heps, Hat.
        rewrite <- minus_IZR. apply IZR_le. lia. }
      destruct (Rle_lt_or_eq_dec _ _ H) as [Hless| ->]; [apply Rlt_le, exp_increasing; assumption|apply Rle_refl]. }
  change (exp (ratio (en, ed))) with e. unfold hockey_stick. eapply Rle_trans; [apply HD; lra|].
  rewrite excess_told, Hskip by (assumption || lra).
  apply IZR_le in Hdelta. rewrite !mult_IZR, plus_IZR, mult_IZR in Hdelta. change (IZR one) with scale in Hdelta.
  set (T := IZR (tail _ _ _)) in *. clear Hskip. set (V := value _ _ _) in *. unfold ratio; simpl.
  apply (Rmult_le_reg_r (scale * scale * IZR dd)); [repeat apply Rmult_lt_0_compat; lra|].
  replace (IZR dn / IZR dd * (scale * scale * IZR dd)) with (IZR dn * (scale * scale)) by (field; lra).
  replace ((1 * (IZR (lost X) / scale) + V / scale) * (scale * scale * IZR dd))
    with ((IZR (lost X) * scale + V * scale) * IZR dd) by (field; lra).
  eapply Rle_trans; [|exact Hdelta]. apply Rmult_le_compat_r; lra.
Qed.
