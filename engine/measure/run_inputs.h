// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::measure {

// What a document's schedules are run on: files for some inputs, random numbers for the others.
struct RunInputs {
  struct File {
    std::string input, path;

    friend bool operator==(const File &, const File &) = default;
  };
  std::vector<File> files; // by name; at most one for an input
  int seed = 1;            // of the others

  std::string pathOf(std::string_view input) const;                        // empty: random
  RunInputs with(const std::string &input, const std::string &path) const; // empty: random

  friend bool operator==(const RunInputs &, const RunInputs &) = default;
};

// {"seed": 1, "files": [{"input":…, "path":…}…]}
nlohmann::ordered_json toJson(const RunInputs &inputs);
Result<RunInputs> runInputsFromJson(const nlohmann::json &document);

} // namespace tessera::measure
