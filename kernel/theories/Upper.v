(** The upper check. Each outcome becomes P-masses at multiples of a loss h that tell more than it does, by lemma U:
    their sum is no less than its P-mass, and their Q-masses, e^(-loss) each, sum to no more than its Q-mass. Then a
    composition is a product of polynomials, rounded up. Where [upper] answers true, the claim holds: [upper_sound].

    Hints, where an outcome goes, may be anything: they are checked. *)

Require Import Reals ZArith List Bool Lra Lia.
From Kernel Require Import Experiments Composition Cells Rounding Mechanisms Polynomials Powers.
Import ListNotations.
Open Scope R_scope.

(** What a P-mass of 1 at the loss jh adds to the divergence. *)
Definition dot (h a b : R) (j : Z) : R := Rmax 0 (a - b * exp (- (IZR j * h))).

(** Masses at losses from [start] on, in units of h and of 1/[one]; the P-mass that is not at +∞, rounded down. *)
Record upper_bound := { start : Z; masses : list Z; finite : Z }.

Definition round_up (A : list Z) : list Z := map (fun x => rounded_quotient true x one) A.

Definition upper_times (X Y : upper_bound) : upper_bound :=
  {| start := start X + start Y;
     masses := round_up (times 0%Z Z.add Z.mul (masses X) (masses Y));
     finite := rounded_quotient false (finite X * finite Y) one |}.

Definition upper_nothing : upper_bound := {| start := 0; masses := [one]; finite := one |}.

(** Where outcomes go: of each outcome of a pair a cell and the P-masses at its two ends; of pure privacy its loss,
    in units of h. *)
Inductive upper_hint :=
| Cells (start : Z) (rows : list (Z * (Z * Z)))
| Points (m : Z).

Definition place_row (h : Z * Z) (whole s : Z) (row : Z * Z) (hint : Z * (Z * Z)) (A : list Z) : option (list Z) :=
  let '(p, q) := row in
  let '(c, (u, v)) := hint in
  match exp_bound true (- (c * fst h)) (snd h), exp_bound true (- ((c + 1) * fst h)) (snd h) with
  | Some x, Some y =>
      if ((s <=? c) && (0 <=? u) && (0 <=? v) && (p * one <=? (u + v) * whole)
          && ((u * x + v * y) * whole <=? q * one * one))%Z
      then Some (add_at 0%Z Z.add (Z.to_nat (c - s)) u (add_at 0%Z Z.add (Z.to_nat (c + 1 - s)) v A))
      else None
  | _, _ => None
  end.

Fixpoint place (h : Z * Z) (whole s : Z) (rows : list (Z * Z)) (hints : list (Z * (Z * Z))) : option (list Z) :=
  match rows, hints with
  | [], [] => Some []
  | row :: rows', hint :: hints' =>
      match place h whole s rows' hints' with Some A => place_row h whole s row hint A | None => None end
  | _, _ => None
  end.

Definition upper_step (h : Z * Z) (m : mechanism) (hint : upper_hint) : option upper_bound :=
  if well_formed m then
    match m, hint with
    | Pair whole rows, Cells s hints =>
        match place h whole s (possible rows) hints with
        | Some A => Some {| start := s; masses := A;
            finite := rounded_quotient false (fold_right Z.add 0%Z (map fst (possible rows)) * one) whole |}
        | None => None
        end
    | Pure n d, Points m =>
        match exp_bound false n d, exp_bound false (- n) d with
        | Some x, Some y =>
            if ((0 <? snd h) && (0 <=? m) && (0 <=? x) && (0 <=? y) && (n * snd h =? m * fst h * d))%Z then
              Some {| start := - m; finite := one;
                masses := add_at 0%Z Z.add O (rounded_quotient true (one * one) (one + x))
                  (add_at 0%Z Z.add (Z.to_nat (2 * m)) (rounded_quotient true (one * one) (one + y)) []) |}
            else None
        | _, _ => None
        end
    | _, _ => None
    end
  else None.

(** Σ a (1 − e^(ε − loss)): [p] and [w] are lower bounds of the first exponential and of what it falls by. *)
Fixpoint tail (w p : Z) (A : list Z) : Z :=
  match A with [] => 0 | a :: rest => a * (one - p) + tail w (rounded_quotient false (p * w) one) rest end%Z.

