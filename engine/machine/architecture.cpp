// SPDX-License-Identifier: MIT
#include "engine/machine/architecture.h"

#include <algorithm>
#include <array>

namespace tessera::machine {

namespace {

// The architectures that ptxas of CUDA 13.0 knows (packaging installs this version), each as
// 10 · major + minor, newest first.
constexpr std::array kAssembled{121, 120, 110, 103, 100, 90, 89, 88, 87, 86, 80, 75};

} // namespace

std::string architectureName(int major, int minor) {
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::string assembledArchitecture(int major, int minor) {
  const int here = 10 * major + minor;
  const auto known = std::ranges::find_if(kAssembled, [&](int one) { return one <= here; });
  const int chosen = known == kAssembled.end() ? kAssembled.back() : *known;
  return architectureName(chosen / 10, chosen % 10);
}

} // namespace tessera::machine
