// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace tessera::halide::lowered {

// Of each buffer that the statement stores to: the least number of bytes in one of its accesses.
std::map<std::string, std::size_t> storedGranules(const Halide::Internal::Stmt &s);

// How many threads the loops over blocks and threads in the statement make of one, as far as their
// extents are constant.
std::uint32_t threadsWithin(const Halide::Internal::Stmt &s);

// Whether iterations of the loop run at the same time on a GPU.
bool isOfGrid(Halide::Internal::ForType type);

} // namespace tessera::halide::lowered
