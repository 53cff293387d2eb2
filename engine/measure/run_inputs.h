// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/report/given_tolerance.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tessera::measure {

// The inputs for running a document's schedules: files for some, random numbers for the others. And
// how far the outputs may be off.
struct RunInputs {
  struct File {
    std::string input, path;

    friend bool operator==(const File &, const File &) = default;
  };
  std::vector<File> files; // sorted by name; at most one per input
  int seed = 1;            // for the other inputs
  report::GivenTolerance tolerance = {};

  std::string pathOf(std::string_view input) const;                        // "": random
  RunInputs with(const std::string &input, const std::string &path) const; // empty path: random

  friend bool operator==(const RunInputs &, const RunInputs &) = default;
};

// The JSON form is {"seed": 1, "files": [{"input":…, "path":…}…], "tolerance"?:
// "rel=…,abs=…,share=…"}.
nlohmann::ordered_json toJson(const RunInputs &inputs);
Result<RunInputs> runInputsFromJson(const nlohmann::json &document);

} // namespace tessera::measure
