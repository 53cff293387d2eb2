// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"

#include <memory>
#include <mutex>
#include <string>

namespace tessera::record {

// The files of one process's log, by spdlog, which no header of ours includes: a queue, a thread
// that empties it, and files that rotate. The first line takes the first name that no other running
// process has: tessera.log, tessera-2.log, …
class LogFile {
public:
  explicit LogFile(LogPlace place);
  ~LogFile(); // when all lines are written

  void write(Level level, const std::string &line);

  void onTrouble(std::function<void(const Error &)> listener);

  const LogPlace &place() const { return m_place; }
  std::string path() const;

private:
  struct Impl;
  void trouble(const std::string &cause); // by the thread that writes

  LogPlace m_place;
  std::mutex m_mutex; // of what follows
  std::function<void(const Error &)> m_listener;
  std::unique_ptr<Error> m_trouble; // the first
  bool m_isTold = false;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tessera::record
