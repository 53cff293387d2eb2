// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/build_options.h"
#include "engine/open/source_kind.h"

#include <string>
#include <vector>

namespace tessera::pipeline {
class Pipeline;
}

namespace tessera::open {

struct OpenRequest;

// What may hold the functions that a pipeline's extern stages call: the file that was opened, and
// what was given with it. A value, so that nothing is compiled before a pipeline runs.
struct FunctionSource {
  std::vector<std::string> functions; // empty: the pipeline has no extern stage
  bool takesContext = false;          // some of them get the caller's context
  std::string path;                   // what was opened
  SourceKind kind = SourceKind::SerializedPipeline;
  BuildOptions build;
  std::string target; // the parameter of that name; empty: not given
  // SHA-256 of the files that the user allowed to run, beside those that the trust store has.
  std::vector<std::string> allowed;

  friend bool operator==(const FunctionSource &, const FunctionSource &) = default;
};

FunctionSource functionSourceOf(const OpenRequest &request, SourceKind kind,
                                const pipeline::Pipeline &pipeline);

} // namespace tessera::open
