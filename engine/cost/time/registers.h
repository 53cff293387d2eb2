// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_load.h"
#include "engine/report/compile_report.h"

#include <optional>

namespace tessera::cost {

// The registers of a kernel's threads and the values that are spilled, as reported by the assembler
// or as estimated.
class Registers {
public:
  Registers(const KernelLoad &load, int cap,
            const std::optional<report::AssemblerReport> &assembled);

  int used() const { return m_used; }
  double spilled() const { return m_spilled; } // values in local memory for want of registers
  // Accesses per iteration to spilled values.
  double spillAccesses(const StageLoad &stage) const {
    return &stage == m_fullest ? m_accesses : 0;
  }

  // Registers that a stage has left for loads in flight, if only the cap limits them.
  double roomFor(const StageLoad &stage) const;

  static constexpr double kBytes = 4; // bytes of a register

private:
  int m_cap = 0, m_used = 0;
  double m_spilled = 0, m_accesses = 0;
  const StageLoad *m_fullest = nullptr; // the stage to which all spills are attributed
};

} // namespace tessera::cost
