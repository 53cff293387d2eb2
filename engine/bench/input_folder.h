// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"
#include "engine/base/result.h"

#include <string>
#include <vector>

namespace tessera::bench {

// Inputs that the user gave, stored for the workers: a folder with `inputs.json` and a file of
// elements for each input, usually beside the reference computed from them. Inputs without an entry
// are random.
struct GivenInput {
  std::string name;
  array::Array array; // has the type and size of the pipeline's input
};

struct InputFolder {
  struct Entry {
    std::string name;
    pipeline::ScalarType type;
    std::vector<std::int64_t> extents;
    std::string file; // path of the elements
    std::string sha256;
  };
  std::vector<Entry> entries;
  std::string sha256; // of inputs.json, which contains the checksums of all elements
};

// An empty list removes the inputs that are in the folder.
Status writeInputs(const std::vector<GivenInput> &inputs, const std::string &folder);
// Reads only inputs.json, not the files of elements. Fails if it is missing or damaged.
Result<InputFolder> readInputs(const std::string &folder);
// Returns the folder if it holds inputs, else "".
std::string inputsIn(const std::string &folder);

} // namespace tessera::bench
