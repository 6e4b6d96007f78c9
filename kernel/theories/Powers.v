(** What the two checks share.

    What bounds the factors bounds a product: [below_products]; P-mass where Q has none is counted apart:
    [excess_apart]. A bound of each step becomes one of the whole composition, by products and powers:
    [composed_holds]. What dominates each step proves a claim, [claim_from_above]; what runs as each step refutes it,
    [claim_from_below]. *)

Require Import Reals ZArith List Bool Lra Lia.
From Kernel Require Import Experiments Composition Cells Mechanisms Polynomials.
Import ListNotations.
Open Scope R_scope.

(** [E] tells no less than [D], at any weights. *)
Definition below (D E : experiment) := forall a b, 0 <= a -> 0 <= b -> excess a b D <= excess a b E.

Lemma below_trans D E F : below D E -> below E F -> below D F.
Proof. intros H H' a b Ha Hb. eapply Rle_trans; [apply H|apply H']; assumption. Qed.

Lemma weighted a b o D E : 0 <= fst o /\ 0 <= snd o -> 0 <= a -> 0 <= b -> below D E ->
  excess (a * fst o) (b * snd o) D <= excess (a * fst o) (b * snd o) E.
Proof. intros [? ?] Ha Hb HDE. apply HDE; apply Rmult_le_pos; assumption. Qed.

Lemma below_products D D' E E' : valid D -> valid E' -> below D D' -> below E E' ->
  below (product D E) (product D' E').
