// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/word.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::record {

enum class Level { Info, Warning, Error };

// Where a program keeps its log, and how large it may get.
struct LogPlace {
  std::string folder;  // created with the first line
  std::string program; // base of the file names: tessera.log, tessera.1.log, …
  std::size_t bytes = std::size_t{2} << 20; // maximal size of one file
  std::size_t files = 3;                    // number of files kept
};

// The log of a program in a rotating file. main() opens one and passes it down by value. Copies
// write into the same file, and the last copy closes it. A Record that was not opened writes
// nothing, so that tests and libraries need none.
//
// write() may be called by any thread and never waits for the disk, because a separate thread
// writes the file. If that thread falls behind, the oldest queued lines are dropped.
class Record {
public:
  Record() = default;
  static Record open(LogPlace place);

  explicit operator bool() const { return m_state != nullptr; }

  // Writes a line such as "2026-11-25T14:02:11.042+01:00 [4711] warning: process ended
  // program=tessera-gpu signal=SIGKILL".
  void write(Level level, Word what, const std::vector<Field> &fields = {}) const;

  // The number that stands for a file in the log of this run, 1 for the first file. Path and name
  // are never logged; equal numbers show that two lines are about the same file.
  std::int64_t numberOf(const std::string &path) const;

  // Calls the listener once, on the thread that notices that the log cannot be written. If that is
  // known already, the call comes at once. After forgetTrouble() has returned, no call is running
  // or will follow.
  void onTrouble(std::function<void(const Error &)> listener) const;
  void forgetTrouble() const;

  std::string folder() const; // empty: nothing is written
  std::string file() const;   // the current file; empty before the first line

private:
  struct State;
  std::shared_ptr<State> m_state;
};

} // namespace tessera::record
