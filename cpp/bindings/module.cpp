#include "bindings/module.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The kernels of bristlecone. Private: use the Python functions that check their input.";
    bristlecone::bind_table(module);
    bristlecone::bind_grow(module);
    bristlecone::bind_route(module);
}
