// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::open {

struct OpenRequest;

// A named size of a serialized pipeline, from the file sizes.json beside it.
struct PipelineSize {
  std::string name;
  std::string from;                   // who uses it
  std::string folder;                 // where the pipeline for it is; empty: it is the same file
  std::vector<std::string> estimates; // as for --estimate
};

// What the text of a sizes.json says about the pipeline `name`, in the order of the file.
Result<std::vector<PipelineSize>> parseSizes(std::string_view text, const std::string &name);

// The sizes that a pipeline can be opened at; none where there is no sizes.json.
Result<std::vector<PipelineSize>> sizesOf(const std::string &pipelinePath);

// The request for its `size`: the estimates and the file that stand for it. Estimates that the
// user gives come last and win.
Result<OpenRequest> atSize(OpenRequest request);

} // namespace tessera::open
