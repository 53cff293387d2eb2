// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera::machine {

// Whether two names are of the same GPU: "NVIDIA H200", as its driver says, and "NVIDIA H200 SXM",
// as a description's title. What one of them leaves out (form, memory) does not count.
bool isSameGpu(std::string_view a, std::string_view b);

} // namespace tessera::machine
