#include "query/marks.hpp"

#include <algorithm>

namespace bristlecone {
namespace {

void pack(const std::uint8_t* bits, std::size_t n, std::uint8_t* out) {
    for (std::size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        const std::size_t stop = std::min(n, i + 8);
        for (std::size_t k = i; k < stop; ++k) byte |= static_cast<unsigned>(bits[k] != 0) << (7 - (k - i));
        *out++ = static_cast<std::uint8_t>(byte);
    }
}

bool marked(const std::uint8_t* marks, std::size_t n) {
    unsigned any = 0;
    for (std::size_t k = 0; k < n; ++k) any |= marks[k];
    return any != 0;
}

constexpr std::int32_t unmarked = -1;

}  // namespace

ByLeaf count_by_leaf(const BareTree& tree, std::size_t n_nodes, const MarkedPoints& given, bool keeps,
                     std::int64_t* counts) {
    std::vector<std::int32_t> leaf(given.n_rows);
    std::vector<std::int64_t> size(n_nodes, 0);
    for (std::size_t r = 0; r < given.n_rows; ++r) {
        const std::uint8_t* marks = given.marks + r * given.n_marks;
        leaf[r] = unmarked;
        if (!marked(marks, given.n_marks)) continue;
        leaf[r] = tree.leaf_of(given.points + r * given.n);
        ++size[static_cast<std::size_t>(leaf[r])];
        std::int64_t* at = counts + static_cast<std::size_t>(leaf[r]) * given.n_marks;
        for (std::size_t k = 0; k < given.n_marks; ++k) at[k] += marks[k];
    }
    ByLeaf found;
    if (!keeps) return found;
    std::vector<std::int64_t> place(n_nodes, 0);
    std::int64_t total = 0;
    for (std::size_t v = 0; v < n_nodes; ++v) {
        if (size[v] == 0) continue;
        found.leaf.push_back(static_cast<std::int32_t>(v));
        found.start.push_back(place[v] = total);
        total += size[v];
    }
    found.start.push_back(total);
    const std::size_t bytes = given.packed_bytes(), of_point = (given.n + 7) / 8;
    found.packed.resize(static_cast<std::size_t>(total) * bytes);
    for (std::size_t r = 0; r < given.n_rows; ++r) {
        if (leaf[r] == unmarked) continue;
        const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(leaf[r])]++);
        std::uint8_t* row = found.packed.data() + at * bytes;
        pack(given.points + r * given.n, given.n, row);
        pack(given.marks + r * given.n_marks, given.n_marks, row + of_point);
    }
    return found;
}

void count_sides(const PackedPoints& given, std::size_t variable, std::uint8_t* high, std::int64_t* counts) {
    const std::size_t of_point = (given.n + 7) / 8, of_marks = (given.n_marks + 7) / 8;
    for (std::size_t r = 0; r < given.n_rows; ++r) {
        const std::uint8_t* row = given.rows + r * (of_point + of_marks);
        high[r] = row[variable / 8] >> (7 - variable % 8) & 1;
        const std::int64_t times = given.times ? given.times[r] : 1;
        std::int64_t* at = counts + high[r] * given.n_marks;
        const std::uint8_t* marks = row + of_point;
        for (std::size_t k = 0; k < given.n_marks; ++k)
            at[k] += -static_cast<std::int64_t>(marks[k / 8] >> (7 - k % 8) & 1) & times;
    }
}

}  // namespace bristlecone
