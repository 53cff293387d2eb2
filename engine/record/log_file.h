// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"

#include <memory>
#include <mutex>
#include <string>

namespace tessera::record {

// The log files of one process, written by spdlog, which no header here includes: a queue, a thread
// that empties it, and rotating files. The first log line takes the first free file name, which no
// other running process uses: tessera.log, tessera-2.log, …
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
  std::mutex m_mutex; // guards the members below
  std::function<void(const Error &)> m_listener;
  std::unique_ptr<Error> m_trouble; // the first error
  bool m_isTold = false;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::record
