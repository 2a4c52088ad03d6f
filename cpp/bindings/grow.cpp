#include "bindings/module.hpp"

namespace bristlecone {
void bind_grow(nanobind::module_&) {}
}  // namespace bristlecone
