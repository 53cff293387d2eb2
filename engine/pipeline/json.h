// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::pipeline {

// The document that `tessera-cli inspect --json` prints and that the worker replies with. Its
// schema is resources/schemas/pipeline.schema.json, and the order of keys is stable. The reader
// checks every member and index, because the worker may have read a damaged file.
nlohmann::ordered_json toJson(const Pipeline &pipeline);
nlohmann::ordered_json toJson(const PipelineParts &parts);
// One element of its "stages". The names of funcs are those of `parts`.
nlohmann::ordered_json toJson(const Stage &stage, const PipelineParts &parts);
Result<PipelinePtr> pipelineFromJson(const nlohmann::json &document);

} // namespace tessera::pipeline
