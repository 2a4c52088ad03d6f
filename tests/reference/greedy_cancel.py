"""The greedy canceller, every question looked at in every step: the specification of ``noise.greedy_cancel``."""

from __future__ import annotations

import numpy as np

from bristlecone.noise.questions import Questions

DRAWS = 32


def greedy_cancel_twin(
    all_questions: Questions, level: list[bool], second: np.ndarray, budget: int, window: int, rng: np.random.Generator
):
    """Returns the replaced rows, all labels, all lenders."""
    codes = all_questions.codes
    n = len(second)
    second, source, replaced = list(map(bool, second)), list(range(n)), set()
    questions = [(j, c) for j in range(len(codes)) for c in range(codes[j].max() + 2)]

    def holds(question, row):
        j, c = question
        return bool(codes[j][row] == c if level[j] else codes[j][row] <= c)

    def covariance(question, labels, sources):
        rows = [holds(question, source) for source in sources]
        return n * sum(h and k for h, k in zip(rows, labels, strict=True)) - sum(rows) * sum(labels)

    for step in range(budget):
        if step % window == 0:
            leans = lean(all_questions, source, second)
        sizes = [abs(covariance(question, second, source)) for question in questions]
        largest = max(sizes)
        if largest == 0:
            break
        question = questions[sizes.index(largest)]
        best, found = largest, None
        for h in (False, True):
            for k in (False, True):
                out = [i for i in range(n) if i not in replaced and holds(question, source[i]) == h and second[i] == k]
                for new_h in (False, True):
                    lenders = [i for i in range(n) if holds(question, i) == new_h]
                    for new_k in (False, True):
                        if not out or not lenders:
                            continue
                        labels, sources = list(second), list(source)
                        labels[out[0]], sources[out[0]] = new_k, lenders[0]
                        moved = abs(covariance(question, labels, sources))
                        if moved < best:
                            best, found = moved, (out, lenders, new_k)
        if found is None:
            break
        out, lenders, label = found
        drawn = [out[i] for i in rng.integers(len(out), size=DRAWS)]
        row = max(drawn, key=lambda i: (second[i] - 0.5) * leans[source[i]])
        drawn = [lenders[i] for i in rng.integers(len(lenders), size=DRAWS)]
        lender = min(drawn, key=lambda i: (label - 0.5) * leans[i])
        second[row], source[row] = label, lender
        replaced.add(row)
    return sorted(replaced), second, source


def lean(questions: Questions, source: list[int], second: list[bool]) -> np.ndarray:
    """Each column's best question, which has a test of its own, votes by its covariance."""
    found = np.zeros(len(second))
    for j, codes in enumerate(questions.codes):
        best = questions.best_of(j, codes[source], np.array(second))
        if best is not None:
            found += [best.covariance * best.left[code] for code in codes]
    return found
