#include "grow/families.hpp"
#include "grow/list_region.hpp"
#include "grow/list_regions.hpp"
#include "search/classes.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_class_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads) {
    return visit_class_impurity(growth.problem->criterion, [&](auto impurity) {
        using Impurity = typename decltype(impurity)::type;
        if (growth.weighing.kind == WeightKind::unit)
            return make_lists<Classes<Impurity, false>>(growth, begin, end, n_threads);
        return make_lists<Classes<Impurity, true>>(growth, begin, end, n_threads);
    });
}

}  // namespace bristlecone
