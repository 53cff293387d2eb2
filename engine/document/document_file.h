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

// The file of a document, in sections with checksums (sections.h). `layout` is the window's layout,
// as bytes that only the window interprets. The documents of other sizes have sections of the same
// kinds:
//
//   size 1             {"step":"Size paper"}, or {"step":"n = 4","left_at":2} if redo leads to it
//   size 1 pipeline    and so on; "file" only if it differs from that of the open document
std::string documentText(const Document &document, std::string_view layout,
                         const SizeHistory &sizes = {});

struct ReadDocument {
  Document document;
  std::string layout;
  SizeHistory sizes;             // call unpack() before opening one of these sizes
  std::vector<std::string> lost; // what could not be read, for the user; empty: complete
};

// Imports the file that a compiler reads, if the description of the pipeline is damaged.
using PipelineReader = std::function<Result<pipeline::PipelinePtr>(const PipelineCopy &)>;

// Reads all intact sections of a document. Fails if not even the pipeline can be read.
Result<ReadDocument> readDocument(std::string_view bytes, const PipelineReader &reader = {});

// Replaces the file atomically: a reader finds either the old or the new one (files.h).
Status saveDocument(const std::string &path, const Document &document, std::string_view layout,
                    const SizeHistory &sizes = {});
// Reads the file and never changes it.
Result<ReadDocument> openDocument(const std::string &path, const PipelineReader &reader = {});

} // namespace tessera::document
