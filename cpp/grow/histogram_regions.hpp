// One function a family, each compiled on its own.
#pragma once

#include <memory>

#include "grow/region.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_pair_histograms(const Growth& growth, std::size_t begin, std::size_t end);
std::shared_ptr<Region> make_class_histograms(const Growth& growth, std::size_t begin, std::size_t end);

}  // namespace bristlecone
