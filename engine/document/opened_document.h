// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

// A document as a pipeline to work on, as if its file had been opened; its candidates come with it.
struct OpenedDocument {
  open::OpenedPipeline opened;
  std::vector<std::string> lost; // what has no place at the sizes that were asked for
};

// `request` is the document's own, maybe with more estimates: at those its pipeline is read again
// by a worker, and its schedules are carried over. Refused where something else is asked for.
// `parent` is where a scratch folder may be. Blocking; run it as a job.
Result<OpenedDocument> openedAs(const Document &document, const open::OpenRequest &request,
                                const std::string &parent, open::PipelineOpener &opener,
                                std::stop_token stop = {},
                                const job::ProgressCallback &progress = {});

// The name that the user gave it, in one line.
std::string plainName(const KeptCandidate &candidate);

// By its id; the error lists those that there are.
Result<schedule::Schedule> candidateOf(const Document &document, std::uint64_t id);
// Its current schedule.
Result<schedule::Schedule> currentOf(const Document &document);

} // namespace tessera::document
