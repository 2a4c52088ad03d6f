// How much of each branch has the label of its top node: what is right, and what is wrong, if a pruning ends there.
//
// entries  class counts of a node's own rows, in whole units: entries ptr[v] .. ptr[v + 1] are node v's.
#pragma once

#include <cstdint>
#include <vector>

#include "subtrees/skeleton.hpp"
#include "subtrees/walk.hpp"

namespace bristlecone {

struct Entries {
    const std::int64_t* ptr = nullptr;
    const std::int32_t* label = nullptr;
};

// in_branch, of_label: (n_nodes,), the units of all entries in the branch at a node, and of those with its label.
inline void own_label_units(const Skeleton& tree, const Entries& entries, const std::int64_t* units,
                            const std::int32_t* label, std::int32_t n_classes, std::int64_t* in_branch,
                            std::int64_t* of_label) {
    std::vector<std::int64_t> passed(static_cast<std::size_t>(n_classes), 0);  // by class, of all nodes entered so far
    std::int64_t total = 0;
    walk(
        tree,
        [&](std::size_t v) {
            in_branch[v] = -total;
            of_label[v] = -passed[label[v]];
            for (std::int64_t i = entries.ptr[v]; i < entries.ptr[v + 1]; ++i) {
                passed[entries.label[i]] += units[i];
                total += units[i];
            }
        },
        [&](std::size_t v) {
            in_branch[v] += total;
            of_label[v] += passed[label[v]];
        });
}

}  // namespace bristlecone
