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
  std::string from;   // publication that uses this size
  std::string folder; // folder with the pipeline file for this size; empty: same file
  std::vector<std::string> estimates; // in the form of --estimate
};

// The sizes that the text of a sizes.json lists for the pipeline `name`, in the order of the file.
Result<std::vector<PipelineSize>> parseSizes(std::string_view text, const std::string &name);

// The sizes that a pipeline can be opened at; none if there is no sizes.json.
Result<std::vector<PipelineSize>> sizesOf(const std::string &pipelinePath);

// Replaces the request's `size` by its estimates and its file. Estimates from the user come last
// and take precedence.
Result<OpenRequest> atSize(OpenRequest request);

} // namespace tessera::open
