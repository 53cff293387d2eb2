// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tessera::record {

// A file of the user's that was read or written. Of its path the log takes the number that tells it
// from other files of the run (Record::numberOf), and its size.
struct FileLine {
  Word what = "file opened";
  Word kind = "unknown";
  std::string path;
  std::optional<ErrorCode> failed = {};
  std::chrono::steady_clock::time_point start; // of the work
  std::vector<Field> facts = {};
};

void write(const Record &record, const FileLine &line);

template <typename T>
std::optional<ErrorCode> failureOf(const Result<T> &result) {
  return result ? std::nullopt : std::optional(result.error().code);
}

} // namespace tessera::record
