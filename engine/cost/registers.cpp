// SPDX-License-Identifier: MIT
#include "engine/cost/registers.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using schedule::AssemblerReport;

namespace {

constexpr double kBase = 12; // whatever a kernel does

// Registers of a thread while it runs a stage: a least-squares fit to what ptxas gave 3,918 kernels
// that were below the cap; off by 10 (root mean square).
double registersOfAddresses(const KernelLoad &load) {
  // Those of all stages are computed once, before the first. Beyond so many they are computed anew.
  constexpr double kLeast = 15, kPerStage = 4.5, kMost = 88;
  return kLeast + std::min(kMost, kPerStage * static_cast<double>(load.stages.size()));
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
  constexpr double kSmall = 48, kPartOfSmall = 0.75;
  return std::max(kBase + stage.live, kPartOfSmall * std::min(wanted, kSmall));
}

// The estimate is off by some, so a few registers below the cap some kernels spill, and a few above
// it others do not.
double expectedSpill(double beyond) {
  constexpr double kBlur = 4, kMost = 300;
  return beyond > kMost ? kMost : kBlur * std::log1p(std::exp(beyond / kBlur));
}

// As many as were measured, see tests/campaigns/times: where little is missing, the assembler moves
// much all the same.
double accessesTo(double spilled) {
  constexpr double kAccesses = 60, kHalf = 4;
  return kAccesses * std::sqrt(spilled) * spilled / (spilled + kHalf);
}

} // namespace

// What is spilled is where most has to live.
Registers::Registers(const KernelLoad &load, int cap,
                     const std::optional<AssemblerReport> &assembled)
    : m_cap(cap) {
  const auto fullest = std::ranges::max_element(load.stages, {}, &StageLoad::live);
  if (fullest != load.stages.end()) m_fullest = &*fullest;
  if (assembled) {
    m_used = assembled->registers;
    m_spilled = assembled->stackBytes / kBytes;
    m_accesses = (assembled->spillStoreBytes + assembled->spillLoadBytes) / kBytes;
    return;
  }
  const double wanted = registersWanted(load);
  m_used = static_cast<int>(std::min<double>(cap, wanted));
  if (!m_fullest) return;
  m_spilled = expectedSpill(registersNeeded(*m_fullest, wanted) - cap);
  m_accesses = accessesTo(m_spilled);
}

double Registers::roomFor(const StageLoad &stage) const {
  constexpr double kLeast = 4;
  return std::max(kLeast, m_cap - kBase - stage.live);
}

} // namespace tessera::cost
