// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/own_folders.h"
#include "engine/base/result.h"
#include "engine/record/record.h"

#include <memory>
#include <optional>
#include <string>

namespace tessera::host {

// The paths of Tessera's own programs and of the user's tools, and the log. main() finds them once
// and passes them down; nothing below `app` looks for them in the environment.
struct ToolPaths {
  std::string halideWorker;    // tessera-halide
  std::string layoutWorker;    // tessera-layout
  std::string gpuWorker;       // tessera-gpu
  std::string plugin;          // libautoschedule_tessera.so
  std::string argumentLister;  // libtessera_arguments.so
  std::string generatorRunner; // tessera-gengen: Halide's generator main() for libraries
  std::string samples;         // folder of *.hlpipe that ship with the program
  std::string machines;        // folder with descriptions of GPUs that ship with the program
  std::string translations;    // folder with translations of the window's texts
  std::string halideRoot;      // contains include/ and lib64/ of Halide
  std::string compiler;        // the user's C++ compiler
  std::string ssh;             // OpenSSH's client; empty: not installed
  std::string sandbox;         // bwrap; empty: not installed
  std::string ptxas;           // NVIDIA's assembler; empty: not installed
  std::string disassembler;    // nvdisasm or cuobjdump; empty: neither is installed
  std::string cacheDir;
  std::string configDir; // empty: there is none
  std::string stateDir;  // for data that survives a restart: journals, logs; empty: there is none
  std::shared_ptr<const file::ScratchFolder> temporary; // holds cacheDir, if it is temporary
  record::Record record; // main() opens it in logFolder(); unopened, it writes nothing
};

// The input of findTools(). main() fills it from the program's own path and the environment.
struct ToolSearch {
  std::string programPath;        // absolute path of the running program
  std::string searchPath;         // PATH
  std::string compiler;           // CXX; empty: try the usual names
  std::string home;               // HOME
  std::string cacheHome;          // XDG_CACHE_HOME
  std::string configHome;         // XDG_CONFIG_HOME
  std::string stateHome;          // XDG_STATE_HOME
  std::string cudaFolder;         // chosen by the user, searched first; empty: none
  std::string cudaHome;           // CUDA_HOME; empty: /usr/local/cuda
  std::string halideRoot;         // Halide's folder at build time; CUDA's wheels are beside it
  std::string temporary = "/tmp"; // TMPDIR
  // What claimFolders() made of home, cacheHome, configHome and stateHome. Every program claims
  // them; without that, the folders are taken as they are named.
  std::optional<OwnFolders> folders = {};
};

// Looks beside the running program first, then in the places of an installation. A worker that is
// not found keeps the first path, so that the error at its first use names that path.
ToolPaths findTools(const ToolSearch &search);

// The folder with the logs of all of Tessera's programs; empty: there is none.
std::string logFolder(const ToolPaths &tools);
// The file in which the user's permissions are kept; empty: there is none.
std::string trustFile(const ToolPaths &tools);

} // namespace tessera::host
