// Labels that are whole numbers of a small range, coded by counting instead of sorting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace bristlecone {

// Writes the place of each label among the distinct ones, which are returned ascending; nothing when the labels span
// `range` values or more, or are none.
std::optional<std::vector<std::int64_t>> code_labels(const std::int64_t* labels, std::size_t n, std::uint64_t range,
                                                     std::int32_t* codes);

}  // namespace bristlecone
