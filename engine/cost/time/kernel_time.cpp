// SPDX-License-Identifier: MIT
#include "engine/cost/time/kernel_time.h"

#include "engine/cost/time/registers.h"
#include "engine/cost/load/warp_access.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using machine::Machine;
using report::AssemblerReport;

namespace {

double requestsOf(const StageLoad &stage) {
  return stage.loads + stage.stores + stage.sharedAccesses + stage.localAccesses;
}

// Instructions to repeat an atomic addition: the addition, the exchange, a test whether it
// succeeded, and a branch.
constexpr double kRetry = 4;

// Integer instructions per iteration for the loop and for addresses. Adjacent elements are reached
// by constant offsets in the instructions.
double addressingOf(const StageLoad &stage, const TimeConstants &k) {
  return k.addressesPerTurn + k.addressesPerRow * stage.rows +
         k.addressesPerScattered * stage.scattered + k.addressesPerRequest * requestsOf(stage);
}

// How many turns of a sum in registers become straight-line code. ptxas unrolls a short loop
// without branches even if nobody knows its length, so that the loads of these turns wait together.
double unrolledTurns(const StageLoad &stage, const TimeConstants &k) {
  constexpr double kOfLoad = 2.85; // a load counts as much as so many operations
  const double body = stage.arithmetic.all() +
                      kOfLoad * (stage.loads + stage.sharedAccesses + stage.localAccesses) +
                      k.addressesPerRow * stage.rows + k.addressesPerScattered * stage.scattered;
  return body <= k.shortBody ? std::clamp(stage.turns, 1.0, k.unrolledByPtxas) : 1;
}

// Clocks per iteration in which a warp only waits for memory.
double waitOf(const StageLoad &stage, const machine::Memory &memory, double fromDram, double room,
              const TimeConstants &k) {
  double wait = 0;
  if (stage.loads > 0) {
    const double beyond = std::min(1.0, stage.missing);
    const double far = memory.l2Latency + fromDram * (memory.dramLatency - memory.l2Latency);
    wait = memory.cacheLatency + beyond * (far - memory.cacheLatency);
  } else if (stage.sharedAccesses > 0 || stage.localAccesses > 0) {
    wait = memory.sharedLatency;
  }
  if (stage.chained > 0) {
    const double between = stage.forwarded ? std::min(wait, k.chainStep) : wait;
    const double steps = stage.chained * stage.together;
    return (wait + between * (steps - 1)) / stage.together + k.waitForLine * stage.lines;
  }
  wait += k.waitForLine * stage.lines / std::max(1.0, requestsOf(stage));
  // Loads that find no free register have to wait until the values of other loads have been used.
  const double together = (stage.loads + stage.sharedAccesses) / std::max(1.0, stage.guarded);
  wait *= std::max(1.0, together / (k.loadsPerRegister * room));
  if (stage.guarded > 0) return wait * stage.guarded; // LLVM does not unroll guarded copies further
  return wait / unrolledTurns(stage, k);
}

// The part of `kept` bytes that does not fit into a cache of `room` bytes.
double missed(double kept, double room) { return kept <= room ? 0 : 1 - room / kept; }

// Bytes of spilled values that a block moves to the second-level cache and to device memory. These
// are the parts that do not fit into the caches above, which all resident threads share.
struct SpillBytes {
  double toL2 = 0, toDram = 0;
};

SpillBytes spillBytes(const StageLoad &stage, double accesses, double kept,
                      const Machine &machine) {
  const auto warp = static_cast<double>(machine.limits.warpSize);
  const double bytes = accesses * Registers::kBytes * stage.warps * warp * stage.bodies *
                       missed(kept, static_cast<double>(machine.sm.cacheBytes) / 2);
  return {bytes, bytes * missed(kept * static_cast<double>(machine.multiprocessors),
                                static_cast<double>(machine.memory.l2Bytes))};
}

} // namespace

std::string_view name(Limiter limiter) {
  constexpr std::string_view kNames[kLimiters] = {"issue",   "fp32",    "fp64",    "integer",
                                                  "special", "cache",   "l2",      "dram",
                                                  "atomics", "latency", "dispatch"};
  return kNames[static_cast<std::size_t>(limiter)];
}

KernelTime timeOf(const KernelLoad &load, const Machine &machine, int registerCap, double fromDram,
                  const std::optional<AssemblerReport> &assembled, const TimeConstants &constants) {
  return KernelTimer(machine, constants).timeOf(load, registerCap, fromDram, assembled);
}

