// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/function_source.h"
#include "engine/open/generator.h"
#include "engine/base/result.h"
#include "engine/host/tools.h"
#include "engine/job/worker_client.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::file {
class ScratchFolder;
}

namespace tessera::open {

// The functions of extern stages as compiled files.
struct FunctionFiles {
  std::string library;              // has them all, and Halide's runtime where it is needed
  std::vector<std::string> linked;  // without that runtime: what a bundle is linked with, in order
  std::vector<std::string> missing; // functions that nothing has that was given
  Error advice;                     // what to give for those that are missing
  std::shared_ptr<const file::ScratchFolder> folder; // keeps the files
};

// Compiles and links the functions of extern stages. A function is looked for in the libraries and
// sources that were given, then in the generator's own source or library. A generator of the same
// name is compiled into the function, as stock Halide's build would. Only the compiler, linker and
// generators run, in the sandbox, and only on files that the user has allowed to run. Keeps the
// files, or the error, of the last build. Thread-safe.
class FunctionBuilder {
public:
  explicit FunctionBuilder(const host::ToolPaths &tools) : m_tools(tools), m_runner(tools) {}

  Result<FunctionFiles> build(const FunctionSource &source, const std::stop_token &stop,
                              const job::ProgressCallback &progress);

private:
  class Build;

  host::ToolPaths m_tools;
  GeneratorRunner m_runner;
  std::mutex m_mutex; // guards both
  FunctionSource m_source;
  std::optional<Result<FunctionFiles>> m_files;
};

} // namespace tessera::open
