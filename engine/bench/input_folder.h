// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/base/result.h"

#include <string>
#include <vector>

namespace tessera::bench {

// Inputs that the user gave, on their way to the workers: `inputs.json` and a file of elements for
// each, in a folder, as a rule beside the reference that was computed from them. Inputs without an
// entry are random.
struct GivenInput {
  std::string name;
  array::Array array; // of exactly the type and size that the pipeline takes
};

struct InputFolder {
  struct Entry {
    std::string name;
    pipeline::ScalarType type;
    std::vector<std::int64_t> extents;
    std::string file; // its path
    std::string sha256;
  };
  std::vector<Entry> entries;
  std::string sha256; // of all that is in it, by what it holds and not by where it is
};

// No inputs: takes those away that are there.
Status writeInputs(const std::vector<GivenInput> &inputs, const std::string &folder);
// Says which file is missing or damaged; files of elements are not read.
Result<InputFolder> readInputs(const std::string &folder);
// The folder, if it holds inputs; else empty.
std::string inputsIn(const std::string &folder);

} // namespace tessera::bench
