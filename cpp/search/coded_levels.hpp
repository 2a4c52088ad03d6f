// The rows of each level at a node: from the histogram, or from the rows where a column has too many levels for one.
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/levels.hpp"
#include "table/codes.hpp"

namespace bristlecone {

template <class Accumulator, class Layout, class Word>
void collect_levels(const Accumulator& acc, const Layout& layout, const Word* cells, std::size_t n_codes,
                    LevelGroups<Accumulator>& groups, typename Accumulator::Group& missing) {
    const auto read = [&](std::size_t code, typename Accumulator::Group& group) {
        layout.fill(cells + code * layout.width(), acc, group);
    };
    for (std::size_t code = 0; code < n_codes; ++code) {
        if (layout.empty(cells + code * layout.width())) continue;
        groups.push_back({static_cast<std::int32_t>(code), acc.group()});
        read(code, groups.back().group);
    }
    read(n_codes, missing);
}

// level(row): the row's level, or less than 0.
template <class Accumulator, class LevelOf>
void collect_wide_levels(const Accumulator& acc, std::int32_t n_levels, std::span<const std::uint32_t> rows,
                         LevelOf&& level, LevelGroups<Accumulator>& groups, typename Accumulator::Group& missing) {
    if constexpr (std::is_trivially_copyable_v<typename Accumulator::Group>) {  // small enough to have one for all
        std::vector<typename Accumulator::Group> all(static_cast<std::size_t>(n_levels));
        for (const std::uint32_t row : rows) {
            const std::int32_t code = level(row);
            acc.add_to(code < 0 ? missing : all[static_cast<std::size_t>(code)], row);
        }
        for (std::int32_t code = 0; code < n_levels; ++code)
            if (all[static_cast<std::size_t>(code)].rows > 0)
                groups.push_back({code, all[static_cast<std::size_t>(code)]});
        return;
    }
    std::vector<std::int32_t> place(static_cast<std::size_t>(n_levels), -1);
    for (const std::uint32_t row : rows) {
        const std::int32_t code = level(row);
        if (code < 0) {
            acc.add_to(missing, row);
            continue;
        }
        std::int32_t& at = place[static_cast<std::size_t>(code)];
        if (at < 0) {
            at = static_cast<std::int32_t>(groups.size());
            groups.push_back({code, acc.group()});
        }
        acc.add_to(groups[static_cast<std::size_t>(at)].group, row);
    }
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
}

}  // namespace bristlecone
