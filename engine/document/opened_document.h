// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

// A document as an opened pipeline, as if the pipeline's own file had been opened, together with
// the document's candidates.
struct OpenedDocument {
  open::OpenedPipeline opened;
  std::vector<std::string> lost; // what could not be carried over to the requested sizes
};

// `request` must be the document's own, possibly with more estimates. With more estimates, a worker
// reads the pipeline again, and the schedules are carried over. Fails if anything else is
// requested. `parent` is a folder for a scratch folder. Blocking; run it as a job.
Result<OpenedDocument> openedAs(const Document &document, const open::OpenRequest &request,
                                const std::string &parent, open::PipelineOpener &opener,
                                std::stop_token stop = {},
                                const job::ProgressCallback &progress = {});

// The candidate's name as given by the user, in one line.
std::string plainName(const KeptCandidate &candidate);

// The schedule of the candidate with this id. The error lists the existing ids.
Result<schedule::Schedule> candidateOf(const Document &document, std::uint64_t id);
// The document's current schedule.
Result<schedule::Schedule> currentOf(const Document &document);

} // namespace tessera::document
