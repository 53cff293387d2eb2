// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"
#include "engine/document/size_history.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

inline constexpr std::string_view kDocumentEnding = ".tessera";

// The file of a document, in sections with checksums (sections.h). `layout` is the window's, bytes
// that only it understands. The documents of other sizes are sections of the same kinds:
//
//   size 1             {"step":"Size paper"} behind, {"step":"n = 4","left_at":2} ahead
//   size 1 pipeline    and so on; its "file" only where that is not the one of the open document
std::string documentText(const Document &document, std::string_view layout,
                         const SizeHistory &sizes = {});

struct ReadDocument {
  Document document;
  std::string layout;
  SizeHistory sizes;             // to be unpacked before one is opened
  std::vector<std::string> lost; // what could not be read, for a person; empty: all is there
};

// Imports what a compiler reads, where the description of a pipeline is damaged.
using PipelineReader = std::function<Result<pipeline::PipelinePtr>(const PipelineCopy &)>;

// What is whole of a document, section by section. Refused where not even the pipeline is.
Result<ReadDocument> readDocument(std::string_view bytes, const PipelineReader &reader = {});

// Replaces the file: whoever reads it meets the old or the new one (files.h).
Status saveDocument(const std::string &path, const Document &document, std::string_view layout,
                    const SizeHistory &sizes = {});
// The file is never changed.
Result<ReadDocument> openDocument(const std::string &path, const PipelineReader &reader = {});

} // namespace tessera::document