Proof.
  unfold valid. rewrite !Forall_forall. intros VD VE HD HE a b Ha Hb. apply (Rle_trans _ (excess a b (product D E'))).
  - rewrite !excess_product. apply total_le. intros o Ho. apply weighted; auto.
  - rewrite excess_product_comm, (excess_product_comm _ _ D'), !excess_product.
    apply total_le. intros o Ho. apply weighted; auto.
Qed.

Lemma excess_alone a L : 0 <= a -> valid L -> excess a 0 L = a * total fst L.
Proof.
  intros Ha HL. unfold excess. induction HL as [|o L [Hp _] HL IH]; simpl; [lra|]. rewrite IH. unfold gain.
  pose proof (Rmult_le_pos _ _ Ha Hp). rewrite Rmax_right; lra.
Qed.

Lemma excess_cons_apart a b l L : 0 <= a -> 0 <= l -> excess a b ((l, 0) :: L) = a * l + excess a b L.
Proof.
  intros Ha Hl. unfold excess, gain; simpl. pose proof (Rmult_le_pos _ _ Ha Hl). rewrite Rmax_right; lra.
Qed.

(** The product of two experiments with P-masses l and m where Q has none. *)
Lemma excess_apart a b l A m B : 0 <= a -> 0 <= b -> 0 <= l -> 0 <= m -> valid A -> valid B ->
  excess a b (product ((l, 0) :: A) ((m, 0) :: B)) = a * (l * (m + total fst B) + m * total fst A) + excess a b (product A B).
Proof.
  intros Ha Hb Hl Hm VA VB. rewrite !excess_product. simpl total. rewrite Rmult_0_r.
  rewrite excess_alone; [|apply Rmult_le_pos; assumption|constructor; [simpl; lra|assumption]]. simpl total.
  enough (total (fun o => excess (a * fst o) (b * snd o) ((m, 0) :: B)) A
    = total (fun o => (a * m) * fst o + excess (a * fst o) (b * snd o) B) A) as -> by (rewrite total_plus, total_scale; lra).
  apply total_ext. intros o Ho. unfold valid in VA. rewrite Forall_forall in VA. destruct (VA o Ho).
  rewrite excess_cons_apart; [lra|apply Rmult_le_pos; assumption|assumption].
Qed.

Lemma product_one_right L : product L [(1, 1)] = L.
Proof.
  induction L as [|[p q] L IH]; [reflexivity|].
  change (product ((p, q) :: L) [(1, 1)]) with ((p * 1, q * 1) :: product L [(1, 1)]).
  rewrite IH, !Rmult_1_r. reflexivity.
Qed.

Section Composed.
  (** [step] bounds one mechanism, with hints; [multiply] bounds a product. *)
  Context {T H : Type} (multiply : T -> T -> T) (nothing : T) (step : mechanism -> H -> option T).
  Context (is : mechanism -> experiment -> Prop) (holds : experiment -> T -> Prop).
  Hypothesis holds_product : forall D E x y, holds D x -> holds E y -> holds (product D E) (multiply x y).
  Hypothesis holds_nothing : holds [(1, 1)] nothing.
  Hypothesis holds_step : forall m h x, step m h = Some x -> exists D, is m D /\ holds D x.

  Fixpoint composed (c : composition) (hints : list H) : option T :=
    match c, hints with
    | [], [] => Some nothing
    | (m, k) :: c', h :: hints' =>
        match step m h, composed c' hints' with
        | Some x, Some y => Some (multiply (power multiply x k) y)
        | _, _ => None
        end
    | _, _ => None
    end.

  Lemma power_repeat D x k : holds D x -> holds (all_of (repeat D (Pos.to_nat k))) (power multiply x k).
  Proof.
    intros Hx. induction k as [k IH|k IH|]; simpl power.
    - rewrite Pos2Nat.inj_xI. replace (S (2 * Pos.to_nat k)) with (1 + (Pos.to_nat k + Pos.to_nat k))%nat by lia.
      simpl repeat. simpl all_of. rewrite repeat_app, all_of_app. auto.
    - rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat by lia.
      rewrite repeat_app, all_of_app. auto.
    - change (all_of (repeat D (Pos.to_nat 1))) with (product D [(1, 1)]). rewrite product_one_right. assumption.
  Qed.

  Lemma composed_holds : forall c hints x, composed c hints = Some x ->
    exists Ds, Forall2 is (one_by_one c) Ds /\ holds (all_of Ds) x.
  Proof.
    induction c as [|[m k] c IH]; intros [|h hints] x; simpl; try discriminate.
    - intros [= <-]. exists []. split; [constructor|assumption].
    - destruct (step m h) as [y|] eqn:Hy; [|discriminate]. destruct (composed c hints) as [z|] eqn:Hz; [|discriminate].
      intros [= <-]. destruct (holds_step _ _ _ Hy) as (D & Hm & HD). destruct (IH _ _ Hz) as (Ds & Hc & HDs).
      exists (repeat D (Pos.to_nat k) ++ Ds). split.
      + apply Forall2_app; [|assumption]. clear -Hm. induction (Pos.to_nat k); simpl; constructor; assumption.
      + rewrite all_of_app. apply holds_product; [apply power_repeat|]; assumption.
  Qed.
End Composed.

(** What a claim has to say rightly of pairs and guarantees. *)
Definition well_formed (m : mechanism) : bool :=
  match m with
  | Pair whole rows =>
      (0 <? whole) && forallb (fun row => (0 <=? fst row) && (0 <=? snd row)) rows
      && (fold_right Z.add 0 (map fst rows) =? whole) && (fold_right Z.add 0 (map snd rows) =? whole)
  | Private (n, d) (n', d') => (0 <? n) && (0 <? d) && (0 <=? n') && (0 <? d') && (n' <=? d')
  | Mixed _ _ _ _ _ => false
  end%Z.

Lemma total_rows (side : Z * Z -> Z) (side' : R * R -> R) whole rows :
  (forall row, side' (outcome whole row) = IZR (side row) / IZR whole) ->
  total side' (map (outcome whole) rows) = IZR (fold_right Z.add 0%Z (map side rows)) / IZR whole.
Proof. intros H. induction rows as [|r rows IH]; simpl; [|rewrite H, IH, plus_IZR]; unfold Rdiv; lra. Qed.

Lemma valid_rows whole rows : (0 < whole)%Z -> Forall (fun row => (0 <= fst row /\ 0 <= snd row)%Z) rows ->
  valid (map (outcome whole) rows).
Proof.
  intros Hw H. apply IZR_lt, Rinv_0_lt_compat, Rlt_le in Hw. induction H as [|row rows [? ?] ? IH]; simpl; constructor;
    [|assumption]. split; apply Rmult_le_pos; try assumption; apply IZR_le; assumption.
Qed.

(** The rows as numbers: what [well_formed] says of a pair. *)
Definition rows_valid (whole : Z) (rows : list (Z * Z)) : Prop :=
  (0 < whole)%Z /\ Forall (fun row => (0 <= fst row /\ 0 <= snd row)%Z) rows /\
  fold_right Z.add 0%Z (map fst rows) = whole /\ fold_right Z.add 0%Z (map snd rows) = whole.

Lemma well_formed_pair whole rows : well_formed (Pair whole rows) = true -> rows_valid whole rows.
Proof.
  simpl. rewrite !andb_true_iff, Z.ltb_lt, !Z.eqb_eq, forallb_forall. intros [[[Hw H] HP] HQ].
  repeat split; try assumption. rewrite Forall_forall. intros row Hrow. specialize (H row Hrow).
  rewrite andb_true_iff, !Z.leb_le in H. exact H.
Qed.

Lemma well_formed_private epsilon delta : well_formed (Private epsilon delta) = true ->
  0 < ratio epsilon /\ 0 <= ratio delta <= 1.
Proof.
  destruct epsilon as [n d], delta as [n' d']. simpl. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le.
  intros [[[[Hn Hd] Hn'] Hd'] Hone]. apply IZR_lt in Hn, Hd, Hd'. apply IZR_le in Hn', Hone. unfold ratio; simpl.
  assert (Hi : 0 < / IZR d') by (apply Rinv_0_lt_compat; assumption).
  split; [apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; assumption|].
  split; [apply Rmult_le_pos; lra|]. apply (Rmult_le_reg_r (IZR d')); [assumption|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma pair_is_pair m : well_formed m = true -> valid (pair m) /\ total fst (pair m) = 1 /\ total snd (pair m) = 1.
Proof.
  destruct m as [whole rows|epsilon delta|kind s whole a b]; intros H; [| |discriminate].
  - apply well_formed_pair in H as (Hw & Hrows & HP & HQ). split; [apply valid_rows; assumption|].
    pose proof (IZR_lt _ _ Hw). simpl pair.
    rewrite (total_rows fst), (total_rows snd) by reflexivity. rewrite HP, HQ. split; field; lra.
  - apply well_formed_private in H as [_ Hd].
    simpl pair. unfold leaky_response, valid. set (t := exp (ratio epsilon)). assert (0 < t) by apply exp_pos.
    assert (0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra).
    assert (Ht : 0 <= t / (1 + t)) by (apply Rmult_le_pos; lra). assert (H1 : 0 <= 1 / (1 + t)) by (unfold Rdiv; lra).
    simpl. split; [|split; field; lra].
    repeat (apply Forall_cons; [simpl; split; try lra; apply Rmult_le_pos; lra|]). apply Forall_nil.
Qed.

(** The rows that are possible under Q. *)
Definition possible (rows : list (Z * Z)) : list (Z * Z) := filter (fun row => negb (snd row =? 0)%Z) rows.

(** The P-mass of the others. *)
Definition impossible (rows : list (Z * Z)) : Z :=
  fold_right Z.add 0%Z (map fst (filter (fun row => snd row =? 0)%Z rows)).

Lemma impossible_nonneg rows : Forall (fun row => (0 <= fst row /\ 0 <= snd row)%Z) rows -> (0 <= impossible rows)%Z.
Proof.
  unfold impossible. induction 1 as [|row rows [? ?] ? IH]; simpl; [lia|]. destruct (snd row =? 0)%Z; simpl; lia.
Qed.

Lemma excess_possible a b whole rows : rows_valid whole rows -> 0 <= a ->
  excess a b (pair (Pair whole rows))
    = excess a b (map (outcome whole) (possible rows)) + a * (IZR (impossible rows) / IZR whole).
Proof.
  intros (Hw & Hrows & _) Ha. apply IZR_lt in Hw. assert (0 < / IZR whole) by (apply Rinv_0_lt_compat; assumption).
  unfold excess, impossible. simpl pair.
  induction Hrows as [|row rows [Hp Hq] Hrows IH]; simpl; [unfold Rdiv; lra|]. rewrite IH. apply IZR_le in Hp.
  destruct (snd row =? 0)%Z eqn:Hzero; simpl; [|lra].
  apply Z.eqb_eq in Hzero. unfold gain at 1; simpl. rewrite Hzero, plus_IZR.
  assert (0 <= a * (IZR (fst row) / IZR whole)) by (apply Rmult_le_pos; [|apply Rmult_le_pos]; lra).
  rewrite Rmax_right; unfold Rdiv in *; lra.
Qed.

Lemma runs_pair m : well_formed m = true -> runs m (pair m).
Proof.
  intros Hm. destruct (pair_is_pair m Hm) as (HV & HP & HQ). split; [assumption|].
  destruct m as [whole rows|epsilon delta|kind s whole a b]; [split; intros e He; apply Rle_refl| |discriminate].
  split; [assumption|]. split; [assumption|].
  destruct (well_formed_private _ _ Hm) as [He Hd]. set (d := ratio delta) in *.
  unfold add_or_remove_private. rewrite !private_iff. unfold hockey_stick, excess, gain. simpl. fold d.
  set (t := exp (ratio epsilon)). assert (1 < t) by (unfold t; rewrite <- exp_0; apply exp_increasing; assumption).
  assert (0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra). set (c := / (1 + t)) in *.
  assert (0 <= (1 - d) * (c * (t * t - 1))) by (repeat apply Rmult_le_pos; nra).
  assert (0 <= t * d) by (apply Rmult_le_pos; lra). unfold Rdiv. fold c.
  split; rewrite (Rmax_right 0 (1 * d - _)), !Rmax_left by lra; lra.
Qed.

(** Given pairs, one after the other. *)
Fixpoint independent (Ds : list experiment) : adaptive (length Ds) :=
  match Ds with
  | [] => tt
  | D :: rest => map (fun o => (o, independent rest)) D
  end.

Lemma seen_independent Ds : seen _ (independent Ds) = all_of Ds.
Proof.
  induction Ds as [|D Ds IH]; [reflexivity|]. simpl. unfold product. rewrite <- IH. clear IH.
  induction D as [|o L IHL]; simpl; [|rewrite IHL]; reflexivity.
Qed.

Lemma independent_runs ms Ds : Forall2 runs ms Ds -> runs_all _ ms (independent Ds).
Proof.
  induction 1 as [|m D ms Ds Hm Hms IH]; simpl; [trivial|]. split.
  - unfold first_step. rewrite map_map. simpl. rewrite map_id. assumption.
  - intros o Ho. apply in_map_iff in Ho as [o' [<- _]]. exact IH.
Qed.

(** [D] dominates whatever runs as [m]. *)
Definition covers (m : mechanism) (D : experiment) : Prop := valid D /\ forall L, runs m L -> dominated L D.

Lemma runs_all_dominated n : forall ms Ds A, Forall2 covers ms Ds -> runs_all n ms A -> steps_dominated n Ds A.
Proof.
  induction n as [|k IH]; intros ms Ds A Hms HA; destruct Hms as [|m D ms Ds [HV Hm] Hms]; simpl in *; try contradiction;
    [trivial|]. destruct HA as [HA Hrest]. split; [apply HA|]. split; [apply Hm; assumption|].
  intros o Ho. apply (IH ms); auto.
Qed.

Theorem claim_from_above c Ds epsilon delta : Forall2 covers (one_by_one c) Ds ->
  hockey_stick (exp epsilon) (all_of Ds) <= delta -> remove_claim c epsilon delta.
Proof.
  intros Hc H n A HA. apply (composition_is_private _ Ds); [| |exact H].
  - clear -Hc. induction Hc as [|m D ms Ds [HV _] Hms IH]; constructor; assumption.
  - apply (runs_all_dominated _ (one_by_one c)); assumption.
Qed.

Theorem claim_from_below c Ds epsilon delta : Forall2 runs (one_by_one c) Ds ->
  remove_claim c epsilon delta -> hockey_stick (exp epsilon) (all_of Ds) <= delta.
Proof.
  intros Hc H. specialize (H _ _ (independent_runs _ _ Hc)). apply private_iff in H. rewrite seen_independent in H. exact H.
Qed.
