#pragma once

#include <nanobind/nanobind.h>

namespace bristlecone {

void bind_table(nanobind::module_& module);
void bind_grow(nanobind::module_& module);
void bind_route(nanobind::module_& module);
void bind_subtrees(nanobind::module_& module);
void bind_space(nanobind::module_& module);
void bind_vote(nanobind::module_& module);
void bind_query(nanobind::module_& module);

}  // namespace bristlecone