Definition upper (c : composition) (h : Z * Z) (hints : list upper_hint) (epsilon delta : Z * Z) : bool :=
  let '(hn, hd) := h in let '(en, ed) := epsilon in let '(dn, dd) := delta in
  match composed upper_times upper_nothing (upper_step h) c hints with
  | None => false
  | Some X =>
      let skipped := Z.to_nat (en * hd / (hn * ed) + 1 - start X) in
      let first := (start X + Z.of_nat skipped)%Z in
      match exp_bound false (en * hd - first * hn * ed) (ed * hd), exp_bound false (- hn) hd with
      | Some p, Some w =>
          ((0 <? hn) && (0 <? hd) && (0 <? ed) && (0 <? dd) && (0 <=? p) && (0 <=? w)
           && ((Z.of_nat skipped =? 0) || ((first - 1) * hn * ed <=? en * hd)) && (en * hd <=? first * hn * ed)
           && (((one - finite X) * one + tail w p (skipn skipped (masses X))) * dd <=? dn * (one * one)))%Z
      | _, _ => false
      end
  end && all_well_formed c.

(** What such masses bound. *)
Definition bounds (h : R) (F : experiment) (s : Z) (A : list Z) : Prop :=
  nonneg A /\ forall a b, 0 <= a -> 0 <= b -> excess a b F <= value (dot h a b) s A / scale.

Definition upper_holds (h : R) (D : experiment) (X : upper_bound) : Prop :=
  exists F f, reduced D F f /\ bounds h F (start X) (masses X) /\ (0 <= finite X)%Z /\ IZR (finite X) <= scale * f.

Lemma dot_nonneg h a b j : 0 <= dot h a b j.
Proof. apply Rmax_l. Qed.

(** Lemma U: masses m_j at losses tell more than an outcome (p, q) if p ≤ Σ m_j and Σ m_j e^(-loss) ≤ q. *)
Lemma dots_raise a b o u v x y : 0 <= a -> 0 <= b -> 0 <= u -> 0 <= v -> fst o <= u + v -> u * x + v * y <= snd o ->
  gain a b o <= u * Rmax 0 (a - b * x) + v * Rmax 0 (a - b * y).
Proof.
  intros Ha Hb Hu Hv HP HQ. apply gain_at_most.
  - apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; apply Rmax_l.
  - pose proof (Rmult_le_compat_l _ _ _ Hu (Rmax_r 0 (a - b * x))).
    pose proof (Rmult_le_compat_l _ _ _ Hv (Rmax_r 0 (a - b * y))).
    pose proof (Rmult_le_compat_l _ _ _ Ha HP). pose proof (Rmult_le_compat_l _ _ _ Hb HQ). lra.
Qed.

Lemma value_round_up f : forall A s, nonneg A -> (forall j, 0 <= f j) -> value f s A / scale <= value f s (round_up A).
Proof.
  intros A s HA Hf. pose proof scale_pos as Hs. revert s.
  induction HA as [|x A Hx HA IH]; intros s; simpl; [unfold Rdiv; lra|].
  pose proof (quotient_ordered true x one one_pos) as H. unfold ordered in H. change (IZR one) with scale in H.
  specialize (IH (s + 1)%Z). pose proof (Rmult_le_compat_r _ _ _ (Hf s) H). unfold Rdiv in *. lra.
Qed.

Lemma nonneg_round_up A : nonneg A -> nonneg (round_up A).
Proof.
  induction 1 as [|x A Hx HA IH]; [constructor|].
  simpl. constructor; [apply quotient_nonneg; [apply one_pos|assumption]|assumption].
Qed.

Lemma total_value (f : Z -> R * R -> R) B t L :
  total (fun o => value (fun j => f j o) t B) L = value (fun j => total (f j) L) t B.
Proof.
  revert t. induction B as [|c B IH]; intros t; simpl.
  - induction L; simpl; lra.
  - rewrite <- IH, <- total_scale, <- total_plus. reflexivity.
Qed.

Lemma value_divided f x : forall A s, value (fun j => f j / x) s A = value f s A / x.
Proof. unfold Rdiv. induction A as [|c A IH]; intros s; simpl; [|rewrite IH]; lra. Qed.

