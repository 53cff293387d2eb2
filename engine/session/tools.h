// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>

namespace tessera::session {

// Where our own programs and the user's tools are. Found once by main() and passed down; nothing
// below `app` looks at the environment.
struct ToolPaths {
  std::string halideWorker;    // tessera-halide
  std::string layoutWorker;    // tessera-layout
  std::string plugin;          // libautoschedule_tessera.so
  std::string generatorRunner; // tessera-gengen: Halide's generator main() for libraries
  std::string samples;         // folder of *.hlpipe that ship with the program
  std::string halideRoot;      // include/ and lib64/ of the found Halide
  std::string compiler;        // the user's C++ compiler
  std::string sandbox;         // bwrap; empty: not installed
  std::string cacheDir;
  std::string configDir;
};

// Looks beside the running program first, then at the places of an installation.
ToolPaths findTools(const std::string &programPath);

} // namespace tessera::session
