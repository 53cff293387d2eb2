// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <string>

namespace tessera::document {

// The copy of an opened pipeline that a document keeps: its description, and the bytes of its
// files. A file that cannot be read is left out; the document then works, but cannot compile.
PipelineCopy copyOf(const open::OpenRequest &request, const open::OpenedPipeline &opened);
// The checksum of what a compiler reads; empty if the files are missing. It changes with the size.
std::string contentSha256Of(const PipelineCopy &source);

// The pipeline as if it had just been opened. The files for a compiler are in a scratch folder
// below `parent`; the scratch folder lives as long as the opened pipeline.
Result<open::OpenedPipeline> unpacked(const PipelineCopy &source, const std::string &parent);

// Lets a worker import the description again, for a document in which it is damaged.
Result<pipeline::PipelinePtr> imported(const PipelineCopy &source, const std::string &parent,
                                       open::PipelineOpener &opener);

} // namespace tessera::document
