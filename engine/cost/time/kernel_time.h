// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_load.h"
#include "engine/machine/machine.h"
#include "engine/machine/occupancy.h"
#include "engine/report/compile_report.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::cost {

class Registers;

// Constants that do not follow from first principles. They are fitted to the measured kernels of
// tests/campaigns/times, within the limits that microbenchmarks of the same GPU allow.
struct TimeConstants {
  double start = 0.8e-6; // seconds of an empty kernel
  double gap = 1.25e-6;  // seconds between kernels
  double prologue = 37;  // instructions of a thread before its first stage
  double addressesPerTurn = 4.6, addressesPerRow = 2.4, addressesPerRequest = 0.04; // instructions
  double addressesPerScattered = 7;
  double clocksPerIssue = 2.1; // clocks between dependent instructions of a warp
  double turn = 7.3;          // clocks per iteration: a branch, and addresses before the first load
  double barrier = 600;       // clocks, including the wait for the slowest warp
  double sharpness = 3.46;    // overlap of the limiters; 1: none, infinite: complete
  double cachePass = 0.615;   // clocks per line; low because neighbouring warps hit the same lines
  double waitForLine = 1.9;   // clocks that a warp waits for each line of an access
  double fetch = 1.4;         // clocks to fetch an instruction from the L2 cache
  double l2Part = 0.974;      // many warps reach this part of the L2 cache's bandwidth
  double dramPart = 0.96;     // many warps reach this part of the device memory's bandwidth
  double unrolledByPtxas = 4; // factor by which ptxas unrolls a loop of a sum,
  double shortBody = 45;      // if it has at most so many instructions
  double chainStep = 4;       // clocks between two dependent steps of a sum in registers
  // Seconds over the whole GPU: for an addition, for each collision with another addition of its
  // warp to the same element, and between any two additions to the same element.
  double atomicSeconds = 5e-12, conflictSeconds = 3e-10, samePlaceSeconds = 1e-9;
  double blocksPerClock = 0.835;
  double loadsPerRegister = 2.4; // loads in flight for each free register
  double spillWait = 0.5;        // clocks per iteration for each access to a spilled value
  double apart = 2.65;           // weight of lostInPhases() if one block is resident
  double apartFade = 1.5;        // `apart` is divided by (resident blocks) ^ apartFade
  double inStep = 1.2; // the weight is at least inStep / waves, as blocks of a wave start together
};

// The reason that a kernel takes as long as it does.
enum class Limiter : std::uint8_t {
  Issue,    // instructions of all kinds
  Fp32,     // instructions of the float pipe, also fp16
  Fp64,     // instructions of the double-precision pipe
  Integer,  // integer instructions, also for addresses, comparisons, conversions
  Special,  // roots, exponentials
  Cache,    // lines of the first-level cache, and passes of shared memory
  L2,       // bytes from and to the second-level cache
  Dram,     // bytes from and to device memory
  Atomics,  // atomic additions to memory
  Latency,  // the time of one thread, with too few other warps to hide it
  Dispatch, // starting blocks
};
inline constexpr int kLimiters = 11;
std::string_view name(Limiter limiter); // "latency"

// How long a kernel takes, and why.
struct KernelTime {
  double seconds = 0;                    // seconds of all launches together
  std::array<double, kLimiters> parts{}; // seconds if the kernel waited for this limiter alone
  Limiter limiter = Limiter::Latency;    // the limiter with the largest part
  int registers = 0;                     // per thread, at most the cap
  double spilled = 0;           // values per thread that find no register and are in local memory
  machine::Occupancy occupancy; // with these registers
  double waves = 0;             // waves of blocks, one after the other

  double part(Limiter of) const { return parts[static_cast<std::size_t>(of)]; }
};

// `fromDram` is the part of the memory traffic that misses the second-level cache. Registers are
// estimated unless the assembler's report is given.
KernelTime timeOf(const KernelLoad &load, const machine::Machine &machine, int registerCap,
                  double fromDram,
                  const std::optional<report::AssemblerReport> &assembled = std::nullopt,
                  const TimeConstants &constants = {});

