// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <string>

namespace tessera::document {

// What a document keeps of a pipeline that was opened: its description, and the bytes of its files.
// A file that cannot be read is left out; the document is good without it, until it is compiled.
PipelineCopy copyOf(const open::OpenRequest &request, const open::OpenedPipeline &opened);
// What a compiler reads of it; empty where its files are not there. Another size is another
// content.
std::string contentSha256Of(const PipelineCopy &source);

// As if it had been opened just now: the files that a compiler reads in a scratch folder of
// `parent`, which lives as long as the opened pipeline.
Result<open::OpenedPipeline> unpacked(const PipelineCopy &source, const std::string &parent);

// The description again, by a worker, where that of a document is damaged.
Result<pipeline::PipelinePtr> imported(const PipelineCopy &source, const std::string &parent,
                                       open::PipelineOpener &opener);

} // namespace tessera::document
