#include "bindings/module.hpp"

NB_MODULE(_core, module) {
    // A table in a global outlives the module; nanobind would print a page about it when the interpreter ends.
    nanobind::set_leak_warnings(false);
    module.doc() = "The kernels of bristlecone. Private: use the Python functions that check their input.";
    bristlecone::bind_table(module);
    bristlecone::bind_grow(module);
    bristlecone::bind_route(module);
    bristlecone::bind_subtrees(module);
    bristlecone::bind_space(module);
    bristlecone::bind_vote(module);
    bristlecone::bind_query(module);
}
