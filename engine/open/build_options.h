// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace tessera::open {

// What a generator's source needs to be compiled, beside Halide.
struct BuildOptions {
  std::vector<std::string> includes;    // folders
  std::vector<std::string> definitions; // NAME or NAME=VALUE
  std::vector<std::string> sources;     // further C++ sources
  std::vector<std::string> libraries;   // files

  friend bool operator==(const BuildOptions &, const BuildOptions &) = default;
};

// The files that are compiled or linked with a source: what they hold will run, too.
std::vector<std::string> codeOf(const BuildOptions &options);

// The folders and definitions that a compile_commands.json has for a source. It is looked for
// beside the source, in the folders above it, and in a folder named build of each. Empty if none
// has it.
BuildOptions buildOptionsNear(const std::string &source);

// The options for a source: those that are given, with absolute paths, since the sandbox has
// another working folder, and behind them those that are found near the source.
BuildOptions completedFor(const std::string &source, BuildOptions given);

// The words of a command line, without the quotes and backslashes of a shell.
std::vector<std::string> wordsOf(const std::string &command);

} // namespace tessera::open
