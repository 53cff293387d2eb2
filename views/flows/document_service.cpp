// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/document_service.h"

#include "engine/document/pipeline_copy.h"
#include "engine/document/schedule_source.h"

#include <utility>

namespace tessera::views {

DocumentService documentService(const host::ToolPaths &tools,
                                std::shared_ptr<open::PipelineOpener> opener,
                                const std::string &version) {
  DocumentService service;
  if (!tools.stateDir.empty()) service.recoveryFolder = tools.stateDir + "/recovery";
  service.scratchFolder = tools.cacheDir;
  service.version = version;
  service.record = tools.record;
  service.importPipeline = [opener, folder = tools.cacheDir](const document::PipelineCopy &source) {
    return document::imported(source, folder, *opener);
  };
  service.schedule =
      [opener](const std::string &word, const open::OpenRequest &request,
               const open::OpenedPipeline &opened, std::stop_token stop,
               const job::ProgressCallback &progress) -> Result<document::SourcedSchedule> {
    auto sourced = document::scheduleFrom(word, request, opened, *opener, stop, progress);
    if (!sourced) return sourced.error();
    if (sourced->inOpenedFile)
      return Error{ErrorCode::InputRefused, "The open pipeline already uses its own schedule.",
                   "Open the pipeline without its schedule."};
    return sourced;
  };
  return service;
}

} // namespace tessera::views
