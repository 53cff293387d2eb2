// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::host {

// Which programs and folders that Tessera needs are usable on this machine, as far as the file
// system shows. The survey starts no process, so the explorer can make it at each start.
struct ToolSurvey {
  struct Folder {
    std::string path;
    bool isWritable = true;
    std::uint64_t freeBytes = 0;
    friend bool operator==(const Folder &, const Folder &) = default;
  };
  bool hasHalideWorker = true, hasLayoutWorker = true, hasGpuWorker = true;
  bool hasCompiler = true, hasSandbox = true, hasAssembler = true, hasDisassembler = true;
  Folder cache, state; // folders for bundles, and for journals of documents

  friend bool operator==(const ToolSurvey &, const ToolSurvey &) = default;
};

// If a folder does not exist yet, its nearest existing parent is tested.
ToolSurvey surveyTools(const ToolPaths &tools);

} // namespace tessera::host
