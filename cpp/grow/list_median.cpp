#include "grow/list_region.hpp"
#include "grow/list_regions.hpp"
#include "search/median.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_median_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads) {
    return make_lists<Median>(growth, begin, end, n_threads);
}

}  // namespace bristlecone
