// SPDX-License-Identifier: MIT
#pragma once

namespace tessera::halide {

// Whether NVIDIA's driver optimises the PTX that Halide's runtime gives to it, in this process and
// from now on. The runtime itself says nothing of it, and the driver does. What is right without
// and wrong with it is a fault of the driver's compiler. To be called before the runtime first
// looks for a GPU.
void letDriverOptimize(bool optimize);

namespace detail {
// What the runtime gets for a function of a library.
void *driverFunction(void *library, const char *name);
} // namespace detail

} // namespace tessera::halide
