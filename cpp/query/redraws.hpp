// The questions that re-randomised influences ask: each point with one coordinate drawn afresh, where that changes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bristlecone {

// Points are rows of n bytes, 0 or 1. fresh: other draws of all coordinates.
struct Points {
    const std::uint8_t *cells, *fresh;
    std::size_t n_rows, n;
};

// How many coordinates differ from their fresh draws, over all points.
std::size_t count_redraws(const Points& points);

// For each of them in turn the changed point, and whose it is and what was changed.
void write_redraws(const Points& points, std::uint8_t* changed, std::int32_t* row, std::int32_t* coordinate);

// The answers to points, by row, and to their redraws, one after the other.
struct RedrawAnswers {
    const std::int64_t *before, *after;
    const std::int32_t *row, *coordinate;
    std::size_t n_redraws;
};

// Marks the coordinates whose redraw changed the answer, in cleared rows of n bytes.
void mark_changes(const RedrawAnswers& answers, std::size_t n, std::uint8_t* marks);

}  // namespace bristlecone