(** Products of bounds are bounds: seen from one factor, the other one only changes the weights. *)
Lemma bounds_product h F s A G t B : valid F -> bounds h F s A -> valid G -> bounds h G t B ->
  bounds h (product F G) (s + t) (round_up (times 0%Z Z.add Z.mul A B)).
Proof.
  intros VF [HA HF] VG [HB HG]. pose proof scale_pos as Hs. pose proof (nonneg_times A B HA HB) as HAB.
  split; [apply nonneg_round_up; assumption|]. intros a b Ha Hb.
  apply (Rle_trans _ (value (dot h a b) (s + t) (times 0%Z Z.add Z.mul A B) / scale / scale)).
  2: { apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
       apply value_round_up; [assumption|]. intros; apply dot_nonneg. }
  rewrite value_times, excess_product_comm, excess_product.
  apply (Rle_trans _ (total (fun o => value (fun i => dot h (a * fst o) (b * snd o) i / scale) s A) G)).
  { apply total_le. intros o Ho. rewrite value_divided. unfold valid in VG. rewrite Forall_forall in VG.
    destruct (VG o Ho). apply HF; apply Rmult_le_pos; assumption. }
  rewrite (total_value (fun i o => dot h (a * fst o) (b * snd o) i / scale)), <- !value_divided.
  apply value_le; [assumption|]. intros i.
  rewrite (total_ext _ (fun o => / scale * gain a (b * exp (- (IZR i * h))) o)).
  2: { intros o _. unfold dot, gain, Rdiv. rewrite Rmult_comm. do 2 f_equal. ring. }
  rewrite total_scale. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
  eapply Rle_trans; [apply HG; [assumption|apply Rmult_le_pos; [assumption|apply Rlt_le, exp_pos]]|].
  rewrite Z.add_comm, value_shift.
  apply Req_le. unfold Rdiv. f_equal. apply value_ext. intros j. unfold dot. f_equal.
  rewrite Rmult_assoc, <- exp_plus. do 3 f_equal. rewrite plus_IZR. ring.
Qed.

