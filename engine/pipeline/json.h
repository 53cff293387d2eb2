// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::pipeline {

// The document that `tessera-cli inspect --json` prints and that the worker replies with. Its
// schema is resources/schemas/pipeline.schema.json; key order is stable. Reading checks every
// member and index: the worker that wrote it may have been fed a damaged file.
nlohmann::ordered_json toJson(const Pipeline &pipeline);
nlohmann::ordered_json toJson(const PipelineParts &parts);
Result<PipelinePtr> pipelineFromJson(const nlohmann::json &document);

} // namespace tessera::pipeline
