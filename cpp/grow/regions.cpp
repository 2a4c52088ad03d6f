// Which way of searching a node's rows get.
#include "grow/histogram_regions.hpp"
#include "grow/list_regions.hpp"
#include "grow/region.hpp"

namespace bristlecone {
namespace {

bool many_classes(const Problem& problem) { return over_classes(problem.criterion) && problem.n_classes > 2; }

// Sorting a node's rows once pays below so many rows (flat from 1,000 to 8,000); where every column has few values
// nothing is ever sorted, and histograms pay until their cells outnumber the rows' own.
constexpr std::size_t with_bins = 4096, without_bins = 256;
// One more level does not pay for sorting unless a histogram costs more than its rows.
constexpr std::size_t levels_worth_sorting = 8;
// Cells whose codes, a byte each, stay in a near cache; a part of the table gets a region of its own from there on, and
// such parts are what threads share out.
constexpr std::size_t near_cells = 1 << 20;
// What scanning a code, or bounding a bin, costs for each class, in rows counted into a histogram.
constexpr std::size_t scan_cost = 2, bound_cost = 16;

std::size_t small_node_for(const Codes& codes, const Problem& problem) {
    std::size_t cost = 0, least = without_bins;
    for (std::size_t j = 0; j < codes.n_columns(); ++j) {
        cost += (codes[j].exact ? scan_cost : bound_cost) * codes[j].n_codes;
        if (!codes[j].exact) least = with_bins;
    }
    const std::size_t parts = many_classes(problem) ? static_cast<std::size_t>(problem.n_classes) : 1;
    if (least == with_bins && parts == 1) return with_bins;
    return std::max(least, cost * parts / codes.n_columns());
}

std::shared_ptr<Region> make_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads) {
    const Problem& problem = *growth.problem;
    if (problem.criterion == Criterion::absolute_error) return make_median_lists(growth, begin, end, n_threads);
    if (many_classes(problem)) return make_class_lists(growth, begin, end, n_threads);
    if (!problem.monotone.empty()) return make_monotone_lists(growth, begin, end, n_threads);
    return make_pair_lists(growth, begin, end, n_threads);
}

}  // namespace

// Absolute error has no histogram, and under monotone constraints a gain is not convex: sorted lists from the root.
void plan_regions(Growth& growth) {
    const Problem& problem = *growth.problem;
    const bool forced = problem.small_node >= 0;
    growth.small_node = forced ? static_cast<std::size_t>(problem.small_node) : with_bins;
    growth.part_rows = near_cells / std::max<std::size_t>(1, problem.columns->size());
    if (growth.rows.size() <= growth.small_node) return;
    if (problem.criterion == Criterion::absolute_error || !problem.monotone.empty()) return;
    growth.codes = &problem.codes->get(*problem.columns, problem.n_threads, problem.interrupt);
    if (!forced) growth.small_node = small_node_for(*growth.codes, problem);
    growth.small_last = forced ? growth.small_node : growth.small_node / levels_worth_sorting;
}

std::shared_ptr<Region> make_region(const Growth& growth, const Open& open, int n_threads) {
    if (growth.codes == nullptr || by_lists(growth, open.size(), open.depth))
        return make_lists(growth, open.begin, open.end, n_threads);
    return many_classes(*growth.problem) ? make_class_histograms(growth, open.begin, open.end)
                                         : make_pair_histograms(growth, open.begin, open.end);
}

}  // namespace bristlecone
