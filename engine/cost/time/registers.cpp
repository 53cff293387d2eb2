// SPDX-License-Identifier: MIT
#include "engine/cost/time/registers.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using report::AssemblerReport;

namespace {

constexpr double kBase = 12;     // whatever a kernel does
constexpr double kFewAhead = 32; // loads that cost no register for long

// Registers of a thread while it runs a stage: a least-squares fit to what ptxas gave 3,918 kernels
// that were below the cap; off by 10 (root mean square).
double registersOfAddresses(const KernelLoad &load) {
  // Those of all stages are computed once, before the first. Beyond so many they are computed anew.
  constexpr double kLeast = 15, kPerStage = 4.5, kMost = 88;
  return kLeast + std::min(kMost, kPerStage * static_cast<double>(load.stages.size()));
}

double registersOfOperations(double operations) {
  constexpr double kPerOperation = 0.8, kMost = 10;
  return std::min(kMost, kPerOperation * std::sqrt(operations));
}

// Loads of a body that LLVM puts before what they are for, of all turns that it unrolls; a sum
// takes one for each of its points as it comes.
constexpr double kUnrolled = 4;
double loadsAhead(const StageLoad &stage) {
  const double turns = stage.bodies <= kUnrolled ? std::max(1.0, stage.bodies) : 1;
  const double taken = stage.turns > 1 ? stage.points : 0;
  return turns * std::max(0.0, stage.loads - taken);
}

// What the fits look at, of all stages.
struct Totals {
  double operations = 0, scattered = 0, rows = 0;
  double mostOperations = 0, mostHeld = 0; // of a stage; held: with those of operations
  double mostAhead = kFewAhead;            // loads
  const StageLoad *loading = nullptr;      // that has these, where they are more than few
};

Totals totalsOf(const KernelLoad &load) {
  Totals totals;
  for (const StageLoad &stage : load.stages) {
    const double operations = stage.arithmetic.all();
    totals.operations += operations;
    totals.mostOperations = std::max(totals.mostOperations, operations);
    totals.mostHeld = std::max(totals.mostHeld, stage.held + registersOfOperations(operations));
    if (kUnrolled * stage.loads > totals.mostAhead)
      if (const double ahead = loadsAhead(stage); ahead > totals.mostAhead) {
        totals.mostAhead = ahead;
        totals.loading = &stage;
      }
    totals.scattered += stage.scattered;
    totals.rows += stage.rows;
  }
  return totals;
}

double registersWanted(const KernelLoad &load, const Totals &totals) {
  return std::max(16.0, registersOfAddresses(load) + totals.mostHeld);
}

// However the code is ordered. Addresses that find no register are computed anew, but for most of
// those that a small kernel has.
double registersNeeded(const StageLoad &stage, double wanted) {
  constexpr double kSmall = 48, kPartOfSmall = 0.75;
  return std::max(kBase + stage.live, kPartOfSmall * std::min(wanted, kSmall));
}

// The estimate is off by some, so a few registers below the cap some kernels spill, and a few above
// it others do not.
double expected(double beyond, double blur) {
  constexpr double kMost = 300;
  return beyond > kMost ? kMost : blur * std::log1p(std::exp(beyond / blur));
}

// As many as were measured, see tests/campaigns/times: where little is missing, the assembler moves
// much all the same.
double accessesForMissing(double registers) {
  constexpr double kAccesses = 60, kHalf = 4;
  return kAccesses * std::sqrt(registers) * registers / (registers + kHalf);
}

// What the assembler spills because of the order that it was given: it keeps addresses and what
// stages have in common over the whole kernel, the more the longer the code is, but of one long
// stage less. A fit to what ptxas gave 9,068 kernels of random schedules at 64 registers, of which
// 711 spill: of a kernel that does and one that does not, it puts the right one first in 84 of 100
// pairs (what has to be kept does in 52). Half as many as that fit says, and the cap counts twice:
// so good schedules rank best, see tests/campaigns/times.
double spilledByOrder(const Totals &totals, int cap) {
  constexpr double kOperations = 1.96, kInOneStage = -1.6, kScattered = 1.31, kRows = 1.21;
  constexpr double kLeast = -24.7, kFittedCap = 64, kCapPart = 3, kBlur = 3.2, kSpilled = 4;
  const double beyond = kLeast + kOperations * std::sqrt(totals.operations) +
                        kInOneStage * std::sqrt(totals.mostOperations) +
                        kScattered * std::sqrt(totals.scattered) + kRows * std::sqrt(totals.rows) -
                        (cap - kFittedCap) / kCapPart;
  return kSpilled * expected(beyond, kBlur);
}

// What loads that come early leave no register for, with their addresses. Of 1,409 kernels that
// searches found, and an H200 ran, with 64 registers: those with at most 96 loads in a body keep
// 20 bytes of a thread in memory in the mean, with up to 255 of them 84, up to 399 145, beyond 498.
double spilledByLoads(double loads, int cap) {
  constexpr double kLeast = 120, kPart = 0.4, kFittedCap = 64, kLoadsOfCap = 2;
  constexpr double kBlur = 20;
  if (loads <= kFewAhead) return 0;
  return kPart * expected(loads - kLeast - kLoadsOfCap * (cap - kFittedCap), kBlur);
}

// The median of the same kernels: loads and stores of a turn. Where little is missing, most of it
// is used once.
double accessesToSpilled(double spilled) {
  constexpr double kAccesses = 3.4, kHalf = 8;
  return kAccesses * spilled * spilled / (spilled + kHalf);
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
  const Totals totals = totalsOf(load);
  const double wanted = registersWanted(load, totals);
  m_used = static_cast<int>(std::min<double>(cap, wanted));
  if (!m_fullest) return;
  constexpr double kBlur = 4;
  const double missing = expected(registersNeeded(*m_fullest, wanted) - cap, kBlur);
  const double byOrder = spilledByOrder(totals, cap);
  const double byLoads = spilledByLoads(totals.mostAhead, cap);
  m_spilled = std::max({missing, byOrder, byLoads});
  m_accesses = std::max(accessesForMissing(missing), accessesToSpilled(std::max(byOrder, byLoads)));
  if (byLoads > std::max(missing, byOrder)) m_fullest = totals.loading;
}

double Registers::roomFor(const StageLoad &stage) const {
  constexpr double kLeast = 4;
  return std::max(kLeast, m_cap - kBase - stage.live);
}

} // namespace tessera::cost
