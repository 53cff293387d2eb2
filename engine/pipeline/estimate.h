// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::pipeline {

// Where an estimate came from.
enum class EstimateSource : std::uint8_t { None, File, Sidecar, Derived, User };
std::string_view name(EstimateSource source);
std::optional<EstimateSource> estimateSourceFromName(std::string_view name);

struct Estimate {
  Interval range;
  EstimateSource source = EstimateSource::None;
  bool fixed = false;    // the pipeline accepts no other extent
  bool fixedMin = false; // the pipeline accepts no other minimum

  friend bool operator==(const Estimate &, const Estimate &) = default;
};

} // namespace tessera::pipeline
