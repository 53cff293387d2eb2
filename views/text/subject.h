// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/types.h"

#include <compare>
#include <cstdint>

namespace tessera::views {

// What a user can point at in any panel: a stage or an input of the pipeline.
struct Subject {
  enum class Kind : std::uint8_t { Stage, Input };
  Kind kind = Kind::Stage;
  std::uint32_t index = 0;

  static Subject stage(pipeline::StageId id) {
    return {Kind::Stage, static_cast<std::uint32_t>(id)};
  }
  static Subject input(pipeline::InputId id) {
    return {Kind::Input, static_cast<std::uint32_t>(id)};
  }
  bool isStage() const { return kind == Kind::Stage; }
  pipeline::StageId stageId() const { return pipeline::StageId{index}; }
  pipeline::InputId inputId() const { return pipeline::InputId{index}; }

  friend auto operator<=>(const Subject &, const Subject &) = default;
};

} // namespace tessera::views
