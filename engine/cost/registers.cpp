// SPDX-License-Identifier: MIT
#include "engine/cost/registers.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using schedule::AssemblerReport;

namespace {

// Registers of a thread while it runs a stage: a least-squares fit to what ptxas gave 3,918 kernels
// that were below the cap; off by 10 (root mean square).
double registersOfAddresses(const KernelLoad &load) {
  // Those of all stages are computed once, before the first. Beyond so many they are computed anew.
  constexpr double kBase = 15, kPerStage = 4.5, kMost = 88;
  return kBase + std::min(kMost, kPerStage * static_cast<double>(load.stages.size()));
}

double registersOfOperations(const StageLoad &stage) {
  constexpr double kPerOperation = 0.8, kMost = 10;
  return std::min(kMost, kPerOperation * std::sqrt(stage.arithmetic.all()));
}

double registersWanted(const KernelLoad &load) {
  double most = 0;
  for (const StageLoad &stage : load.stages)
    most = std::max(most, stage.held + registersOfOperations(stage));
  return std::max(16.0, registersOfAddresses(load) + most);
}

// However the code is ordered. Addresses that find no register are computed anew, but for most of
// those that a small kernel has.
double registersNeeded(const StageLoad &stage, double wanted) {
  constexpr double kBase = 12, kSmall = 48, kPartOfSmall = 0.75;
  return std::max(kBase + stage.live, kPartOfSmall * std::min(wanted, kSmall));
}

// The estimate is off by some, so a few registers below the cap some kernels spill, and a few above
// it others do not.
double expectedSpill(double beyond) {
  constexpr double kBlur = 4, kMost = 300;
  return beyond > kMost ? kMost : kBlur * std::log1p(std::exp(beyond / kBlur));
}

} // namespace

Registers::Registers(const KernelLoad &load, int cap,
                     const std::optional<AssemblerReport> &assembled)
    : m_load(load), m_cap(cap), m_assembled(assembled) {}

int Registers::used() const {
  return m_assembled ? m_assembled->registers
                     : static_cast<int>(std::min<double>(m_cap, registersWanted(m_load)));
}

double Registers::spilled() const {
  if (m_assembled) return m_assembled->stackBytes / kBytes;
  const double wanted = registersWanted(m_load);
  double most = 0;
  for (const StageLoad &stage : m_load.stages)
    most = std::max(most, expectedSpill(registersNeeded(stage, wanted) - m_cap));
  return most;
}

// How many accesses there are is said for the kernel, and not where: where most is kept.
double Registers::spillAccesses(const StageLoad &stage) const {
  const bool isFullest = &stage == &*std::ranges::max_element(m_load.stages, {}, &StageLoad::live);
  if (!isFullest) return 0;
  if (m_assembled) return (m_assembled->spillStoreBytes + m_assembled->spillLoadBytes) / kBytes;
  // As many as were measured, see tests/campaigns/times: where little is missing, the assembler
  // moves much all the same.
  constexpr double kAccesses = 60, kHalf = 4;
  const double missing = spilled();
  return kAccesses * std::sqrt(missing) * missing / (missing + kHalf);
}

} // namespace tessera::cost
