// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_load.h"
#include "engine/report/compile_report.h"

#include <optional>

namespace tessera::cost {

// What a kernel's threads keep, and where: as the assembler says, or estimated.
class Registers {
public:
  Registers(const KernelLoad &load, int cap,
            const std::optional<report::AssemblerReport> &assembled);

  int used() const { return m_used; }
  double spilled() const { return m_spilled; } // values that are kept in local memory instead
  // Loads and stores of a turn for what has no register.
  double spillAccesses(const StageLoad &stage) const {
    return &stage == m_fullest ? m_accesses : 0;
  }

  // Registers that a stage has left for what it loads ahead, where the cap is the only limit.
  double roomFor(const StageLoad &stage) const;

  static constexpr double kBytes = 4; // of one

private:
  int m_cap = 0, m_used = 0;
  double m_spilled = 0, m_accesses = 0;
  const StageLoad *m_fullest = nullptr; // how much is spilled is said for the kernel, and not where
};

} // namespace tessera::cost
