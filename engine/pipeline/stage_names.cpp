// SPDX-License-Identifier: MIT
#include "engine/pipeline/stage_names.h"

#include <cstdint>

namespace tessera::pipeline {

std::map<std::string, StageId, std::less<>> stagesByName(const Pipeline &pipeline) {
  std::map<std::string, StageId, std::less<>> stages;
  for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i)
    stages.emplace(pipeline.stageName(StageId{i}), StageId{i});
  return stages;
}

std::optional<StageId> stageNamed(const Pipeline &pipeline, std::string_view name) {
  for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i)
    if (pipeline.stageName(StageId{i}) == name) return StageId{i};
  return std::nullopt;
}

} // namespace tessera::pipeline
