------------------------ MODULE SlotLeaseMessages ------------------------
(* One slot's record, and nodes that write to it through messages. A write that was sent may be applied late, twice
   (Curator repeats a transaction whose answer was lost), or never; its answer may never arrive. A node that does not know
   goes by what it reads back. Clocks may show anything. Each guard of the protocol is a constant, so that a checker can
   take it away: without any one of them two nodes hand out the same tick. *)
EXTENDS Naturals, FiniteSets
CONSTANTS Nodes, None, MaxT, W, MaxVer, CheckVersion, ReadBack, FloorAbove, CheckCeiling
VARIABLES rec, pc, ver, floor, ceil, want, net, last, issued, dup
vars == <<rec, pc, ver, floor, ceil, want, net, last, issued, dup>>
Max(a, b) == IF a > b THEN a ELSE b
Init ==
  /\ rec = [ver |-> 0, ceil |-> 0, by |-> None]
  /\ pc = [n \in Nodes |-> "idle"]
  /\ ver = [n \in Nodes |-> 0]
  /\ floor = [n \in Nodes |-> 0]
  /\ ceil = [n \in Nodes |-> 0]
  /\ want = [n \in Nodes |-> 0]
  /\ net = {}
  /\ last = [n \in Nodes |-> 0]
  /\ issued = {}
  /\ dup = FALSE
Read(n) ==         \* a claim begins: the record as it is now
  /\ pc[n] = "idle"
  /\ ver' = [ver EXCEPT ![n] = rec.ver]
  /\ floor' = [floor EXCEPT ![n] = IF FloorAbove THEN rec.ceil + 1 ELSE rec.ceil]
  /\ last' = [last EXCEPT ![n] = IF FloorAbove THEN rec.ceil ELSE Max(rec.ceil, 1) - 1]
  /\ ceil' = [ceil EXCEPT ![n] = 0]
  /\ pc' = [pc EXCEPT ![n] = "read"]
  /\ UNCHANGED <<rec, want, net, issued, dup>>
Send(n) ==         \* the claim, or a renewal
  /\ pc[n] \in {"read", "active"} /\ rec.ver < MaxVer
  /\ \E now \in 0..MaxT:
       /\ want' = [want EXCEPT ![n] = Max(Max(now, floor[n]), ceil[n]) + W]
       /\ want'[n] <= MaxT + W
       /\ net' = net \cup {[by |-> n, ver |-> ver[n], ceil |-> want'[n]]}
  /\ pc' = [pc EXCEPT ![n] = IF pc[n] = "read" THEN "claiming" ELSE "renewing"]
  /\ UNCHANGED <<rec, ver, floor, ceil, last, issued, dup>>
Apply ==           \* also long after it was sent, and again
  /\ \E m \in net:
       /\ rec.ver < MaxVer
       /\ IF CheckVersion THEN rec.ver = m.ver ELSE TRUE
       /\ rec' = [ver |-> rec.ver + 1, ceil |-> m.ceil, by |-> m.by]
  /\ UNCHANGED <<pc, ver, floor, ceil, want, net, last, issued, dup>>
Lose == \E m \in net: net' = net \ {m} /\ UNCHANGED <<rec, pc, ver, floor, ceil, want, last, issued, dup>>
Waiting(n) == pc[n] \in {"claiming", "renewing"}
Resolve(n) ==      \* the answer is lost: read back, or believe that it went well
  /\ Waiting(n)
  /\ IF ReadBack THEN rec.by = n /\ rec.ceil = want[n] ELSE TRUE
  /\ pc' = [pc EXCEPT ![n] = "active"]
  /\ ver' = [ver EXCEPT ![n] = rec.ver]
  /\ ceil' = [ceil EXCEPT ![n] = want[n]]
  /\ UNCHANGED <<rec, floor, want, net, last, issued, dup>>
GiveUp(n) ==       \* at any moment: fenced. What was sent may still be applied
  /\ pc[n] # "idle"
  /\ pc' = [pc EXCEPT ![n] = "idle"]
  /\ UNCHANGED <<rec, ver, floor, ceil, want, net, last, issued, dup>>
Issue(n) ==        \* the clock may show any later tick
  /\ pc[n] \in {"active", "renewing"} /\ ceil[n] > 0
  /\ \E t \in 0..(MaxT + W):
       /\ t > last[n] /\ t >= floor[n]
       /\ IF CheckCeiling THEN t <= ceil[n] ELSE TRUE
       /\ last' = [last EXCEPT ![n] = t]
       /\ dup' = (dup \/ t \in issued)
       /\ issued' = issued \cup {t}
  /\ UNCHANGED <<rec, pc, ver, floor, ceil, want, net>>
Next == Apply \/ Lose \/ \E n \in Nodes: Read(n) \/ Send(n) \/ Resolve(n) \/ GiveUp(n) \/ Issue(n)
Spec == Init /\ [][Next]_vars
Unique == ~dup
==========================================================================
