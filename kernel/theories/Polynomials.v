(** Arrays of masses at equally spaced losses are polynomials: products of experiments become products of these, k
    equal factors a power, by repeated squaring. *)

Require Import Reals ZArith List Lra.
Import ListNotations.

Section Ring.
  Context {T : Type} (zero : T) (add multiply : T -> T -> T).

  Fixpoint plus (A B : list T) : list T :=
    match A, B with
    | [], _ => B
    | _, [] => A
    | a :: A', b :: B' => add a b :: plus A' B'
    end.

  Fixpoint times (A B : list T) : list T :=
    match A with
    | [] => []
    | a :: A' => plus (map (multiply a) B) (zero :: times A' B)
    end.

  (** One more mass at an index. *)
  Fixpoint add_at (i : nat) (x : T) (A : list T) : list T :=
    match i, A with
    | O, [] => [x]
    | O, a :: A' => add x a :: A'
    | S j, [] => zero :: add_at j x []
    | S j, a :: A' => a :: add_at j x A'
    end.
End Ring.

Fixpoint power {T} (product : T -> T -> T) (x : T) (k : positive) : T :=
  match k with
  | xH => x
  | xO j => let y := power product x j in product y y
  | xI j => let y := power product x j in product x (product y y)
  end.

Open Scope R_scope.

(** Σ a_i f(s + i) of an array that begins at index s. *)
Fixpoint value (f : Z -> R) (s : Z) (A : list Z) : R :=
  match A with [] => 0 | a :: rest => IZR a * f s + value f (s + 1) rest end.

Definition nonneg (A : list Z) := Forall (fun a => (0 <= a)%Z) A.

Lemma value_ext f g s A : (forall i, f i = g i) -> value f s A = value g s A.
Proof. intros H. revert s. induction A as [|a A IH]; intros s; simpl; [reflexivity|]. rewrite H, IH. reflexivity. Qed.

Lemma value_le f g : forall A s, nonneg A -> (forall i, f i <= g i) -> value f s A <= value g s A.
Proof.
  intros A s HA H. revert s. induction HA as [|a A Ha HA IH]; intros s; simpl; [lra|].
  pose proof (Rmult_le_compat_l _ _ _ (IZR_le _ _ Ha) (H s)). specialize (IH (s + 1)%Z). lra.
Qed.

Lemma value_shift f i : forall A s, value f (s + i) A = value (fun j => f (j + i)%Z) s A.
Proof.
  induction A as [|a A IH]; intros s; simpl; [reflexivity|].
  rewrite <- IH. replace (s + i + 1)%Z with (s + 1 + i)%Z by ring. reflexivity.
Qed.

Lemma value_plus f : forall A B s, value f s (plus Z.add A B) = value f s A + value f s B.
Proof.
  induction A as [|a A IH]; intros [|b B] s; simpl; try lra. rewrite plus_IZR, IH. lra.
Qed.

Lemma value_scale f a : forall B s, value f s (map (Z.mul a) B) = IZR a * value f s B.
Proof. induction B as [|b B IH]; intros s; simpl; [lra|]. rewrite mult_IZR, IH. lra. Qed.

Lemma value_times f B t : forall A s,
  value f (s + t) (times 0%Z Z.add Z.mul A B) = value (fun i => value f (i + t) B) s A.
Proof.
  induction A as [|a A IH]; intros s; simpl; [reflexivity|].
  rewrite value_plus, value_scale. simpl. rewrite Rmult_0_l, Rplus_0_l. f_equal.
  replace (s + t + 1)%Z with ((s + 1) + t)%Z by ring. apply IH.
Qed.

Lemma value_add_at f i x : forall A s,
  value f s (add_at 0%Z Z.add i x A) = IZR x * f (s + Z.of_nat i)%Z + value f s A.
Proof.
  induction i as [|j IH]; intros [|a A] s; simpl add_at; simpl value.
  - rewrite Z.add_0_r. lra.
  - rewrite Z.add_0_r, plus_IZR. lra.
  - rewrite IH. replace (s + 1 + Z.of_nat j)%Z with (s + Z.of_nat (S j))%Z by (rewrite Nat2Z.inj_succ; ring). simpl. lra.
  - rewrite IH. replace (s + 1 + Z.of_nat j)%Z with (s + Z.of_nat (S j))%Z by (rewrite Nat2Z.inj_succ; ring). lra.
Qed.

Lemma nonneg_plus : forall A B, nonneg A -> nonneg B -> nonneg (plus Z.add A B).
Proof.
  induction A as [|a A IH]; intros [|b B] HA HB; simpl; try assumption.
  inversion HA; inversion HB; subst. constructor; [apply Z.add_nonneg_nonneg; assumption|]. apply IH; assumption.
Qed.

Lemma nonneg_times : forall A B, nonneg A -> nonneg B -> nonneg (times 0%Z Z.add Z.mul A B).
Proof.
  intros A B HA HB. induction HA as [|a A Ha HA IH]; simpl; [constructor|].
  apply nonneg_plus; [|constructor; [apply Z.le_refl|assumption]].
  clear -Ha HB. induction HB; simpl; constructor; [apply Z.mul_nonneg_nonneg; assumption|assumption].
Qed.

Lemma nonneg_add_at i x : (0 <= x)%Z -> forall A, nonneg A -> nonneg (add_at 0%Z Z.add i x A).
Proof.
  intros Hx. induction i as [|j IH]; intros [|a A] HA; simpl.
  - constructor; assumption.
  - inversion HA; subst. constructor; [apply Z.add_nonneg_nonneg; assumption|assumption].
  - constructor; [apply Z.le_refl|]. apply IH. constructor.
  - inversion HA; subst. constructor; [assumption|]. apply IH. assumption.
Qed.
