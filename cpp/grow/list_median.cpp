#include "grow/list_region.hpp"
#include "grow/list_regions.hpp"
#include "search/median.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_median_lists(const Growth& growth, std::size_t begin, std::size_t end) {
    return make_lists<Median>(growth, begin, end);
}

std::shared_ptr<Region> make_region(const Growth& growth, std::size_t begin, std::size_t end) {
    const Problem& problem = *growth.problem;
    if (problem.criterion == Criterion::absolute_error) return make_median_lists(growth, begin, end);
    if (over_classes(problem.criterion) && problem.n_classes > 2) return make_class_lists(growth, begin, end);
    if (!problem.monotone.empty()) return make_monotone_lists(growth, begin, end);
    return make_pair_lists(growth, begin, end);
}

}  // namespace bristlecone
