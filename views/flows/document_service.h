// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/record.h"
#include "engine/document/document_file.h"
#include "engine/open/open.h"
#include "engine/host/tools.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace tessera::views {

// What a document needs of the engine beside its own file, as functions and places, so that a test
// needs no worker.
struct DocumentService {
  std::string recoveryFolder; // of journals; empty: none is kept
  std::string scratchFolder;  // for files that a compiler reads of a document
  std::string version;        // of the program, for what is exported
  record::Record record;      // for what is opened and saved
  document::PipelineReader importPipeline;
  // What a word for a schedule means: manual, a .json, a .schedule.h. Blocks; any thread.
  std::function<Result<schedule::Schedule>(const std::string &word, const open::OpenRequest &,
                                           const open::OpenedPipeline &, std::stop_token,
                                           const job::ProgressCallback &)>
      schedule;
};

DocumentService documentService(const host::ToolPaths &tools,
                                std::shared_ptr<open::PipelineOpener> opener,
                                const std::string &version);

} // namespace tessera::views
