#include "table/labels.hpp"

#include <algorithm>

namespace bristlecone {

std::optional<std::vector<std::int64_t>> code_labels(const std::int64_t* labels, std::size_t n, std::uint64_t range,
                                                     std::int32_t* codes) {
    if (n == 0) return std::nullopt;
    std::int64_t low = labels[0], high = labels[0];
    for (std::size_t i = 1; i < n; ++i) {
        low = std::min(low, labels[i]);
        high = std::max(high, labels[i]);
    }
    // without a sign, as the difference of two whole numbers may need 64 bits
    const std::uint64_t first = static_cast<std::uint64_t>(low), span = static_cast<std::uint64_t>(high) - first;
    if (span >= range) return std::nullopt;
    std::vector<std::int32_t> code_of(span + 1, -1);
    for (std::size_t i = 0; i < n; ++i) code_of[static_cast<std::uint64_t>(labels[i]) - first] = 0;
    std::vector<std::int64_t> classes;
    for (std::uint64_t k = 0; k <= span; ++k) {
        if (code_of[k] < 0) continue;
        code_of[k] = static_cast<std::int32_t>(classes.size());
        classes.push_back(static_cast<std::int64_t>(first + k));
    }
    for (std::size_t i = 0; i < n; ++i) codes[i] = code_of[static_cast<std::uint64_t>(labels[i]) - first];
    return classes;
}

}  // namespace bristlecone
