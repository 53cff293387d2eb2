// SPDX-License-Identifier: MIT
#include "engine/pipeline/estimate.h"

#include <array>
#include <cstddef>

namespace tessera::pipeline {
namespace {

constexpr std::array<std::string_view, 5> kSourceNames{"none", "file", "sidecar", "derived",
                                                       "user"};

} // namespace

std::string_view name(EstimateSource source) {
  return kSourceNames[static_cast<std::size_t>(source)];
}

std::optional<EstimateSource> estimateSourceFromName(std::string_view name) {
  for (std::size_t i = 0; i < kSourceNames.size(); ++i)
    if (kSourceNames[i] == name) return static_cast<EstimateSource>(i);
  return std::nullopt;
}

} // namespace tessera::pipeline
