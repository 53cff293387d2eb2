// SPDX-License-Identifier: MIT
#include "engine/cost/kernel_time.h"

#include "engine/cost/registers.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using machine::Machine;
using schedule::AssemblerReport;

namespace {

double requestsOf(const StageLoad &stage) {
  return stage.loads + stage.stores + stage.sharedAccesses + stage.localAccesses;
}

// Integer instructions of a turn for the loop and for addresses; what lies side by side is at
// offsets that instructions hold.
double addressingOf(const StageLoad &stage, const TimeConstants &k) {
  return k.addressesPerTurn + k.addressesPerRow * stage.rows +
         k.addressesPerRequest * requestsOf(stage);
}

// Clocks of a turn in which nothing but the memory is busy.
double waitOf(const StageLoad &stage, const machine::Memory &memory, double fromDram,
              const TimeConstants &k) {
  double wait = 0;
  if (stage.loads > 0) {
    const double beyond = std::min(1.0, stage.missing);
    const double far = memory.l2Latency + fromDram * (memory.dramLatency - memory.l2Latency);
    wait = memory.cacheLatency + beyond * (far - memory.cacheLatency);
  } else if (stage.sharedAccesses > 0 || stage.localAccesses > 0) {
    wait = memory.sharedLatency;
  }
  if (stage.chained) return wait * stage.points;
  if (stage.guarded) return wait * std::max(1.0, k.guardedWait * stage.points);
  const double body = 4 * stage.points + stage.loads;
  return wait / std::max(1.0, std::min({k.unrolledByLlvm, stage.turns,
                                        k.shortBody / std::max(1.0, body)}));
}

// The part of what is accessed that a cache cannot hold.
double missed(double kept, double room) { return kept <= room ? 0 : 1 - room / kept; }

// What spills take to the second-level cache and to device memory, of a block: all that neither
// cache holds of what the resident threads keep.
struct SpillBytes {
  double toL2 = 0, toDram = 0;
};

SpillBytes spillBytes(const StageLoad &stage, double accesses, double spilled,
                      double residentThreads, const Machine &machine) {
  const double kept = spilled * Registers::kBytes * residentThreads;
  const auto warp = static_cast<double>(machine.limits.warpSize);
  const double bytes = accesses * Registers::kBytes * stage.warps * warp * stage.bodies *
                       missed(kept, static_cast<double>(machine.sm.cacheBytes) / 2);
  return {bytes, bytes * missed(kept * static_cast<double>(machine.multiprocessors),
                                static_cast<double>(machine.memory.l2Bytes))};
}

// Clocks of a multiprocessor, for one block.
struct BlockClocks {
  std::array<double, kLimiters> busy{};
  double l2Seconds = 0,
         spilledToDram = 0; // of all blocks, beyond the multiprocessors: seconds, bytes
  double &operator[](Limiter limiter) { return busy[static_cast<std::size_t>(limiter)]; }
};

BlockClocks clocksOf(const KernelLoad &load, const Machine &machine, const Registers &registers,
                     double residentThreads, double fromDram, const TimeConstants &k) {
  const machine::Multiprocessor &sm = machine.sm;
  const auto warp = static_cast<double>(machine.limits.warpSize);
  const double spilled = registers.spilled();
  const double warps = std::ceil(static_cast<double>(load.threads()) / warp);
  BlockClocks clocks;
  clocks[Limiter::Issue] = warps * k.prologue / sm.warpsIssued;
  clocks[Limiter::Integer] = warps * k.prologue * warp / sm.int32 / 2;
  clocks[Limiter::Latency] = k.prologue * k.clocksPerIssue;
  for (const StageLoad &stage : load.stages) {
    const double runs = stage.warps * stage.bodies;
    const double spills = registers.spillAccesses(stage);
    const double addressing = addressingOf(stage, k);
    const double instructions = stage.arithmetic.all() + addressing + requestsOf(stage) + spills;
    const Slots &slots = stage.arithmetic;
    clocks[Limiter::Issue] += runs * instructions / sm.warpsIssued;
    clocks[Limiter::Fp32] +=
        runs * warp * (slots.fp32 / sm.fp32 + slots.fp16 / sm.fp16 + slots.products / sm.int32);
    clocks[Limiter::Fp64] += runs * slots.fp64 * warp / sm.fp64;
    clocks[Limiter::Integer] += runs * (slots.integer + addressing) * warp / sm.int32;
    clocks[Limiter::Special] += runs * slots.special * warp / sm.special;
    clocks[Limiter::Cache] +=
        runs * k.cachePass * (stage.lines + stage.sharedPasses + stage.localAccesses + spills);
    clocks[Limiter::Latency] +=
        stage.bodies * (instructions * k.clocksPerIssue + k.turn +
                        waitOf(stage, machine.memory, fromDram, k) + spills * k.spillWait) +
        stage.barriers * k.barrier;
    const SpillBytes spilledBytes = spillBytes(stage, spills, spilled, residentThreads, machine);
    const double bytes = stage.l2Bytes + stage.storeBytes + spilledBytes.toL2;
    clocks.spilledToDram += load.blocks * spilledBytes.toDram;
    clocks.l2Seconds += load.blocks * bytes / (k.l2Part * machine.memory.l2BytesPerSecond);
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
                  const std::optional<AssemblerReport> &assembled, const TimeConstants &k) {
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
  BlockClocks clocks = clocksOf(load, machine, registers, residentThreads, fromDram, k);
  for (double &busy : clocks.busy)
    busy *= blocks / machine.clockHz;
  clocks[Limiter::Latency] /= std::min(resident, blocks);
  clocks[Limiter::L2] = clocks.l2Seconds;
  for (const StageLoad &stage : load.stages) {
    if (stage.atomics > 0 && stage.stores > 0)
      clocks[Limiter::Atomics] += load.blocks * stage.warps * stage.bodies * stage.atomics *
                                  (k.atomicSeconds + k.conflictSeconds * stage.conflicts);
  }
  clocks[Limiter::Dram] = (fromDram * load.dramBytes + clocks.spilledToDram) /
                          (k.dramPart * machine.memory.dramBytesPerSecond);
  clocks[Limiter::Dispatch] = load.blocks / (k.blocksPerClock * machine.clockHz);

  double sum = 0;
  for (const double part : clocks.busy)
    sum += std::pow(part, k.sharpness);
  time.seconds = load.launches * (k.gap + k.start + std::pow(sum, 1 / k.sharpness));
  time.parts = clocks.busy;
  for (double &part : time.parts)
    part *= load.launches;
  time.limiter = static_cast<Limiter>(std::ranges::max_element(time.parts) - time.parts.begin());
  return time;
}

} // namespace tessera::cost
