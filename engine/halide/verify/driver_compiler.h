// SPDX-License-Identifier: MIT
#pragma once

namespace tessera::halide {

// Sets whether NVIDIA's driver optimises the PTX that Halide's runtime passes to it, from now on in
// this process. The runtime sets no option, and the driver optimises by default. If a result is
// right without optimisation and wrong with it, the driver's compiler is at fault. Must be called
// before the runtime first looks for a GPU.
void letDriverOptimize(bool optimize);

namespace detail {
// The function that the runtime gets when it looks up a name in the driver's library.
void *driverFunction(void *library, const char *name);
} // namespace detail

} // namespace tessera::halide
