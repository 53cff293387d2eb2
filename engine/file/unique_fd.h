// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>
#include <utility>

namespace tessera::file {

// Owns a file descriptor and closes it.
class UniqueFd {
public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : m_fd(fd) {}
  UniqueFd(UniqueFd &&other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  UniqueFd &operator=(UniqueFd &&other) noexcept {
    if (this != &other) reset(std::exchange(other.m_fd, -1));
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return m_fd; }
  explicit operator bool() const { return m_fd >= 0; }

  void reset(int fd = -1) {
    if (m_fd >= 0) ::close(m_fd);
    m_fd = fd;
  }
  // For a file that was written: some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(m_fd, -1)) == 0; }

private:
  int m_fd = -1;
};

} // namespace tessera::file
