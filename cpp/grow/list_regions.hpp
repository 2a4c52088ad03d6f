// One function a family of accumulators, each compiled on its own.
#pragma once

#include <memory>

#include "grow/region.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_pair_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads);
std::shared_ptr<Region> make_monotone_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads);
std::shared_ptr<Region> make_class_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads);
std::shared_ptr<Region> make_median_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads);

}  // namespace bristlecone