// Bytes and instructions of a kernel in all its launches.
struct KernelTraffic {
  // Including spills; of the first-level cache in whole sectors, of shared memory in whole passes.
  double dramBytes = 0, l2Bytes = 0, cacheBytes = 0, sharedBytes = 0;
  double integers = 0; // instructions of all threads, including addresses
};
// `time` has to be the result of timeOf() for the same arguments.
KernelTraffic trafficOf(const KernelLoad &load, const KernelTime &time,
                        const machine::Machine &machine, int registerCap, double fromDram,
                        const std::optional<report::AssemblerReport> &assembled = std::nullopt,
                        const TimeConstants &constants = {});

// Times one kernel repeatedly while few of its stages change.
class KernelTimer {
public:
  explicit KernelTimer(const machine::Machine &machine, const TimeConstants &constants = {})
      : m_machine(&machine), m_constants(constants),
        m_secondsPerDramByte(1 / (constants.dramPart * machine.memory.dramBytesPerSecond)) {}

  // To be called if this stage of the load has changed since the last timeOf(). It is not needed
  // for changes of `live` and the spills that follow from them.
  void renew(std::size_t stage) {
    if (stage < m_stages.size()) m_stages[stage].isNew = true;
  }
  KernelTime timeOf(const KernelLoad &load, int registerCap, double fromDram,
                    const std::optional<report::AssemblerReport> &assembled = std::nullopt);
  // Times a load that has nothing in common with the last one.
  KernelTime timeOfAnother(const KernelLoad &load, int registerCap, double fromDram,
                           const std::optional<report::AssemblerReport> &assembled) {
    m_stages.clear();
    return timeOf(load, registerCap, fromDram, assembled);
  }

private:
  // What the time of a stage depends on besides its load.
  struct Around {
    double fromDram = 0, blocks = 0;
    double spills = 0; // accesses per iteration to spilled values
    double kept = 0;   // bytes that the resident threads spill; 0 if this stage has no spills
    double room = 0;   // registers per thread for loads in flight

    friend bool operator==(const Around &, const Around &) = default;
  };
  struct StageTime {
    bool isNew = true;
    Around around;
    std::array<double, kLimiters> busy{}; // clocks of a multiprocessor for one block
    // Totals of all blocks outside of the multiprocessors, in seconds and bytes.
    double l2Seconds = 0, atomicSeconds = 0, dramBytes = 0, spilledToDram = 0;
    double code = 0;      // instructions of the code, each counted once
    double cacheRoof = 0; // clocks of a block for the bytes of first-level cache and shared memory

    double &operator[](Limiter limiter) { return busy[static_cast<std::size_t>(limiter)]; }
    void add(const StageTime &other);
  };
  // Stages between two barriers of a block, as a range of indices in the load.
  struct Phase {
    std::size_t first = 0, end = 0;
    StageTime sum;
    double norm = 0; // seconds of `sum`, combined by normOf()
  };
  // Converts clocks of one block to seconds of all blocks.
  struct Pace {
    double perClock = 0;
    double together = 1; // resident blocks of a multiprocessor

    friend bool operator==(const Pace &, const Pace &) = default;
  };
  // Times the stages that changed and returns the sum of all stages. `kept` is Around::kept.
  StageTime renewPhases(const KernelLoad &load, const Registers &registers, double fromDram,
                        double kept, const Pace &pace);
  // Times a stage if it changed. Returns whether the old time was still valid.
  bool renew(StageTime &time, const StageLoad &stage, const Around &around) const;
  Phase phaseOf(std::size_t first, std::size_t end) const; // does not set the norm
  // Converts the sum's clocks of a block to seconds of all blocks.
  void toSeconds(StageTime &sum) const;
  double normOf(StageTime sum) const;
  // The additional seconds because a block runs the timed stages phase by phase and not all at
  // once.
  double lostInPhases(const StageTime &sum) const;
  StageTime timeOf(const StageLoad &stage, const Around &around) const;
  StageTime ofPrologue(const KernelLoad &load) const;
  double powerOf(std::size_t part, double seconds);

  const machine::Machine *m_machine;
  TimeConstants m_constants;
  double m_secondsPerDramByte;
  // The results of the previous load. When a search changes one decision, most stay valid.
  std::vector<StageTime> m_stages;
  std::vector<Phase> m_phases;
  Pace m_pace;
  struct Power {
    double of = 0, is = 0;
  };
  // Caches of the last std::pow() for each limiter and for the resident blocks: argument and
  // result.
  std::array<Power, kLimiters> m_powers{};
  Power m_fade{1, 1};
};

} // namespace tessera::cost
