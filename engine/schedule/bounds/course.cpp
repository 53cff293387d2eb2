// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/course.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace tessera::schedule {

namespace {

// Values of Course::rounded without this bit are the product of the divisors, since to Halide
// (x/2)/2 is x/4. After a multiplication that follows a division, and for large products, the value
// is a hash with this bit set.
constexpr std::uint32_t kOther = 1U << 31;
constexpr std::uint64_t kLargestDivisor = 1U << 16;

std::uint32_t mixed(std::uint32_t rounded, std::int64_t with) {
  return (rounded * 31 + static_cast<std::uint32_t>(with)) | kOther;
}

std::uint32_t dividedOnce(std::uint32_t rounded, std::int64_t by) {
  const std::uint64_t product =
      std::max<std::uint64_t>(rounded, 1) * static_cast<std::uint64_t>(by);
  return product < kLargestDivisor ? static_cast<std::uint32_t>(product) : mixed(rounded, by);
}

// A step that is too large for the type becomes 1, which means that the step is unknown.
std::uint16_t narrow(std::int64_t step) {
  return step <= std::numeric_limits<std::uint16_t>::max() ? static_cast<std::uint16_t>(step) : 1;
}

} // namespace

void Course::tile(Ends made, std::int64_t every) {
  const std::uint16_t before = ends == Ends::Apart ? 1 : step;
  step = std::gcd(before, narrow(every));
  // For a tile inside of another tile, Halide knows at least Ends::Cut, even if the outer tile is
  // Ends::Apart.
  ends = ends == Ends::Still ? made : std::min(ends, Ends::Cut);
}

void Course::divide(std::int64_t by) {
  if (by == 1 || ends == Ends::Still) return;
  if (step % by == 0) {
    step = static_cast<std::uint16_t>(step / by);
    return;
  }
  if (ends == Ends::Cut) ends = Ends::Apart;
  rounded = dividedOnce(rounded, by);
  step = 1;
}

void Course::multiply(std::int64_t by) {
  if (by == 1 || ends == Ends::Still) return;
  step = narrow(std::int64_t{step} * std::abs(by));
  if (rounded != 0) rounded = mixed(rounded, by);
}

void Course::clamp(bool isPoint) {
  if (ends == Ends::Still) return;
  const bool follows = isPoint || (isKnown && ends == Ends::Together);
  ends = follows ? std::max(ends, Ends::Cut) : Ends::Apart;
  step = 1;
}

void Course::join(const Course &other) {
  if (*this == other) return;
  const bool alike = ends == Ends::Still || other.ends == Ends::Still || rounded == other.rounded;
  if (ends == Ends::Still) {
    rounded = other.rounded;
    isKnown = true;
  }
  ends = alike ? std::max(ends, other.ends) : Ends::Apart;
  isKnown = isKnown && other.isKnown;
  step = std::gcd(step, other.step);
}

} // namespace tessera::schedule
