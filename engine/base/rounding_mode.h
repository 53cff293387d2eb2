// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>

namespace tessera {

// Sets the rounding mode of this thread, such as FE_UPWARD, until the object is destroyed.
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
