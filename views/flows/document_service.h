// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document_file.h"
#include "engine/document/schedule_source.h"
#include "engine/host/tools.h"
#include "engine/open/open.h"
#include "engine/record/record.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace tessera::views {

// What a document needs from the engine besides its own file, as functions and paths, so that a
// test needs no worker.
struct DocumentService {
  std::string recoveryFolder; // folder of the journals; empty: no journal is kept
  std::string scratchFolder;  // for copies of the files in a document, which a compiler reads
  std::string version;        // the program's version, for exported files
  record::Record record;      // the log for opening and saving
  document::PipelineReader importPipeline;
  // The schedule that `word` stands for: "manual", a .json or a .schedule.h. Blocks; may be called
  // on any thread.
  std::function<Result<document::SourcedSchedule>(
      const std::string &word, const open::OpenRequest &, const open::OpenedPipeline &,
      std::stop_token, const job::ProgressCallback &)>
      schedule;
};

DocumentService documentService(const host::ToolPaths &tools,
                                std::shared_ptr<open::PipelineOpener> opener,
                                const std::string &version);

} // namespace tessera::views
