// SPDX-License-Identifier: MIT
#include "engine/cost/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using machine::Machine;
using schedule::AssemblerReport;

namespace {

// Fitted to 4,775 kernels of random schedules on an H200 (tests/campaigns/times), within what
// microbenchmarks of the same GPU allow.
constexpr double kStart = 1.1e-6;       // seconds of a kernel that does nothing
constexpr double kGap = 1.0e-6;         // seconds between kernels
constexpr double kClocksPerIssue = 1.5; // of one warp, its instructions depending on each other
constexpr double kTurn = 60;            // clocks: a branch, and its addresses before the first load
constexpr double kBarrier = 190;        // clocks, with the wait for the slowest warp
constexpr double kSharpness = 2.1;      // how far the parts overlap: 1 not at all, infinite: wholly
constexpr double kCachePass = 0.55;     // clocks; neighbours in the block hit the same lines
constexpr double kGuardedWait = 0.57;   // of each copy behind a condition of its own
constexpr double kUnrolledByLlvm = 4;   // turns of a short loop that only adds up
constexpr double kShortBody = 64;
constexpr double kAtomicSeconds = 0.6e-9, kConflictSeconds = 0.114e-9; // over the whole GPU
constexpr double kBlocksPerClock = 0.83;
constexpr double kSpillWait = 4; // clocks of a turn for each access to what is spilled

double instructionsOf(const StageLoad &stage) {
  return stage.arithmetic.all() + stage.addressing + stage.loads + stage.stores +
         stage.sharedAccesses + stage.localAccesses;
}

// Registers of a thread while it runs a stage: a least-squares fit to what ptxas gave 3,918 kernels
// that were below the cap; off by 10 (root mean square).
double registersOfAddresses(const KernelLoad &load) {
  // Those of all stages are computed once, before the first. Beyond so many they are computed anew.
  constexpr double kBase = 15, kPerStage = 4.5, kMost = 88;
  return kBase + std::min(kMost, kPerStage * static_cast<double>(load.stages.size()));
}

double registersOfValues(const StageLoad &stage) {
  constexpr double kPerOperation = 0.8, kMostOfOperations = 10;
  return stage.held +
         std::min(kMostOfOperations, kPerOperation * std::sqrt(stage.arithmetic.all()));
}

double registersWanted(const KernelLoad &load) {
  double most = 0;
  for (const StageLoad &stage : load.stages)
    most = std::max(most, registersOfValues(stage));
  return std::max(16.0, registersOfAddresses(load) + most);
}

// The estimate is off by some, so a few registers below the cap some kernels spill, and a few above
// it others do not.
double expectedSpill(double beyond) {
  constexpr double kBlur = 8, kMost = 300;
  return beyond > kMost ? kMost : kBlur * std::log1p(std::exp(beyond / kBlur));
}

// What a kernel's threads keep, and where.
class Registers {
public:
  Registers(const KernelLoad &load, int cap, const std::optional<AssemblerReport> &assembled)
      : m_load(load), m_cap(cap), m_assembled(assembled) {}

  int used() const {
    return m_assembled ? m_assembled->registers
                       : static_cast<int>(std::min<double>(m_cap, registersWanted(m_load)));
  }
  double spilled() const {
    return m_assembled ? m_assembled->stackBytes / kBytes
                       : expectedSpill(registersWanted(m_load) - m_cap);
  }

  // Loads and stores of a turn for what has no register: values are used again and again, addresses
  // once. The assembler says how many there are, and not where: where most is held.
  double spillAccesses(const StageLoad &stage) const {
    if (m_assembled) {
      const bool isFullest =
          &stage == &*std::ranges::max_element(m_load.stages, {}, &StageLoad::held);
      return isFullest ? (m_assembled->spillStoreBytes + m_assembled->spillLoadBytes) / kBytes : 0;
    }
    constexpr double kUsesOfAddress = 2, kUsesOfValue = 6;
    const double addresses = registersOfAddresses(m_load);
    const double ofAddresses = expectedSpill(addresses - m_cap);
    const double all = expectedSpill(addresses + registersOfValues(stage) - m_cap);
    return kUsesOfAddress * ofAddresses + kUsesOfValue * (all - ofAddresses);
  }

