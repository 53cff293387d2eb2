// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::pipeline {

// A func that lies in the GPU's memory before a kernel begins, or when it has ended.
struct StoredFunc {
  std::string name;
  Box box;                           // all elements that are allocated, the padding included
  std::vector<std::uint16_t> layout; // dimensions, innermost first; empty: as declared

  friend bool operator==(const StoredFunc &, const StoredFunc &) = default;
};

// One kernel of a scheduled pipeline, as a pipeline of its own. Its only output is the func that
// owns the kernel's blocks. The funcs that other kernels have computed for it are inputs.
struct Excerpt {
  StoredFunc output;
  std::vector<StoredFunc> inputs;

  friend bool operator==(const Excerpt &, const Excerpt &) = default;
};

// The name of the input that an excerpt has for one element of a func. A func of a single value has
// one element.
std::string keptInputName(const std::string &func, std::size_t element);

nlohmann::ordered_json toJson(const Excerpt &excerpt);
Result<Excerpt> excerptFromJson(const nlohmann::json &document);

} // namespace tessera::pipeline
