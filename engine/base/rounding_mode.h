// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>

namespace tessera {

// How this thread rounds floats, FE_UPWARD for one, until it ends.
class RoundingMode {
public:
  explicit RoundingMode(int mode) : m_before(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(m_before); }
  RoundingMode(const RoundingMode &) = delete;
  RoundingMode &operator=(const RoundingMode &) = delete;

private:
  int m_before;
};

} // namespace tessera