  static constexpr double kBytes = 4; // of one

private:
  const KernelLoad &m_load;
  const int m_cap;
  const std::optional<AssemblerReport> &m_assembled;
};

// Clocks of a turn in which nothing but the memory is busy.
double waitOf(const StageLoad &stage, const machine::Memory &memory, double fromDram) {
  double wait = 0;
  if (stage.loads > 0) {
    const double beyond = std::min(1.0, stage.missing);
    const double far = memory.l2Latency + fromDram * (memory.dramLatency - memory.l2Latency);
    wait = memory.cacheLatency + beyond * (far - memory.cacheLatency);
  } else if (stage.sharedAccesses > 0 || stage.localAccesses > 0) {
    wait = memory.sharedLatency;
  }
  if (stage.guarded) return wait * std::max(1.0, kGuardedWait * stage.points);
  const double body = 4 * stage.points + stage.loads;
  return wait /
         std::max(1.0, std::min({kUnrolledByLlvm, stage.turns, kShortBody / std::max(1.0, body)}));
}

// What spills leave the first-level cache, of a block: all that it cannot hold of them.
double spillBytes(const StageLoad &stage, double accesses, double spilled, double residentThreads,
                  const Machine &machine) {
  const double kept = spilled * Registers::kBytes * residentThreads;
  const double room = static_cast<double>(machine.sm.cacheBytes) / 2;
  if (kept <= room) return 0;
  const auto warp = static_cast<double>(machine.limits.warpSize);
  return (1 - room / kept) * accesses * Registers::kBytes * stage.warps * warp * stage.bodies;
}

// Clocks of a multiprocessor, for one block.
struct BlockClocks {
  std::array<double, kLimiters> busy{};
  double l2Seconds = 0; // of all blocks, beyond the multiprocessors
  double &operator[](Limiter limiter) { return busy[static_cast<std::size_t>(limiter)]; }
};

BlockClocks clocksOf(const KernelLoad &load, const Machine &machine, const Registers &registers,
                     double residentThreads, double fromDram) {
  const machine::Multiprocessor &sm = machine.sm;
  const auto warp = static_cast<double>(machine.limits.warpSize);
  const double spilled = registers.spilled();
  BlockClocks clocks;
  for (const StageLoad &stage : load.stages) {
    const double runs = stage.warps * stage.bodies;
    const double spills = registers.spillAccesses(stage);
    const double instructions = instructionsOf(stage) + spills;
    const Slots &slots = stage.arithmetic;
    clocks[Limiter::Issue] += runs * instructions / sm.warpsIssued;
    clocks[Limiter::Fp32] += runs * (slots.fp32 * warp / sm.fp32 + slots.fp16 * warp / sm.fp16);
    clocks[Limiter::Fp64] += runs * slots.fp64 * warp / sm.fp64;
    clocks[Limiter::Integer] += runs * (slots.integer + stage.addressing) * warp / sm.int32;
    clocks[Limiter::Special] += runs * slots.special * warp / sm.special;
    clocks[Limiter::Cache] +=
        runs * kCachePass * (stage.lines + stage.sharedPasses + stage.localAccesses + spills);
    clocks[Limiter::Latency] +=
        stage.bodies * (instructions * kClocksPerIssue + kTurn +
                        waitOf(stage, machine.memory, fromDram) + spills * kSpillWait) +
        stage.barriers * kBarrier;
    const double bytes = stage.l2Bytes + stage.storeBytes +
                         spillBytes(stage, spills, spilled, residentThreads, machine);
    clocks.l2Seconds += load.blocks * bytes / machine.memory.l2BytesPerSecond;
  }
  return clocks;
}

} // namespace

std::string_view name(Limiter limiter) {
  constexpr std::string_view kNames[kLimiters] = {"issue",   "fp32",    "fp64",    "integer",
                                                  "special", "cache",   "l2",      "dram",
                                                  "atomics", "latency", "dispatch"};
  return kNames[static_cast<std::size_t>(limiter)];
}

KernelTime timeOf(const KernelLoad &load, const Machine &machine, int registerCap, double fromDram,
                  const std::optional<AssemblerReport> &assembled) {
  KernelTime time;
  const Registers registers(load, registerCap, assembled);
  time.registers = registers.used();
  time.spilled = registers.spilled();
  time.occupancy = machine::occupancy(machine, {load.threads(), time.registers, load.sharedBytes});
  const double resident = static_cast<double>(std::max<std::int64_t>(1, time.occupancy.blocks));
  const auto multiprocessors = static_cast<double>(machine.multiprocessors);
  // Of the multiprocessor with most blocks.
  const double blocks = std::ceil(load.blocks / multiprocessors);
  time.waves = blocks / std::min(resident, blocks);

  const double residentThreads = std::min(resident, blocks) * static_cast<double>(load.threads());
  BlockClocks clocks = clocksOf(load, machine, registers, residentThreads, fromDram);
  for (double &busy : clocks.busy)
    busy *= blocks / machine.clockHz;
  clocks[Limiter::Latency] /= std::min(resident, blocks);
  clocks[Limiter::L2] = clocks.l2Seconds;
  for (const StageLoad &stage : load.stages) {
    if (stage.atomics > 0 && stage.stores > 0)
      clocks[Limiter::Atomics] += load.blocks * stage.warps * stage.bodies * stage.atomics *
                                  (kAtomicSeconds + kConflictSeconds * stage.conflicts);
  }
  clocks[Limiter::Dram] = fromDram * load.dramBytes / machine.memory.dramBytesPerSecond;
  clocks[Limiter::Dispatch] = load.blocks / (kBlocksPerClock * machine.clockHz);

  double sum = 0;
  for (const double part : clocks.busy)
    sum += std::pow(part, kSharpness);
  time.seconds = load.launches * (kGap + kStart + std::pow(sum, 1 / kSharpness));
  time.parts = clocks.busy;
  for (double &part : time.parts)
    part *= load.launches;
  time.limiter = static_cast<Limiter>(std::ranges::max_element(time.parts) - time.parts.begin());
  return time;
}

} // namespace tessera::cost
