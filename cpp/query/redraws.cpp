#include "query/redraws.hpp"

#include <cstring>
#include <vector>

namespace bristlecone {

std::size_t count_redraws(const Points& points) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < points.n_rows * points.n; ++k) count += points.cells[k] != points.fresh[k];
    return count;
}

void write_redraws(const Points& points, std::uint8_t* changed, std::int32_t* row, std::int32_t* coordinate) {
    const std::size_t n = points.n;
    std::vector<std::int32_t> differs(n + 1);
    for (std::size_t r = 0; r < points.n_rows; ++r) {
        const std::uint8_t *cells = points.cells + r * n, *fresh = points.fresh + r * n;
        // Without a branch: which cells differ cannot be predicted.
        std::size_t k = 0;
        for (std::size_t i = 0; i < n; ++i) {
            differs[k] = static_cast<std::int32_t>(i);
            k += cells[i] != fresh[i];
        }
        for (std::size_t d = 0; d < k; ++d) {
            std::memcpy(changed, cells, n);
            changed[differs[d]] = fresh[differs[d]];
            changed += n;
            *row++ = static_cast<std::int32_t>(r);
            *coordinate++ = differs[d];
        }
    }
}

void mark_changes(const RedrawAnswers& answers, std::size_t n, std::uint8_t* marks) {
    for (std::size_t k = 0; k < answers.n_redraws; ++k) {
        const auto row = static_cast<std::size_t>(answers.row[k]);
        const auto i = static_cast<std::size_t>(answers.coordinate[k]);
        marks[row * n + i] = answers.after[k] != answers.before[row];
    }
}

}  // namespace bristlecone
