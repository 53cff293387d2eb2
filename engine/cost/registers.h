// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/kernel_load.h"
#include "engine/schedule/compile_report.h"

#include <optional>

namespace tessera::cost {

// What a kernel's threads keep, and where: as the assembler says, or estimated.
class Registers {
public:
  Registers(const KernelLoad &load, int cap,
            const std::optional<schedule::AssemblerReport> &assembled);

  int used() const;
  double spilled() const; // values that are kept in local memory instead
  // Loads and stores of a turn for what has no register.
  double spillAccesses(const StageLoad &stage) const;

  static constexpr double kBytes = 4; // of one

private:
  const KernelLoad &m_load;
  const int m_cap;
  const std::optional<schedule::AssemblerReport> m_assembled;
};

} // namespace tessera::cost
