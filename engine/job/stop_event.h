// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/unique_fd.h"

#include <optional>
#include <stop_token>

namespace tessera::job {

// Makes a stop request readable on a descriptor, so that it ends a poll() at once.
class StopEvent {
public:
  explicit StopEvent(const std::stop_token &stop);

  int fd() const { return m_event.get(); } // -1: no stop can come, or no descriptor was to be had
  bool blind() const { return m_blind; }   // a stop can come and fd() will not tell

private:
  struct Signal {
    int fd;
    void operator()() const noexcept;
  };
  UniqueFd m_event;
  bool m_blind = false;
  std::optional<std::stop_callback<Signal>> m_callback; // last: gone before the descriptor closes
};

} // namespace tessera::job