KernelTraffic trafficOf(const KernelLoad &load, const KernelTime &time, const Machine &machine,
                        int registerCap, double fromDram,
                        const std::optional<AssemblerReport> &assembled,
                        const TimeConstants &constants) {
  const Registers registers(load, registerCap, assembled);
  const double together =
      std::ceil(load.blocks / static_cast<double>(machine.multiprocessors)) / time.waves;
  const double kept =
      time.spilled * Registers::kBytes * (together * static_cast<double>(load.threads()));
  KernelTraffic block; // traffic of one block
  double spilledToDram = 0;
  for (const StageLoad &stage : load.stages) {
    const double spills = registers.spillAccesses(stage);
    const SpillBytes spilled = spillBytes(stage, spills, spills > 0 ? kept : 0, machine);
    const double runs = stage.warps * stage.bodies;
    block.cacheBytes += runs * (stage.cacheBytes + spills * kLineBytes);
    block.sharedBytes += runs * stage.sharedPasses * machine.sm.sharedBytesPerClock;
    block.l2Bytes += stage.l2Bytes + stage.storeBytes + spilled.toL2;
    spilledToDram += spilled.toDram;
    block.integers +=
        stage.threads * stage.bodies *
        (stage.arithmetic.integer + stage.arithmetic.products + addressingOf(stage, constants));
  }
  const double blocks = load.launches * load.blocks;
  return {load.launches * fromDram * load.dramBytes + blocks * spilledToDram,
          blocks * block.l2Bytes, blocks * block.cacheBytes, blocks * block.sharedBytes,
          blocks * block.integers};
}

void KernelTimer::StageTime::add(const StageTime &other) {
  for (std::size_t l = 0; l < busy.size(); ++l)
    busy[l] += other.busy[l];
  l2Seconds += other.l2Seconds;
  atomicSeconds += other.atomicSeconds;
  dramBytes += other.dramBytes;
  spilledToDram += other.spilledToDram;
  code += other.code;
  cacheRoof += other.cacheRoof;
}

KernelTimer::StageTime KernelTimer::renewPhases(const KernelLoad &load, const Registers &registers,
                                                double fromDram, double kept, const Pace &pace) {
  const bool isPaced = m_pace == pace;
  m_pace = pace;
  m_stages.resize(load.stages.size());
  StageTime all;
  std::size_t phases = 0;
  for (std::size_t s = 0; s < load.stages.size();) {
    if (phases == m_phases.size()) m_phases.emplace_back();
    Phase &phase = m_phases[phases++];
    const std::size_t first = s;
    bool isSame = true;
    do { // the last stage comes first, so a phase ends before a stage with a barrier
      const StageLoad &stage = load.stages[s];
      const double spills = registers.spillAccesses(stage);
      isSame &=
          renew(m_stages[s], stage,
                {fromDram, load.blocks, spills, spills > 0 ? kept : 0, registers.roomFor(stage)});
    } while (++s < load.stages.size() && load.stages[s].barriers == 0);
    isSame = isSame && phase.first == first && phase.end == s;
    if (!isSame) phase = phaseOf(first, s);
    if (!isSame || !isPaced) phase.norm = normOf(phase.sum);
    all.add(phase.sum);
  }
  m_phases.resize(phases); // drops the phases that only the previous load had
  return all;
}

bool KernelTimer::renew(StageTime &time, const StageLoad &stage, const Around &around) const {
  if (!time.isNew && time.around == around) return true;
  time = timeOf(stage, around);
  return false;
}

KernelTimer::Phase KernelTimer::phaseOf(std::size_t first, std::size_t end) const {
  Phase phase{first, end, m_stages[first]};
  for (std::size_t s = first + 1; s < end; ++s)
    phase.sum.add(m_stages[s]);
  return phase;
}

void KernelTimer::toSeconds(StageTime &sum) const {
  for (double &busy : sum.busy)
    busy *= m_pace.perClock;
  sum[Limiter::Latency] /= m_pace.together;
  sum[Limiter::L2] = sum.l2Seconds;
  sum[Limiter::Atomics] = sum.atomicSeconds;
  sum[Limiter::Dram] = sum.dramBytes * m_secondsPerDramByte;
}

// Combines the seconds of all limiters as for a whole kernel, but with the exponent 3, which is
// fast to compute.
double KernelTimer::normOf(StageTime sum) const {
  toSeconds(sum);
  double cubes = 0;
  for (const double part : sum.busy)
    cubes += part * part * part;
  return std::cbrt(cubes);
}

double KernelTimer::lostInPhases(const StageTime &sum) const {
  if (m_phases.size() <= 1) return 0;
  double oneByOne = 0;
  for (const Phase &phase : m_phases)
    oneByOne += phase.norm;
  return oneByOne - normOf(sum);
}

