#include "grow/families.hpp"
#include "grow/list_region.hpp"
#include "grow/list_regions.hpp"
#include "search/pairs.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_pair_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads) {
    return visit_pairs<Pairs>(growth, [&](auto accumulator) {
        return make_lists<typename decltype(accumulator)::type>(growth, begin, end, n_threads);
    });
}

}  // namespace bristlecone