Lemma upper_product h D E X Y : upper_holds h D X -> upper_holds h E Y -> upper_holds h (product D E) (upper_times X Y).
Proof.
  intros (F & f & HD & HF & Hf & Hf') (G & g & HE & HG & Hg & Hg'). pose proof scale_pos as Hs.
  exists (product F G), (f * g). split; [apply reduced_product; assumption|].
  destruct HD as (_ & VF & _), HE as (_ & VG & _). split; [apply bounds_product; assumption|].
  simpl. split; [apply quotient_nonneg; [apply one_pos|apply Z.mul_nonneg_nonneg; assumption]|].
  pose proof (quotient_ordered false (finite X * finite Y) one one_pos) as H. unfold ordered in H.
  rewrite mult_IZR in H. change (IZR one) with scale in H.
  apply IZR_le in Hf, Hg. pose proof (Rmult_le_compat _ _ _ _ Hf Hg Hf' Hg') as H'.
  eapply Rle_trans; [exact H|]. apply (Rmult_le_reg_r scale); [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma upper_of_nothing h : upper_holds h [(1, 1)] upper_nothing.
Proof.
  pose proof scale_pos as Hs. assert (V : valid [(1, 1)]) by (repeat constructor; simpl; lra).
  exists [(1, 1)], 1. split; [repeat split; try assumption; simpl; intros; lra|].
  split; [|split; [apply Z.lt_le_incl, one_pos|simpl; change (IZR one) with scale; lra]].
  split; [repeat constructor; apply Z.lt_le_incl, one_pos|]. intros a b Ha Hb. simpl.
  change (IZR one) with scale. unfold excess, gain, dot; simpl.
  replace (- (0 * h)) with 0 by ring. rewrite exp_0, !Rmult_1_r, !Rplus_0_r. apply Req_le. field. lra.
Qed.

Lemma place_row_bounds h whole s row hint A B F : (0 < whole)%Z ->
  place_row h whole s row hint A = Some B -> bounds (ratio h) F s A -> bounds (ratio h) (outcome whole row :: F) s B.
Proof.
  destruct row as [p q], hint as [c [u v]], h as [hn hd]. unfold place_row. simpl fst; simpl snd. intros Hw.
  destruct (exp_bound true (- (c * hn)) hd) as [x|] eqn:Hx; [|discriminate].
  destruct (exp_bound true (- ((c + 1) * hn)) hd) as [y|] eqn:Hy; [|discriminate].
  destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le in Hok.
  destruct Hok as [[[[Hc Hu] Hv] HP] HQ]. intros E. apply some_equal in E. subst B. intros [HA HF].
  apply exp_bound_ordered in Hx, Hy. simpl in Hx, Hy.
  split; [apply nonneg_add_at; [assumption|apply nonneg_add_at; assumption]|]. intros a b Ha Hb.
  rewrite !value_add_at, !Z2Nat.id by lia.
  replace (s + (c - s))%Z with c by ring. replace (s + (c + 1 - s))%Z with (c + 1)%Z by ring.
  change (excess a b (outcome whole (p, q) :: F)) with (gain a b (outcome whole (p, q)) + excess a b F).
  specialize (HF a b Ha Hb). pose proof scale_pos as Hs.
  enough (gain a b (outcome whole (p, q)) <=
    IZR u / scale * dot (ratio (hn, hd)) a b c + IZR v / scale * dot (ratio (hn, hd)) a b (c + 1)) by (unfold Rdiv in *; lra).
  assert (Hloss : forall j, - (IZR j * ratio (hn, hd)) = IZR (- (j * hn)) / IZR hd).
  { intros j. unfold ratio; simpl. rewrite opp_IZR, mult_IZR. unfold Rdiv. ring. }
  apply IZR_lt in Hw. apply IZR_le in Hu, Hv, HP, HQ. rewrite !mult_IZR, plus_IZR in HP. rewrite !mult_IZR, plus_IZR, !mult_IZR in HQ.
  change (IZR one) with scale in *. assert (0 < / scale) by (apply Rinv_0_lt_compat; assumption).
  assert (0 < / IZR whole) by (apply Rinv_0_lt_compat; assumption).
  unfold dot. apply dots_raise; try assumption.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_pos; lra.
  - unfold outcome; simpl. apply (Rmult_le_reg_r (scale * IZR whole)); [apply Rmult_lt_0_compat; assumption|].
    replace (IZR p / IZR whole * (scale * IZR whole)) with (IZR p * scale) by (field; lra).
    replace ((IZR u / scale + IZR v / scale) * (scale * IZR whole)) with ((IZR u + IZR v) * IZR whole) by (field; lra).
    assumption.
  - rewrite !Hloss. unfold outcome; simpl.
    apply (Rmult_le_reg_r (scale * scale * IZR whole)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (IZR q / IZR whole * (scale * scale * IZR whole)) with (IZR q * scale * scale) by (field; lra).
    eapply Rle_trans; [|exact HQ].
    set (X := exp (IZR (- (c * hn)) / IZR hd)) in *. set (Y := exp (IZR (- ((c + 1) * hn)) / IZR hd)) in *.
    replace ((IZR u / scale * X + IZR v / scale * Y) * (scale * scale * IZR whole))
      with ((IZR u * (scale * X) + IZR v * (scale * Y)) * IZR whole) by (field; lra).
    apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
Qed.

Lemma place_bounds h whole s : (0 < whole)%Z -> forall rows hints A,
  place h whole s rows hints = Some A -> bounds (ratio h) (map (outcome whole) rows) s A.
Proof.
  intros Hw. induction rows as [|row rows IH]; intros [|hint hints] A; simpl; try discriminate.
  - intros E. apply some_equal in E. subst A. split; [constructor|]. intros a b _ _. unfold excess; simpl. unfold Rdiv. lra.
  - destruct (place h whole s rows hints) as [B|] eqn:HB; [|discriminate]. intros E.
    apply (place_row_bounds h whole s row hint B); [assumption|assumption|]. apply (IH hints). assumption.
Qed.

Lemma gain_of_mass a b w x : 0 <= w -> gain a b (w, w * x) = w * Rmax 0 (a - b * x).
Proof.
  intros Hw. unfold gain; simpl. rewrite <- RmaxRmult by assumption. f_equal; ring.
Qed.

Lemma share_up x y : (0 <= x)%Z -> IZR x <= scale * y ->
  / (1 + y) <= IZR (rounded_quotient true (one * one) (one + x)) / scale.
Proof.
  intros Hx Hy. pose proof scale_pos as Hs. pose proof one_pos as Ho.
  pose proof (quotient_ordered true (one * one) (one + x) ltac:(lia)) as H. unfold ordered in H.
  rewrite mult_IZR, plus_IZR in H. change (IZR one) with scale in H. apply IZR_le in Hx.
  apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  eapply Rle_trans; [|exact H]. assert (0 <= y) by (apply (Rmult_le_reg_l scale); lra).
  replace (/ (1 + y) * scale) with (scale * scale / (scale + scale * y)) by (field; split; nra).
  apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; lra.
Qed.

Lemma pure_bounds h m n d x y : (0 <= m)%Z -> (0 <= x)%Z -> (0 <= y)%Z -> IZR n / IZR d = IZR m * h ->
  IZR x <= scale * exp (IZR n / IZR d) -> IZR y <= scale * exp (IZR (- n) / IZR d) ->
  bounds h (pair (Pure n d)) (- m) (add_at 0%Z Z.add O (rounded_quotient true (one * one) (one + x))
    (add_at 0%Z Z.add (Z.to_nat (2 * m)) (rounded_quotient true (one * one) (one + y)) [])).
Proof.
  intros Hm Hx Hy Hloss HX HY. pose proof scale_pos as Hs. pose proof one_pos as Ho.
  assert (Hnonneg : forall z, (0 <= z)%Z -> (0 <= rounded_quotient true (one * one) (one + z))%Z).
  { intros z Hz. apply quotient_nonneg; [lia|]. apply Z.mul_nonneg_nonneg; lia. }
  split; [apply nonneg_add_at; [auto|]; apply nonneg_add_at; [auto|constructor]|].
  intros a b Ha Hb. rewrite !value_add_at, Z2Nat.id by lia. simpl value. rewrite Z.add_0_r.
  replace (- m + 2 * m)%Z with m by ring.
  replace (IZR (- n) / IZR d) with (- (IZR n / IZR d)) in HY by (rewrite opp_IZR; unfold Rdiv; ring).
  apply (share_up x) in HX; [|assumption]. apply (share_up y) in HY; [|assumption].
  simpl pair. unfold randomized_response, excess. simpl total. set (t := exp (IZR n / IZR d)) in *.
  assert (Ht : 0 < t) by apply exp_pos. rewrite exp_Ropp in HY. fold t in HY.
  assert (Hlow : dot h a b (- m) = Rmax 0 (a - b * t)).
  { unfold dot. rewrite opp_IZR. replace (- (- IZR m * h)) with (IZR n / IZR d) by lra. reflexivity. }
  assert (Hhigh : dot h a b m = Rmax 0 (a - b * / t)).
  { unfold dot. rewrite <- Hloss, exp_Ropp. reflexivity. }
  rewrite Hlow, Hhigh.
  assert (H1 : 0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra).
  assert (H2 : 0 < / t) by (apply Rinv_0_lt_compat; lra).
  assert (H3 : 0 < / (1 + / t)) by (apply Rinv_0_lt_compat; lra).
  replace (t / (1 + t), 1 / (1 + t)) with (/ (1 + / t), / (1 + / t) * / t) by (f_equal; field; lra).
  replace (1 / (1 + t), t / (1 + t)) with (/ (1 + t), / (1 + t) * t) by (f_equal; field; lra).
  rewrite !gain_of_mass by lra.
  pose proof (Rmult_le_compat_r _ _ _ (Rmax_l 0 (a - b * t)) HX).
  pose proof (Rmult_le_compat_r _ _ _ (Rmax_l 0 (a - b * / t)) HY). unfold Rdiv in *. lra.
Qed.

Lemma upper_of_step h m hint X : upper_step h m hint = Some X -> upper_holds (ratio h) (pair m) X.
Proof.
  unfold upper_step. destruct (well_formed m) eqn:Hm; [|discriminate].
  pose proof scale_pos as Hs. pose proof one_pos as Ho. destruct m as [whole rows|n d], hint as [s hints|m]; try discriminate.
  - destruct (place h whole s (possible rows) hints) as [A|] eqn:HA; [|discriminate].
    intros E. apply some_equal in E. subst X. apply well_formed_pair in Hm. pose proof Hm as (Hw & Hrows & _ & _).
    pose proof (IZR_lt _ _ Hw) as Hw'.
    exists (map (outcome whole) (possible rows)), (IZR (fold_right Z.add 0%Z (map fst (possible rows))) / IZR whole).
    split; [apply reduced_pair; assumption|]. split; [apply (place_bounds h whole s Hw _ hints); assumption|]. simpl.
    split.
    + apply quotient_nonneg; [assumption|]. apply Z.mul_nonneg_nonneg; [|lia].
      clear -Hrows. induction Hrows as [|row rows [? ?] ? IH]; simpl; [lia|]. destruct (snd row =? 0)%Z; simpl; lia.
    + pose proof (quotient_ordered false (fold_right Z.add 0%Z (map fst (possible rows)) * one) whole Hw) as H.
      unfold ordered in H. rewrite mult_IZR in H. change (IZR one) with scale in H. unfold Rdiv in *. lra.
  - destruct (exp_bound false n d) as [x|] eqn:Hx; [|discriminate].
    destruct (exp_bound false (- n) d) as [y|] eqn:Hy; [|discriminate].
    destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, Z.ltb_lt, !Z.leb_le, Z.eqb_eq in Hok.
    destruct Hok as [[[[Hh H1] H2] H3] H4]. intros E. apply some_equal in E. subst X.
    destruct (pair_is_pair _ Hm) as (HV & HP & _).
    exists (pair (Pure n d)), 1. split; [repeat split; try assumption; intros; lra|].
    apply exp_bound_ordered in Hx, Hy. simpl in Hx, Hy. simpl in Hm. rewrite andb_true_iff, !Z.ltb_lt in Hm.
    split; [|simpl; split; [lia|change (IZR one) with scale; lra]].
    apply pure_bounds; try assumption. destruct Hm as [_ Hd]. apply IZR_lt in Hh, Hd.
    apply (f_equal IZR) in H4. rewrite !mult_IZR in H4. unfold ratio.
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

Theorem upper_sound c h hints epsilon delta : upper c h hints epsilon delta = true ->
  remove_claim c (ratio epsilon) (ratio delta).
Proof.
  destruct h as [hn hd], epsilon as [en ed], delta as [dn dd]. unfold upper. rewrite andb_true_iff. intros [H Hwell].
  apply (claim_of_product _ _ _ Hwell). revert H.
  destruct (composed upper_times upper_nothing (upper_step (hn, hd)) c hints) as [X|] eqn:HX; [|discriminate].
  apply (composed_holds _ _ _ (upper_holds (ratio (hn, hd))) (upper_product _) (upper_of_nothing _) (upper_of_step _)) in HX.
  destruct HX as (F & f & (_ & _ & _ & _ & HD) & [HA HF] & _ & Hf).
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
  unfold hockey_stick. rewrite HD by lra. specialize (HF 1 e ltac:(lra) ltac:(lra)). rewrite Hskip in HF.
  apply IZR_le in Hdelta. rewrite !mult_IZR, plus_IZR, mult_IZR, minus_IZR in Hdelta. change (IZR one) with scale in Hdelta.
  set (T := IZR (tail _ _ _)) in *. set (V := value _ _ _) in *. unfold ratio; simpl.
  apply (Rmult_le_reg_r (scale * scale * IZR dd)); [repeat apply Rmult_lt_0_compat; lra|].
  replace (IZR dn / IZR dd * (scale * scale * IZR dd)) with (IZR dn * (scale * scale)) by (field; lra).
  eapply Rle_trans; [|exact Hdelta]. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
  apply (Rmult_le_compat_r (scale * scale)) in HF; [|apply Rlt_le, Rmult_lt_0_compat; assumption].
  replace (V / scale * (scale * scale)) with (V * scale) in HF by (field; lra).
  pose proof (Rmult_le_compat_r scale _ _ (Rlt_le _ _ Hs) Hf). lra.
Qed.
