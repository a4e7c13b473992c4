----------------------------- MODULE Generations -----------------------------
(***************************************************************************)
(* Why no two IDs are equal after a disaster: where the next generation    *)
(* begins.                                                                 *)
(*                                                                         *)
(* WORDS, as in docs/design.md. A generation of a pool says which slot     *)
(* means which resource, and by which window its tenures reserve. An       *)
(* incarnation is a generation of the whole root. Each has a name that     *)
(* never comes again, and a floor. A resource is what makes IDs differ: an *)
(* ID is a resource and a tick, and two slots of two generations may mean  *)
(* the same resource. A record knows only what was reserved of its slot,   *)
(* and only as far as ZooKeeper has not lost it. So a floor is above all   *)
(* that any tenure of any earlier generation may have reserved. The floor  *)
(* is told from the leader's time.                                         *)
(*                                                                         *)
(* WHAT MAY GO WRONG. ZooKeeper may lose everything at any time, or come   *)
(* back as it was when a backup was made. A pool's layout may be changed   *)
(* by command, edited, or deleted, with the pool's records or without.     *)
(* Meanwhile tenures of before go on issuing up to the ceilings that they  *)
(* know of: nobody tells them, and their clocks read whatever they like. A *)
(* request may reach ZooKeeper late, twice or never. Whoever begins a      *)
(* generation may be paused between finding that there is none and writing *)
(* one, and that write may be repeated. ZooKeeper's time jumps forward by  *)
(* any step, and each reading of it may be behind the highest that there   *)
(* was by Slack: another server leads, or another ensemble.                *)
(*                                                                         *)
(* WHAT IS ASSUMED. The clock by which ticks are reserved was judged by    *)
(* ZooKeeper's. It is at most Skew ahead of that; a clock that is behind   *)
(* reserves less. After a backup came back, the first that happens is that *)
(* meta goes: a replica notices and removes meta with the proof, or        *)
(* fence-restore replaces it. Where a generation is begun by the window of *)
(* the replica that begins it, because the root is empty, or the pool, no  *)
(* tenure had a larger one: so Windows has one element in a world with     *)
(* wipes. Nobody edits a floor.                                            *)
(*                                                                         *)
(* WHAT IS NOT HERE, because SlotLease.model has it: numbers in a tick,    *)
(* timelines, snapshots, answers. Neither has leases: one may vanish at    *)
(* any time, so a claim does not look for one. A tenure knows at once that *)
(* its request was applied, and may then draw at any time, or never: that  *)
(* is more than it may do when the answer is late or lost. IDs other than  *)
(* the watched one show only in the tick to which a release sets the       *)
(* record down. And there is no replica that finds a new incarnation's     *)
(* floor below its own ceilings: it would have found a rule broken, and    *)
(* none is.                                                                *)
(*                                                                         *)
(* GUARDS. Without is the set of guards that are left out, {} as built.    *)
(* Each guard is needed: without any single one Unique fails.              *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
  Slots,       \* 1..n; there are as many resources
  Maps,        \* the layouts: in each, slot s means another resource; subset of 0..n-1
  Tenures,     \* each is one try to claim, and its nonce
  None,
  Windows,     \* the windows that replicas may be configured with
  Skew,        \* how far ahead of ZooKeeper's time a clock may be by which ticks are reserved
  Slack,       \* how far a reading of ZooKeeper's time may be behind the highest that there was
  Disasters,   \* what happens in this world
  Late,        \* what is begun late, by one who was paused: an "incarnation" or a pool's "generation"
  LastTick,    \* the scheme's time: ticks are 1..LastTick
  LastTime,    \* where the model ends: ZooKeeper's time,
  Begins,      \* how many incarnations and generations are begun, in all,
  Writes,      \* how often a record is written
  Without      \* the guards that are left out

Guards == {"window",      \* a floor counts the window of those who may have reserved,
           "skew",        \* and how far ahead their clocks may have been,
           "slack",       \* and how far ZooKeeper's time may have come back since,
           "tick",        \* and one tick more, as ceilings are inclusive
           "leader",      \* that time is the one of the write that begins the generation, not one read before
           "cap",         \* no ceiling is further ahead than a window from the clock, wherever the floor is
           "judged",      \* nobody reserves by a clock that is further ahead than the skew
           "eraFloor",  \* a claim's floor is not below meta's, nor the layout's
           "incarnation", \* a write is applied only under the incarnation that its writer saw,
           "generation",  \* and only under the generation of the pool that its writer saw:
           "claim",       \* a claim's,
           "renewal",     \* a renewal's,
           "release",     \* and a release's
           "terms",       \* whoever is configured with another window than the layout's claims nothing
           "largest",     \* where nobody knows the window of those who may have reserved, it is the largest that is allowed
           "carried",     \* a generation's floor is not below the one of the generation that it follows
           "follows",     \* the write that begins it names the one that it follows
           "content",     \* a layout that was edited since its generation began is no layout, and tells no window
           "root",        \* an incarnation begins only in the root that was found empty
           "unused",      \* a pool is begun as never used only if it has no records then
           "promise"}     \* that nobody ever reserved anything is true when it is acted on, not only when it is said

ASSUME Without \subseteq Guards /\ Disasters \subseteq {"wipe", "restore", "relayout", "edit", "lose", "delete"}

Has(guard) == guard \notin Without
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Highest(numbers) == CHOOSE n \in numbers: \A m \in numbers: m <= n
Ticks == 1..LastTick
Resource(map, slot) == 1 + ((slot + map) % Highest(Slots))

VARIABLES
  time,      \* the highest time that a leader of ZooKeeper had
  zk,        \* in ZooKeeper: the root's version; meta, the pool's layout, its records, or None
  backup,    \* the same as a backup has it; None before it is made
  begun,     \* how many incarnations and generations were begun
  late,      \* what somebody decided to begin, who was paused then
  network,   \* the requests that were sent
  tenure,    \* what each tenure knows
  watched,   \* one ID, any one: the checker tries every ID in turn
  taken      \* how often the watched ID was taken, and so is, or will be, handed out

vars == <<time, zk, backup, begun, late, network, tenure, watched, taken>>

(***************************************************************************)
(* Shapes                                                                  *)
(***************************************************************************)

Empty == [version |-> 0, meta |-> None, layout |-> None, records |-> None]
IsEmpty == zk.meta = None /\ zk.layout = None /\ zk.records = None

Unused == [s \in Slots |-> [version |-> 0, ceiling |-> 0, nonce |-> None]]

\* A tenure's phases: new, nothing was done yet; claiming, its claim was sent; serving, the claim was applied; gone, it does nothing
\* any more. `asked`: a request of the tenure is under way. `drew`: it has taken the watched ID; a tenure takes none twice.
New ==
  [phase |-> "new", slot |-> None, resource |-> None, incarnation |-> None, generation |-> None, window |-> None,
   version |-> None, floor |-> 0, ceiling |-> 0, asked |-> FALSE, drew |-> FALSE]
Gone == [New EXCEPT !.phase = "gone"]

Request(t, from, verb, version, ceiling) ==
  [nonce |-> t, verb |-> verb, slot |-> from.slot, incarnation |-> from.incarnation, generation |-> from.generation,
   version |-> version, ceiling |-> ceiling]

(***************************************************************************)
(* The begin of an incarnation, or of a pool's generation                  *)
(***************************************************************************)

Readings == (IF time > Slack THEN time - Slack ELSE 0)..time

Term(guard, value) == IF Has(guard) THEN value ELSE 0
Ahead(window) == Term("window", window) + Term("skew", Skew) + Term("slack", Slack) + Term("tick", 1)

Largest(otherwise) == IF Has("largest") THEN Highest(Windows) ELSE otherwise
Readable(layout) == layout.fits \/ ~Has("content")

NobodyYet == \A t \in Tenures: tenure[t].phase = "new"

\* Decisions to begin something. `counted` is the window that the floor counts, `least` the lowest that the floor can be, and
\* `read` ZooKeeper's time when the decision was made. Of an incarnation, by one who found a root with that version and no meta:
Incarnation(version, counted, promised, read) ==
  [verb |-> "incarnation", version |-> version, counted |-> counted, least |-> 0, promised |-> promised, read |-> read]

\* Of a pool's generation, by one who found another (None: none) under an incarnation, and no records if `unused`:
Generation(incarnation, old, unused, window, map, counted, least, promised, read) ==
  [verb |-> "generation", incarnation |-> incarnation, old |-> old, unused |-> unused, window |-> window, map |-> map,
   counted |-> counted, least |-> least, promised |-> promised, read |-> read]

\* Whoever serves and finds the root empty; else an operator, by fence-restore.
Incarnations ==
  IF zk.meta # None THEN {}
  ELSE IF IsEmpty THEN {Incarnation(zk.version, w, FALSE, now): w \in Windows, now \in Readings}
  ELSE {Incarnation(zk.version, Largest(IF zk.layout = None THEN 0 ELSE zk.layout.window), FALSE, now): now \in Readings}

\* Whoever serves and finds no layout.
FirstGenerations ==
  IF zk.meta = None \/ zk.layout # None THEN {}
  ELSE {Generation(zk.meta.name, None, zk.records = None, w, m, IF zk.records = None THEN w ELSE Largest(w), 0, FALSE, now):
          w \in Windows, m \in Maps, now \in Readings}

\* An operator, by relayout.
NextGenerations ==
  IF zk.meta = None \/ zk.layout = None \/ "relayout" \notin Disasters THEN {}
  ELSE LET old == zk.layout IN
       {Generation(zk.meta.name, old.name, FALSE, w, m,
                   IF Readable(old) THEN old.window ELSE Largest(old.window),
                   IF Readable(old) /\ Has("carried") THEN old.floor ELSE 0, FALSE, now):
          w \in Windows, m \in Maps, now \in Readings}

Decisions == Incarnations \cup FirstGenerations \cup NextGenerations

\* The decision is carried out, at a time when the leader's clock reads `now`.
Begun(d, now) ==
  LET name == begun + 1
      floor == IF d.promised THEN 0 ELSE Max(d.least, Ahead(d.counted) + (IF Has("leader") THEN now ELSE d.read))
  IN
  /\ begun < Begins
  /\ begun' = name
  /\ d.promised /\ Has("promise") => NobodyYet
  /\ IF d.verb = "incarnation"
     THEN /\ zk.meta = None
          /\ Has("root") => zk.version = d.version
          /\ zk' = [zk EXCEPT !.meta = [name |-> name, floor |-> floor], !.version = @ + 1]
     ELSE /\ zk.meta # None /\ zk.meta.name = d.incarnation
          /\ zk.layout = None <=> d.old = None
          /\ d.old # None /\ Has("follows") => zk.layout.name = d.old
          /\ d.unused /\ Has("unused") => zk.records = None
          /\ zk' = [zk EXCEPT !.layout = [name |-> name, window |-> d.window, map |-> d.map, floor |-> floor, fits |-> TRUE],
                              !.records = IF @ = None THEN Unused ELSE @]
  /\ UNCHANGED <<time, backup, late, network, tenure, watched, taken>>

Begin == \E d \in Decisions: Begun(d, d.read)

\* What was decided in the beginning: at any time, or never, or again.
BeginLate == \E now \in Readings: Begun(late, now)

\* A root that was begun, and the pool with it, by the promise that nobody ever reserved anything. Somebody else had found nothing
\* either, or has decided to change the layout, and is paused.
Init ==
  /\ time = 0
  /\ \E w \in Windows:
       zk = [version |-> 1,
             meta    |-> [name |-> -1, floor |-> 0],
             layout  |-> [name |-> 0, window |-> w, map |-> 0, floor |-> 0, fits |-> TRUE],
             records |-> Unused]
  /\ backup = None
  /\ begun = 0
  /\ late \in
       CASE Late = "incarnation" -> {Incarnation(0, w, promised, 0): w \in Windows, promised \in BOOLEAN}
         [] Late = "generation" -> {Generation(-1, None, TRUE, w, 0, w, 0, promised, 0): w \in Windows, promised \in BOOLEAN}
                                   \cup NextGenerations
  /\ network = {}
  /\ tenure = [t \in Tenures |-> New]
  /\ watched \in {Resource(0, 1)} \X Ticks \* slots and resources are all alike
  /\ taken = 0

(***************************************************************************)
(* Requests                                                                *)
(***************************************************************************)

Fits(r) ==
  /\ zk.records # None /\ zk.records[r.slot].version = r.version
  /\ Has("incarnation") /\ Has(r.verb) => zk.meta # None /\ zk.meta.name = r.incarnation
  /\ Has("generation") /\ Has(r.verb) => zk.layout # None /\ zk.layout.name = r.generation

\* What may still be applied. A write that names what it depends on, and does not fit now, never will again.
MayFit(r) == Fits(r) \/ {"incarnation", "generation", r.verb} \cap Without # {}

Apply(r) ==
  LET t == r.nonce
      version == r.version + 1
  IN
  /\ Fits(r) /\ r.version < Writes
  /\ zk' = [zk EXCEPT !.records[r.slot] =
              [version |-> version, ceiling |-> r.ceiling, nonce |-> IF r.verb = "release" THEN None ELSE t]]
  /\ tenure' = IF tenure[t].phase \in {"claiming", "serving"}
               THEN [tenure EXCEPT ![t] = [@ EXCEPT !.phase = "serving", !.version = version,
                                                    !.ceiling = Max(@, r.ceiling), !.asked = FALSE]]
               ELSE tenure
  /\ UNCHANGED <<time, backup, begun, late, network, watched, taken>>

(***************************************************************************)
(* Disasters                                                               *)
(***************************************************************************)

Pass ==
  /\ time < LastTime
  /\ time' \in time + 1..LastTime
  /\ UNCHANGED <<zk, backup, begun, late, network, tenure, watched, taken>>

Becomes(state) ==
  /\ zk' = state
  /\ UNCHANGED <<time, backup, begun, late, network, tenure, watched, taken>>

Wipe == "wipe" \in Disasters /\ ~IsEmpty /\ Becomes(Empty)

BackUp ==
  /\ "restore" \in Disasters /\ backup = None
  /\ zk.meta # None /\ zk.layout # None
  /\ backup' = zk
  /\ UNCHANGED <<time, zk, begun, late, network, tenure, watched, taken>>

Restore ==
  /\ backup # None
  /\ Becomes([backup EXCEPT !.meta = None, !.version = @ + 1])

EditLayout ==
  /\ "edit" \in Disasters /\ zk.layout # None /\ zk.layout.fits
  /\ \E w \in Windows, m \in Maps: Becomes([zk EXCEPT !.layout.window = w, !.layout.map = m, !.layout.fits = FALSE])

LoseLayout == "lose" \in Disasters /\ zk.layout # None /\ Becomes([zk EXCEPT !.layout = None])

DeletePool == "delete" \in Disasters /\ zk.layout # None /\ Becomes([zk EXCEPT !.layout = None, !.records = None])

(***************************************************************************)
(* A tenure                                                                *)
(***************************************************************************)

\* The readings of a clock that was found to be right enough, and how far one may reserve by them.
Clocks == IF Has("judged") THEN time..Min(LastTick, time + Skew) ELSE time..LastTick
CeilingAt(now, floor, window) == Min(LastTick, window + (IF Has("cap") THEN now ELSE Max(now, floor)))

Send(t, changed, request) ==
  /\ MayFit(request)
  /\ network' = network \cup {request}
  /\ tenure' = [tenure EXCEPT ![t] = changed]
  /\ UNCHANGED <<time, zk, backup, begun, late, watched, taken>>

Claim(t, s) ==
  /\ tenure[t].phase = "new"
  /\ \A u \in Tenures: u < t => tenure[u].phase # "new" \* tenures are numbered as they begin
  /\ zk.meta # None /\ zk.layout # None /\ zk.records # None
  /\ Readable(zk.layout)
  /\ \E now \in Clocks, w \in Windows:
       LET record == zk.records[s]
           above == IF Has("eraFloor") THEN Max(zk.meta.floor, zk.layout.floor) ELSE 0
           floor == Max(record.ceiling + 1, above)
           ceiling == CeilingAt(now, floor, w)
           claiming == [New EXCEPT !.phase = "claiming", !.slot = s, !.resource = Resource(zk.layout.map, s),
                                   !.incarnation = zk.meta.name, !.generation = zk.layout.name, !.window = w,
                                   !.floor = floor, !.asked = TRUE]
       IN /\ Has("terms") => w = zk.layout.window
          /\ floor <= ceiling
          /\ Send(t, claiming, Request(t, claiming, "claim", record.version, ceiling))

\* (A renewal with the same ceiling would change nothing but the version.)
Renew(t) ==
  /\ tenure[t].phase = "serving" /\ ~tenure[t].asked
  /\ \E now \in Clocks:
       LET ceiling == CeilingAt(now, tenure[t].floor, tenure[t].window) IN
       /\ ceiling > tenure[t].ceiling
       /\ Send(t, [tenure[t] EXCEPT !.asked = TRUE], Request(t, tenure[t], "renewal", tenure[t].version, ceiling))

\* It closes its generator, looks at meta, and reads back. If the record is still its own, under the same generation of the pool,
\* it sets the record down to the last tick that was used.
Release(t) ==
  /\ tenure[t].phase = "serving"
  /\ zk.meta # None /\ zk.layout # None /\ zk.records # None
  /\ zk.layout.name = tenure[t].generation
  /\ zk.records[tenure[t].slot].nonce = t
  /\ \E last \in tenure[t].floor - 1..tenure[t].ceiling:
       /\ tenure[t].drew => last >= watched[2]
       /\ Send(t, Gone, Request(t, [tenure[t] EXCEPT !.incarnation = zk.meta.name], "release",
                                zk.records[tenure[t].slot].version, last))

MayDraw(t) ==
  /\ tenure[t].phase = "serving" /\ ~tenure[t].drew
  /\ watched[1] = tenure[t].resource
  /\ tenure[t].floor <= watched[2] /\ watched[2] <= tenure[t].ceiling

\* A thread takes the watched ID, by whatever its clock reads. The ID counts from now on: the thread may be paused for however
\* long, and hand the ID out whatever has become of its tenure.
Draw(t) ==
  /\ MayDraw(t)
  /\ tenure' = [tenure EXCEPT ![t].drew = TRUE]
  /\ taken' = taken + 1
  /\ UNCHANGED <<time, zk, backup, begun, late, network, watched>>

Next ==
  \/ Begin \/ BeginLate
  \/ \E r \in network: Apply(r)
  \/ Pass
  \/ Wipe \/ BackUp \/ Restore \/ EditLayout \/ LoseLayout \/ DeletePool
  \/ \E t \in Tenures:
       \/ \E s \in Slots: Claim(t, s)
       \/ Renew(t) \/ Release(t)
       \/ Draw(t)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* Which states behave alike: what can never happen any more tells none    *)
(* apart. The checker keeps one of them (VIEW). Without a guard it may so  *)
(* pass over a way to two equal IDs, but each that it finds is one.        *)
(***************************************************************************)

\* Whether the tenure may still write: its record is there, now or in the backup.
MayWrite(t) ==
  \/ {"incarnation", "generation", "renewal"} \cap Without # {}
  \/ \E state \in {zk, backup}:
       /\ state # None
       /\ state.layout # None /\ state.layout.name = tenure[t].generation
       /\ state.records # None /\ state.records[tenure[t].slot].nonce = t

Waiting(t) == tenure[t].phase = "claiming" /\ \E r \in network: r.nonce = t /\ MayFit(r)

TenureAlike(t) ==
  IF tenure[t].phase = "new" \/ Waiting(t) THEN tenure[t]
  ELSE IF tenure[t].phase = "serving" /\ MayWrite(t) THEN tenure[t]
  ELSE IF MayDraw(t) THEN "cut off"
  ELSE Gone

LateAlike ==
  IF \/ late.promised /\ Has("promise") /\ ~NobodyYet
     \/ late.verb = "generation" /\ (zk.meta = None \/ zk.meta.name # late.incarnation)
     \/ late.verb = "generation" /\ late.old # None /\ Has("follows") /\ (zk.layout = None \/ zk.layout.name # late.old)
     \/ late.verb = "incarnation" /\ Has("root") /\ "wipe" \notin Disasters
  THEN None
  ELSE late

\* What an edited layout says is nothing.
ZkAlike ==
  IF zk.layout # None /\ ~Readable(zk.layout) /\ Has("largest")
  THEN [zk EXCEPT !.layout.window = None, !.layout.map = None]
  ELSE zk

Alike ==
  <<time, ZkAlike, backup, begun, LateAlike, {r \in network: MayFit(r)}, [t \in Tenures |-> TenureAlike(t)], watched, taken>>

(***************************************************************************)
(* What must hold: no ID is taken twice. As any ID may be the watched one, *)
(* that says it of all.                                                    *)
(***************************************************************************)
Unique == taken < 2
==============================================================================
