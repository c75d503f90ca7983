"""Questions about games: contests, hindsight, worst cases, reductions, drift."""
