// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <stdexcept>
#include <string>

namespace tessera::tune {

// Lets a tuning go on after a fault of the program itself, such as an id that is used with a
// pipeline that it is not of (pipeline::ForeignId). What was being proposed or learnt is dropped,
// and the cause is kept for the user.
class DroppedProposals {
public:
  // Calls `function` and returns its result; an empty one if it throws a std::logic_error.
  template <typename Function>
  auto run(Function &&function) -> decltype(function()) {
    try {
      return function();
    } catch (const std::logic_error &fault) {
      m_causes.insert(fault.what());
      return decltype(function())();
    }
  }

  const std::set<std::string> &causes() const { return m_causes; } // each once

private:
  std::set<std::string> m_causes;
};

} // namespace tessera::tune
