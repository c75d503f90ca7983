"""The words of docs/which-learner.md: its numbers are computed, or are those of examples that run."""

KINDS = {
    "wide": "few relevant attributes of very many, all of them common",
    "narrow": "few relevant attributes of very many, most of them rare",
    "fresh": "the same, and a long stream",
    "dense": "many relevant attributes",
    "noise": "few relevant attributes, wrong labels",
    "drift": "a target that changes",
}
GROUPS = {
    "one-hot tables": "one-hot tables",
    "short texts": "short texts",
    "words in their context": "words in their context (spelling, chunks, attachment)",
    "long documents": "long documents",
    "not linear": "no linear rule",
}
PAGE = """# Which learner?

`Auto()`, if you do not want to choose: it runs a pool of learners in one pass and follows those that have done well,
all of them at first, and four after 8,192 trials; when mistakes become more frequent, all begin anew. If you do, this
is what the measurements below say: the best three and the worst two, and how many times the mistakes of the best they
make (geometric means over the streams of a kind, mean shares over real sets). All have their own default parameters.

{choice}
Beyond mistakes: for a bound before the first example, a certificate after the last, or a rule that can be read, take
`Winnow` or `Perceptron`; for many classes, `Auto`, `WinnerTakesAll` or `MulticlassPerceptron`; for names without end,
`Bounded`; for conjunctions, `KernelWinnow` or `GrowingWinnow` ([DNF](dnf.md)).

`python benchmarks/which_learner.py` plays these streams and writes this page; counts are means over 3 seeds. Those of
real sets, and of the first two kinds, are those of [the comparison with other libraries](peers.md), which has the
machine, the versions and the command.

## Few relevant attributes of very many

Half of the rows are positive, and those have one of 5 relevant attributes on. In wide rows, n/50 of the n attributes
are on. An irrelevant attribute then comes often enough to mislead whoever adds to its weight; Winnow halves it again.

<picture><source media="(prefers-color-scheme: dark)" srcset="growth-dark.svg"><img
alt="Mistakes against the number of attributes, with bounds" src="growth.svg"></picture>

{wide}
The theory: Winnow makes at most 3 k ceil(log2 n) + 2 mistakes on any such stream; the Perceptron (4k+1)(X+1), with X
attributes on, which grows with n where X does. No additive learner escapes: an adversary forces about n/2 mistakes on
any of them.

```python
>>> import littlestone as ls
>>> [ls.bounds.winnow_disjunction(n=10**e, k=5).value for e in (3, 4, 5, 6)]
[151, 211, 256, 301]
>>> [ls.bounds.perceptron_disjunction(k=5, X=10**e // 50).value for e in (3, 4, 5, 6)]
[441, 4221, 42021, 420021]
>>> print(ls.bounds.additive_lower(n=1000, k=5))
mistakes >= 992 (Kivinen-Warmuth, Theorem 13)
>>> print(ls.Winnow.for_disjunctions(n=10**6, k=5).guarantee)         # tuned for k
mistakes <= 219.167 if a disjunction of k = 5 attributes gives the labels (Auer-Warmuth, Winnow)

```

In narrow rows 75 attributes are on, however many there are. With many of them nearly every irrelevant attribute is new
and has no weight yet, so that an additive learner sees little but the relevant ones; its bound does not know n, while
Winnow has to climb to a threshold of n. So Winnow's advantage is gone where attributes are many *and* rare; told k, it
starts from a lower threshold, and gets some of it back:

{narrow}
```python
>>> ls.bounds.perceptron_disjunction(k=5, X=75).value                 # for every n
1596

```

## Second-order learners on fresh attributes

The same narrow rows for 100,000 trials. AROW and NHERD give an attribute that they have never seen full variance, and a
step that is shared among all attributes in proportion to their variances: the new ones, which nobody needs, take nearly
all of it, and the relevant ones, already certain, learn no more. A margin that scales with the variance (confidence
weighted, SCW) or a rate of each attribute's own (AdaGrad, where attributes are rare) does not have this fault.

{fresh}
AROW's bound (`ls.bounds.arow`) is stated in what the stream was like, not in k and n.

## Many relevant attributes

Two fifths of all attributes are relevant, rows have fewer than two attributes on (Kivinen and Warmuth's Figure 2). What
Winnow pays for each relevant attribute adds up; plain elimination, without noise, has a far better bound.

{dense}
```python
>>> ls.bounds.winnow_disjunction(n=200, k=80).value, ls.bounds.elimination(n=200, k=80).value
(1921, 120)

```

## Wrong labels

1,000 attributes, 5 of them relevant, each on with the probability that makes half of the rows positive.

{noise}
A wrong label is an attribute error or several; each costs Winnow at most 3 more mistakes.

```python
>>> [ls.bounds.winnow_disjunction(n=1000, k=5, attribute_errors=A).value for A in (0, 1, 100)]
[151, 154, 451]

```

## A target that changes

The same rows, with 5 other relevant attributes from time to time. A floor under the weights is what lets an attribute
come back soon; without it, Winnow has to undo all its demotions first.

{drift}
```python
>>> [round(ls.bounds.shifting_winnow(n=1000, k=5, floor=0.1, added=m, removed=m).value) for m in (0, 5, 20)]
[157, 387, 1077]

```

## Real sets

Mean share of mistakes in one pass, in file order. One-hot tables have few attributes and all matter a little: no
advantage for Winnow, an advantage for second-order learners. In long documents hundreds of attributes are on, evidence
has two signs, and positive weights against one threshold are a bad model: second-order learners do best, thick balanced
weights (`ModifiedBalancedWinnow`) come after them.

{groups}
## Many classes

{many}
`WinnerTakesAll()` is SNoW's Winnow, thick and averaged, with a target a class and weights only where a class has seen
an attribute. `MulticlassPerceptron` has the bound, 2 (R/gamma)^2.

```python
>>> ls.bounds.multiclass_perceptron(radius=3.0, norm=1.0, gamma=0.5).value
72.0

```

## Bounded memory

`Bounded(Perceptron(), max_attributes=...)` on 20,000 narrow rows of 1,000,000 attributes, hundreds of thousands of
which come. Dropping what has moved least costs nothing here (what is forgotten misleads nobody), until there is no room
for what matters to show it.

{rooms}
"""
