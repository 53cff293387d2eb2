// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/record/record.h"

#include <string>

namespace tessera::host {

// Where our own programs and the user's tools are, and the log that says what becomes of them.
// Found once by main() and passed down; nothing below `app` looks at the environment.
struct ToolPaths {
  std::string halideWorker;    // tessera-halide
  std::string layoutWorker;    // tessera-layout
  std::string gpuWorker;       // tessera-gpu
  std::string plugin;          // libautoschedule_tessera.so
  std::string generatorRunner; // tessera-gengen: Halide's generator main() for libraries
  std::string samples;         // folder of *.hlpipe that ship with the program
  std::string machines;        // folder of descriptions of GPUs that ship with it
  std::string translations;    // folder of the window's texts in other languages
  std::string halideRoot;      // include/ and lib64/ of the found Halide
  std::string compiler;        // the user's C++ compiler
  std::string ssh;             // OpenSSH's client; empty: not installed
  std::string sandbox;         // bwrap; empty: not installed
  std::string ptxas;           // NVIDIA's assembler; empty: not installed
  std::string disassembler;    // nvdisasm or cuobjdump; empty: neither is installed
  std::string cacheDir;
  std::string configDir;
  std::string stateDir;  // what survives a restart, as the journals of documents and the logs
  record::Record record; // opened by main(), in logFolder(); else nothing is written
};

// What findTools() goes by: main() fills it from its own path and the environment.
struct ToolSearch {
  std::string programPath; // of the running program, absolute
  std::string searchPath;  // PATH
  std::string compiler;    // CXX; empty: the usual names
  std::string home;        // HOME
  std::string cacheHome;   // XDG_CACHE_HOME
  std::string configHome;  // XDG_CONFIG_HOME
  std::string stateHome;   // XDG_STATE_HOME
  std::string cudaFolder;  // of the user's choice, before all else; empty: none
  std::string cudaHome;    // CUDA_HOME; empty: /usr/local/cuda
  std::string halideRoot; // where Halide was found when Tessera was built; CUDA's wheels: beside it
};

// Looks beside the running program first, then where an installation puts things. A worker that is
// nowhere keeps the first path, so that the error at its first use names it.
ToolPaths findTools(const ToolSearch &search);

// Where the logs of all our programs are.
std::string logFolder(const ToolPaths &tools);

} // namespace tessera::host