KernelTime KernelTimer::timeOf(const KernelLoad &load, int registerCap, double fromDram,
                               const std::optional<AssemblerReport> &assembled) {
  const TimeConstants &k = m_constants;
  KernelTime time;
  const Registers registers(load, registerCap, assembled);
  time.registers = registers.used();
  time.spilled = registers.spilled();
  time.occupancy =
      machine::occupancy(*m_machine, {load.threads(), time.registers, load.sharedBytes});
  const double resident = static_cast<double>(std::max<std::int64_t>(1, time.occupancy.blocks));
  const auto multiprocessors = static_cast<double>(m_machine->multiprocessors);
  // The blocks that the busiest multiprocessor runs.
  const double blocks = std::ceil(load.blocks / multiprocessors);
  const double together = std::min(resident, blocks);
  time.waves = blocks / together;

  const double kept =
      time.spilled * Registers::kBytes * (together * static_cast<double>(load.threads()));
  StageTime all =
      renewPhases(load, registers, fromDram, kept, {blocks / m_machine->clockHz, together});
  const double lost = lostInPhases(all);
  all.add(ofPrologue(load));
  all.dramBytes = fromDram * load.dramBytes + all.spilledToDram;
  toSeconds(all);
  // Each instruction is fetched once from the second-level cache. Only the first warp waits for it,
  // so this is latency.
  all[Limiter::Latency] += all.code * k.fetch / m_machine->clockHz;
  all[Limiter::Dispatch] = load.blocks / (k.blocksPerClock * m_machine->clockHz);

  double sum = 0;
  for (std::size_t l = 0; l < all.busy.size(); ++l)
    sum += powerOf(l, all.busy[l]);
  // No kernel moves more than the data path of first-level cache and shared memory can.
  const double roof = all.cacheRoof * m_pace.perClock;
  all[Limiter::Cache] = std::max(all[Limiter::Cache], roof);
  if (m_fade.of != together) m_fade = {together, std::pow(together, k.apartFade)};
  time.seconds = load.launches * (k.gap + k.start + std::max(roof, std::pow(sum, 1 / k.sharpness)) +
                                  std::max(k.apart / m_fade.is, k.inStep / time.waves) * lost);
  time.parts = all.busy;
  for (double &part : time.parts)
    part *= load.launches;
  time.limiter = static_cast<Limiter>(std::ranges::max_element(time.parts) - time.parts.begin());
  return time;
}

double KernelTimer::powerOf(std::size_t part, double seconds) {
  Power &last = m_powers[part];
  if (last.of != seconds) last = {seconds, std::pow(seconds, m_constants.sharpness)};
  return last.is;
}

// Clocks that a block takes before its first stage.
KernelTimer::StageTime KernelTimer::ofPrologue(const KernelLoad &load) const {
  const machine::Multiprocessor &sm = m_machine->sm;
  const auto warp = static_cast<double>(m_machine->limits.warpSize);
  const double warps = std::ceil(static_cast<double>(load.threads()) / warp);
  StageTime time;
  time[Limiter::Issue] = warps * m_constants.prologue / sm.warpsIssued;
  time[Limiter::Integer] = warps * m_constants.prologue * warp / sm.int32 / 2;
  time[Limiter::Latency] = m_constants.prologue * m_constants.clocksPerIssue;
  return time;
}

KernelTimer::StageTime KernelTimer::timeOf(const StageLoad &stage, const Around &around) const {
  const machine::Multiprocessor &sm = m_machine->sm;
  const machine::Memory &memory = m_machine->memory;
  const TimeConstants &k = m_constants;
  const auto warp = static_cast<double>(m_machine->limits.warpSize);
  const double runs = stage.warps * stage.bodies;
  const double spills = around.spills;
  const double addressing = addressingOf(stage, k);
  const double instructions =
      stage.arithmetic.all() + addressing + requestsOf(stage) + spills + kRetry * stage.retries;
  const Slots &slots = stage.arithmetic;
  StageTime time;
  time.isNew = false;
  time.around = around;
  time.code = instructions;
  time[Limiter::Issue] = runs * instructions / sm.warpsIssued;
  time[Limiter::Fp32] =
      runs * warp * (slots.fp32 / sm.fp32 + slots.fp16 / sm.fp16 + slots.products / sm.int32);
  time[Limiter::Fp64] = runs * slots.fp64 * warp / sm.fp64;
  time[Limiter::Integer] = runs * (slots.integer + addressing) * warp / sm.int32;
  time[Limiter::Special] = runs * slots.special * warp / sm.special;
  time[Limiter::Cache] =
      runs * k.cachePass *
      (stage.lines + stage.sharedPasses + stage.localAccesses + spills + stage.retries);
  time.cacheRoof = runs * ((stage.cacheBytes + spills * kLineBytes) / sm.cacheBytesPerClock +
                           stage.sharedPasses);
  time[Limiter::Latency] =
      stage.bodies * (instructions * k.clocksPerIssue + k.turn +
                      waitOf(stage, memory, around.fromDram, around.room, k) +
                      stage.retries * memory.sharedLatency + spills * k.spillWait) +
      stage.barriers * k.barrier;
  const SpillBytes spilled = spillBytes(stage, spills, around.kept, *m_machine);
  const double bytes = stage.l2Bytes + stage.storeBytes + spilled.toL2;
  time.spilledToDram = around.blocks * spilled.toDram;
  time.dramBytes = around.fromDram * stage.dramBytes + time.spilledToDram;
  time.l2Seconds = around.blocks * bytes / (k.l2Part * memory.l2BytesPerSecond);
  if (stage.atomics > 0 && stage.stores > 0)
    time.atomicSeconds = around.blocks * stage.warps * stage.bodies * stage.atomics * stage.adders *
                         (k.atomicSeconds + k.conflictSeconds * (1 - 1 / stage.conflicts) +
                          k.samePlaceSeconds / stage.places);
  return time;
}

} // namespace tessera::cost
