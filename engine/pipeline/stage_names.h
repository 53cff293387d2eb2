// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::pipeline {

std::map<std::string, StageId, std::less<>> stagesByName(const Pipeline &pipeline);
std::optional<StageId> stageNamed(const Pipeline &pipeline, std::string_view name);

} // namespace tessera::pipeline
