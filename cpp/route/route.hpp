// Rows to nodes: the one traversal on which predict, apply, paths and explanations stand.
#pragma once

#include <cstdint>

#include "route/flat_tree.hpp"
#include "table/columns.hpp"
#include "tree/tree.hpp"

namespace bristlecone {

// What a row does at a node whose level set does not name its level.
enum class Unseen : std::uint8_t { stop, heavier, error };
enum class Missing : std::uint8_t { learned, error };

struct RouteReport {
    std::int64_t n_unseen = 0;      // rows that met a level their node does not know
    std::int64_t refused_row = -1;  // the first row that an "error" rule refuses, and the column it is refused for
    std::int32_t refused_column = -1;
    bool infinite = false;  // a cell of any column may be
};

// nodes[i] becomes the node where row i stops: a leaf, or an inner node under Unseen::stop. flat is the tree flattened.
// ask_infinite: whether to look at all cells for the report's `infinite`, which is true otherwise.
// The columns must fit the tree: every split's feature below columns.size(), of the split's kind (the caller checks).
RouteReport route(const TreeView& tree, const FlatTree& flat, const Columns& columns, Unseen unseen, Missing missing,
                  bool ask_infinite, int n_threads, std::int64_t* nodes);

}  // namespace bristlecone
