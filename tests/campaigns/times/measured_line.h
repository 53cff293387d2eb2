// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/measured_reader.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <optional>

namespace tessera::times {

// The measured schedule of a line. Nothing for a schedule without a time, and for a line that
// cannot be read, after a message to standard error.
inline std::optional<tune::Measured> measuredIn(tune::MeasuredReader &reader,
                                                const nlohmann::json &line) {
  auto measured = reader.read(line);
  if (measured) return std::move(*measured);
  std::fprintf(stderr, "%s\n", measured.error().message.c_str());
  return std::nullopt;
}

} // namespace tessera::times
