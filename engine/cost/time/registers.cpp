// SPDX-License-Identifier: MIT
#include "engine/cost/time/registers.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using report::AssemblerReport;

namespace {

constexpr double kBase = 12;     // registers of any kernel
constexpr double kFewAhead = 32; // up to this many loads do not occupy registers for long

// Registers that a thread needs for addresses. All constants of registersWanted(), to which this
// function belongs, are a least-squares fit to the registers that ptxas gave 3,918 kernels below
// the cap. The root mean square error is 10 registers.
double registersOfAddresses(const KernelLoad &load) {
  // The addresses of all stages are computed once, before the first stage. Addresses beyond kMost
  // registers are recomputed where they are needed.
  constexpr double kLeast = 15, kPerStage = 4.5, kMost = 88;
  return kLeast + std::min(kMost, kPerStage * static_cast<double>(load.stages.size()));
}

double registersOfOperations(double operations) {
  constexpr double kPerOperation = 0.8, kMost = 10;
  return std::min(kMost, kPerOperation * std::sqrt(operations));
}

constexpr double kUnrolled = 4; // LLVM unrolls a loop of at most so many bodies

// Loads of a body that LLVM moves ahead of their uses, in all iterations that it unrolls. A sum
// uses the loads of its points as they arrive, so these do not count.
double loadsAhead(const StageLoad &stage) {
  const double turns = stage.bodies <= kUnrolled ? std::max(1.0, stage.bodies) : 1;
  const double taken = stage.turns > 1 ? stage.points : 0;
  return turns * std::max(0.0, stage.loads - taken);
}

// Totals over all stages, as input of the fits.
struct Totals {
  double operations = 0, scattered = 0, rows = 0;
  // The maximum of all stages; mostHeld includes registers for operations.
  double mostOperations = 0, mostHeld = 0;
  double mostAhead = kFewAhead;       // largest number of loads ahead
  const StageLoad *loading = nullptr; // the stage of mostAhead, if it exceeds kFewAhead
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

// Registers that a stage needs, however its code is ordered. Addresses do not count, since they can
// be recomputed. But most of the first kSmall wanted registers are needed in any case.
double registersNeeded(const StageLoad &stage, double wanted) {
  constexpr double kSmall = 48, kPartOfSmall = 0.75;
  return std::max(kBase + stage.live, kPartOfSmall * std::min(wanted, kSmall));
}

// The expected excess over the cap. The estimate has an error, so some kernels slightly below the
// cap spill, and some slightly above do not.
double expected(double beyond, double blur) {
  constexpr double kMost = 300;
  return beyond > kMost ? kMost : blur * std::log1p(std::exp(beyond / blur));
}

// Accesses per iteration to spilled values if `registers` registers are missing, fitted to
// measurements, see tests/campaigns/times. Even if few registers are missing, the assembler moves
// many values.
double accessesForMissing(double registers) {
  constexpr double kAccesses = 60, kHalf = 4;
  return kAccesses * std::sqrt(registers) * registers / (registers + kHalf);
}

// Values that the assembler spills because of the given order of the code. The assembler keeps
// addresses and shared values over the whole kernel. The longer the code, the more spills, but a
// single long stage spills less. This is a fit to what ptxas gave 9,068 kernels of random schedules
// at 64 registers, of which 711 spill. Of one kernel that spills and one that does not, the fit
// predicts more spills for the right one in 84 of 100 pairs (the number of values that must be kept
// does so in 52). Half of the fitted value is used, and the cap counts twice, since this ranks good
// schedules best, see tests/campaigns/times.
double spilledByOrder(const Totals &totals, int cap) {
  constexpr double kOperations = 1.96, kInOneStage = -1.6, kScattered = 1.31, kRows = 1.21;
  constexpr double kLeast = -24.7, kFittedCap = 64, kCapPart = 3, kBlur = 3.2, kSpilled = 4;
  const double beyond = kLeast + kOperations * std::sqrt(totals.operations) +
                        kInOneStage * std::sqrt(totals.mostOperations) +
                        kScattered * std::sqrt(totals.scattered) + kRows * std::sqrt(totals.rows) -
                        (cap - kFittedCap) / kCapPart;
  return kSpilled * expected(beyond, kBlur);
}

// Values spilled because early loads and their addresses take their registers. Searches found 1,409
// kernels with 64 registers, which an H200 ran. There a thread keeps on average 20 bytes in memory
// if a body has at most 96 loads, 84 bytes with up to 255 loads, 145 bytes with up to 399, and 498
// bytes with more.
double spilledByLoads(double loads, int cap) {
  constexpr double kLeast = 120, kPart = 0.4, kFittedCap = 64, kLoadsOfCap = 2;
  constexpr double kBlur = 20;
  if (loads <= kFewAhead) return 0;
  return kPart * expected(loads - kLeast - kLoadsOfCap * (cap - kFittedCap), kBlur);
}

// Loads and stores of spilled values per iteration: the median of the kernels described at
// spilledByLoads(). If few values are spilled, most of them are used only once.
double accessesToSpilled(double spilled) {
  constexpr double kAccesses = 3.4, kHalf = 8;
  return kAccesses * spilled * spilled / (spilled + kHalf);
}

} // namespace

// Spills are attributed to one stage: to that with the largest number of values to keep, or, if
// early loads cause the spills, to that with the largest number of loads ahead.
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
