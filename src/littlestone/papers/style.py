"""The style of the page of the papers, beside that of all pages."""

from __future__ import annotations

__all__ = ["STYLE"]

STYLE = """\
article { border-top: 1px solid var(--line); padding-top: .5rem; margin-top: 2rem }
h3 { font-size: 1.02rem; margin: .5rem 0 .25rem; overflow-wrap: anywhere }
h2, article { scroll-margin-top: .5rem }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: .15em }
nav li { margin: .1rem 0; break-inside: avoid }
nav ul ul { columns: 18rem; column-gap: 2.5rem; padding-left: 1.2rem; max-width: none }
nav > ul { padding-left: 0; list-style: none } nav > ul > li { max-width: none; margin-top: .6rem }
.back { margin-left: .75rem; font-size: .875rem; white-space: nowrap }
.top { display: flex; flex-wrap: wrap; gap: .1rem 1rem; max-width: none }
.verdict { font-size: .8rem; font-weight: 600; white-space: nowrap; padding: .05rem .45rem; border-radius: 1rem;
  border: 1px solid currentColor }
.confirmed { color: #00664a } .corrected { color: #0b5ea8 } .not-confirmed { color: #a83b00 }
.not-checkable { color: #5c5c5c }
@media (prefers-color-scheme: dark) {
  .confirmed { color: #4fd1a5 } .corrected { color: #7cc0f5 } .not-confirmed { color: #ff9d66 }
  .not-checkable { color: #b0b0b0 }
}
#summary td.word, .comparisons td.word { min-width: 0 } #summary td:last-child { min-width: 11rem }
#summary th[scope=row] { max-width: 24rem } #summary .group { background: var(--best) }
#errata td.word { min-width: 12rem; max-width: 24rem; color: var(--ink); vertical-align: top }
#errata th[scope=row] { vertical-align: top; max-width: 15rem } #checklist th[scope=row] { min-width: 2.5rem }
#checklist td.word { min-width: 10rem; vertical-align: top }
#summary tbody th, #summary td { vertical-align: top }
.comparisons th[scope=row] { font-weight: 400; font-size: .875rem; min-width: 7.5rem; max-width: 38rem }
.comparisons td { font-size: .875rem; overflow-wrap: anywhere; color: var(--ink) }
.fails td:last-child { font-weight: 700 } article .wide { margin: .75rem 0 } article .figures { margin: 1rem 0 }
.claim { border-left: 3px solid var(--line); padding-left: .75rem }
article figure { max-width: 40rem }
@media (max-width: 40rem) {
  :is(#summary, #errata, #checklist) :is(table, caption, tbody, tr, th[scope=row], td.word) { display: block;
    min-width: 0; max-width: none; padding-right: 0 }
  :is(#summary, #errata, #checklist) :is(thead, td:empty) { display: none }
  :is(#summary, #errata, #checklist) tbody tr { padding: .4rem 0 }
  #errata td::before { font-weight: 600 } #errata td:nth-child(2)::before { content: "Printed: " }
  #errata td:nth-child(3)::before { content: "True: " }
  #errata td:nth-child(4)::before { content: "Smallest counterexample: " }
}
@media print { .back, .top { display: none } h2, h3 { break-after: avoid } table { font-size: 8pt }
  main :is(th, th[scope=row], td, td.word) { min-width: 0; padding-right: .5rem; font-size: inherit !important } }
"""
