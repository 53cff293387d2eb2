// SPDX-License-Identifier: MIT
#pragma once

#include "engine/file/unique_fd.h"

#include <optional>
#include <stop_token>

namespace tessera::job {

// Makes a stop request readable on a descriptor, so that it ends poll() at once.
class StopEvent {
public:
  explicit StopEvent(const std::stop_token &stop);

  int fd() const { return m_event.get(); } // -1: no stop possible, or no descriptor available
  bool blind() const { return m_blind; }   // a stop is possible, but fd() cannot signal it

private:
  struct Signal {
    int fd;
    void operator()() const noexcept;
  };
  file::UniqueFd m_event;
  bool m_blind = false;
  std::optional<std::stop_callback<Signal>> m_callback; // last: destroyed before m_event
};

} // namespace tessera::job
