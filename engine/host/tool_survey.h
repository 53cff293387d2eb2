// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::host {

// Of what Tessera can do, what can be known by looking alone: files that are not there, folders
// that take nothing. Starts nothing, so it can be asked at each start of the explorer.
struct ToolSurvey {
  struct Folder {
    std::string path;
    bool isWritable = true;
    std::uint64_t freeBytes = 0;
    friend bool operator==(const Folder &, const Folder &) = default;
  };
  bool hasHalideWorker = true, hasLayoutWorker = true, hasGpuWorker = true;
  bool hasCompiler = true, hasSandbox = true, hasAssembler = true, hasDisassembler = true;
  Folder cache, state; // where bundles go, and the journals of documents

  friend bool operator==(const ToolSurvey &, const ToolSurvey &) = default;
};

// A folder that is not there yet is asked as its nearest parent that is.
ToolSurvey surveyTools(const ToolPaths &tools);

} // namespace tessera::host
