// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"

#include <memory>
#include <mutex>
#include <string>

namespace tessera::record {

// The log files of one process: a queue of lines, a thread that empties the queue, and rotating
// files. spdlog does the work, but no header in this folder includes it. The first log line takes
// the first file name that no other running process uses: tessera.log, tessera-2.log, …
class LogFile {
public:
  explicit LogFile(LogPlace place);
  ~LogFile(); // returns when all lines are written

  void write(Level level, const std::string &line);

  void onTrouble(std::function<void(const Error &)> listener);

  const LogPlace &place() const { return m_place; }
  std::string path() const;

private:
  struct Impl;
  void trouble(const std::string &cause); // called by the writing thread

  LogPlace m_place;
  std::mutex m_mutex; // guards m_listener, m_trouble and m_isTold
  std::function<void(const Error &)> m_listener;
  std::unique_ptr<Error> m_trouble; // the first error
  bool m_isTold = false;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::record
