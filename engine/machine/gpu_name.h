// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace tessera::machine {

// Whether two names mean the same GPU, such as "NVIDIA H200" from its driver and "NVIDIA H200 SXM"
// from a machine's title. Details that one of them leaves out (form, memory) are ignored.
bool isSameGpu(std::string_view a, std::string_view b);

} // namespace tessera::machine
