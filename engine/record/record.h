// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/record/word.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::record {

enum class Level { Info, Warning, Error };

// Where a program keeps its log, and how much of it.
struct LogPlace {
  std::string folder;                       // made when the first line is written
  std::string program;                      // names the files: tessera.log, tessera.1.log, …
  std::size_t bytes = std::size_t{2} << 20; // of one file, before the next begins
  std::size_t files = 3;                    // that are kept
};

// What a program did and what befell it, line by line in a rotating file. main() opens one and
// passes it down by value; copies write into the same file, and the last one closes it. A Record
// that was not opened writes nothing, so that tests and libraries need none.
//
// write() may be called by any thread and never waits for the disk: a thread of the log's own
// writes. Where it falls behind, the oldest lines that wait are dropped.
class Record {
public:
  Record() = default;
  static Record open(LogPlace place);

  explicit operator bool() const { return m_state != nullptr; }

  // "2026-11-25T14:02:11.042+01:00 [4711] warning: worker ended program=tessera-gpu signal=9"
  void write(Level level, Word what, const std::vector<Field> &fields = {}) const;

  // Which file of this run that is: 1 for the first that is asked about. Its path and its name are
  // never written; the number tells that it is the same file again.
  std::int64_t numberOf(const std::string &path) const;

  // Told once, in any thread, that the log cannot be written; at once where that is known already.
  // After forgetTrouble() has returned, nobody is told and nobody is being told.
  void onTrouble(std::function<void(const Error &)> listener) const;
  void forgetTrouble() const;

  std::string folder() const; // empty: this one writes nothing
  std::string file() const;   // that is being written; empty before the first line

private:
  struct State;
  std::shared_ptr<State> m_state;
};

} // namespace tessera::record
