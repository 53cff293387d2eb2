// SPDX-License-Identifier: MIT
#include "engine/host/tool_survey.h"

#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace tessera::host {

namespace {

namespace fs = std::filesystem;

bool canRun(const std::string &path) { return !path.empty() && ::access(path.c_str(), X_OK) == 0; }

ToolSurvey::Folder folderAt(const std::string &path) {
  ToolSurvey::Folder folder{path, false, 0};
  std::error_code error;
  fs::path there(path);
  while (!there.empty() && !fs::exists(there, error) && there != there.parent_path())
    there = there.parent_path();
  if (there.empty() || !fs::is_directory(there, error)) return folder;
  folder.isWritable = ::access(there.c_str(), W_OK | X_OK) == 0;
  if (const fs::space_info space = fs::space(there, error); !error)
    folder.freeBytes = space.available;
  return folder;
}

} // namespace

ToolSurvey surveyTools(const ToolPaths &tools) {
  ToolSurvey survey;
  survey.hasHalideWorker = canRun(tools.halideWorker);
  survey.hasLayoutWorker = canRun(tools.layoutWorker);
  survey.hasGpuWorker = canRun(tools.gpuWorker);
  survey.hasCompiler = canRun(tools.compiler);
  survey.hasSandbox = canRun(tools.sandbox);
  survey.hasAssembler = canRun(tools.ptxas);
  survey.hasDisassembler = canRun(tools.disassembler);
  survey.cache = folderAt(tools.cacheDir);
  survey.state = folderAt(tools.stateDir);
  return survey;
}

} // namespace tessera::host
