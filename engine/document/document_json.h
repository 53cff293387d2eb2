// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::document {

// The parts of a document as JSON, for its file and its journal. Reading checks every member and
// needs the pipeline that the schedules belong to.

nlohmann::ordered_json toJson(const PipelineCopy &source); // without the serialized files
Result<PipelineCopy> pipelineCopyFromJson(const nlohmann::json &document);

nlohmann::ordered_json toJson(const KeptCandidate &candidate);
Result<KeptCandidate> candidateFromJson(const pipeline::PipelinePtr &pipeline,
                                        const nlohmann::json &document);

// Steps share most of their directives, so each directive is stored only once.
struct History {
  std::optional<schedule::Schedule> start;
  std::vector<Document::Step> steps;
  std::size_t position = 0;
};
nlohmann::ordered_json toJson(const History &history);
Result<History> historyFromJson(const pipeline::PipelinePtr &pipeline,
                                const nlohmann::json &document);

nlohmann::ordered_json toJson(const Operation &operation);
Result<Operation> operationFromJson(const pipeline::PipelinePtr &pipeline,
                                    const nlohmann::json &document);

} // namespace tessera::document
