// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tessera::record {

// A log line about a user's file that was read or written. The log does not get the path, only a
// number that distinguishes the files of a run (Record::numberOf), and the size.
struct FileLine {
  Word what = "file opened";
  Word kind = "unknown";
  std::string path;
  std::optional<ErrorCode> failed = {};
  std::chrono::steady_clock::time_point start; // start of the work
  std::vector<Field> facts = {};
};

void write(const Record &record, const FileLine &line);

template <typename T>
std::optional<ErrorCode> failureOf(const Result<T> &result) {
  return result ? std::nullopt : std::optional(result.error().code);
}

} // namespace tessera::record
