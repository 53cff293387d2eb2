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

// What the first principles leave open. Fitted to the measured kernels of tests/campaigns/times,
// within what microbenchmarks of the same GPU allow.
struct TimeConstants {
  double start = 0.8e-6; // seconds of a kernel that does nothing
  double gap = 1.25e-6;  // seconds between kernels
  double prologue = 37;  // instructions of a thread before its first stage
  double addressesPerTurn = 4.6, addressesPerRow = 2.4, addressesPerRequest = 0.04; // instructions
  double addressesPerScattered = 7;
  double clocksPerIssue = 2.1; // of one warp, its instructions depending on each other
  double turn = 7.3;           // clocks: a branch, and its addresses before the first load
  double barrier = 600;        // clocks, with the wait for the slowest warp
  double sharpness = 3.46;     // how far the parts overlap: 1 not at all, infinite: wholly
  double cachePass = 0.615;    // clocks; neighbours in the block hit the same lines
  double waitForLine = 1.9;    // clocks of a warp until it has another line of an access
  double fetch = 1.4;          // clocks until the first warp has an instruction, from the L2 cache
  double l2Part = 1.4;         // of its bandwidth that many warps together reach
  double dramPart = 0.96;      //
  double unrolledByLlvm = 1.4; // turns of a short loop that only adds up
  double shortBody = 41;
  double chainStep = 4; // clocks from a step of a sum to the next that needs it, in registers
  // Over the whole GPU: an addition, beside others of its warp to the same element, and the time
  // until the next one can have its place.
  double atomicSeconds = 5e-12, conflictSeconds = 3e-10, samePlaceSeconds = 1e-9;
  double blocksPerClock = 0.685;
  double loadsPerRegister = 2.4; // under way together, of registers that nothing else needs
  double spillWait = 0.5;        // clocks of a turn for each access to what is spilled
  double apart = 2.65;           // of what phases lose that one block has to go through alone
  double apartFade = 1.5;        // power of the blocks side by side by which that becomes less
  double inStep = 1.2;           // of it, over the waves: blocks of one begin together
};

// What could be the reason that a kernel takes as long as it does.
enum class Limiter : std::uint8_t {
  Issue,    // instructions of all kinds
  Fp32,     // and the pipes that execute them
  Fp64,     //
  Integer,  // with addresses, comparisons and conversions
  Special,  // roots, exponentials
  Cache,    // lines of the first-level cache, passes of shared memory
  L2,       // bytes from and to the second-level cache
  Dram,     // bytes from and to device memory
  Atomics,  //
  Latency,  // each warp waits for what it loads, and there are too few others
  Dispatch, // starting the blocks
};
inline constexpr int kLimiters = 11;
std::string_view name(Limiter limiter); // "latency"

// How long a kernel takes, and why.
struct KernelTime {
  double seconds = 0;                    // of all its launches
  std::array<double, kLimiters> parts{}; // seconds, had it to wait for that alone
  Limiter limiter = Limiter::Latency;    // the largest
  int registers = 0;                     // a thread, at most the cap
  double spilled = 0;                    // values that it keeps in local memory instead
  machine::Occupancy occupancy;          // with those
  double waves = 0;                      // of blocks, one after the other

  double part(Limiter of) const { return parts[static_cast<std::size_t>(of)]; }
};

// `fromDram`: the part of its memory traffic that the second-level cache does not hold. Without a
// report of the assembler its registers are estimated.
KernelTime timeOf(const KernelLoad &load, const machine::Machine &machine, int registerCap,
                  double fromDram,
                  const std::optional<report::AssemblerReport> &assembled = std::nullopt,
                  const TimeConstants &constants = {});

// What a kernel moves and executes, all its launches together.
struct KernelTraffic {
  double dramBytes = 0, l2Bytes = 0;        // with what is spilled
  double cachePasses = 0, sharedPasses = 0; // of the first-level cache and of shared memory
  double integers = 0;                      // instructions of all threads, addresses among them
};
// `time`: of this load, by the same arguments.
KernelTraffic trafficOf(const KernelLoad &load, const KernelTime &time,
                        const machine::Machine &machine, int registerCap, double fromDram,
                        const std::optional<report::AssemblerReport> &assembled = std::nullopt,
                        const TimeConstants &constants = {});

// Times one kernel again and again while few of its stages change.
class KernelTimer {
public:
  explicit KernelTimer(const machine::Machine &machine, const TimeConstants &constants = {})
      : m_machine(&machine), m_constants(constants),
        m_secondsPerDramByte(1 / (constants.dramPart * machine.memory.dramBytesPerSecond)) {}

  // That stage of the load is not as it was when the kernel was timed last; what it keeps, and
  // what of that spills, may be another without being told.
  void renew(std::size_t stage) {
    if (stage < m_stages.size()) m_stages[stage].isNew = true;
  }
  KernelTime timeOf(const KernelLoad &load, int registerCap, double fromDram,
                    const std::optional<report::AssemblerReport> &assembled = std::nullopt);
  // Of a load of which nothing is known.
  KernelTime timeOfAnother(const KernelLoad &load, int registerCap, double fromDram,
                           const std::optional<report::AssemblerReport> &assembled) {
    m_stages.clear();
    return timeOf(load, registerCap, fromDram, assembled);
  }

private:
  // What the time of a stage depends on beside its load: of the kernel, and of what it spills.
  struct Around {
    double fromDram = 0, blocks = 0;
    double spills = 0; // loads and stores of a turn
    double kept = 0;   // bytes of what the resident threads spill, where there are any
    double room = 0;   // registers of a thread for what it loads ahead

    friend bool operator==(const Around &, const Around &) = default;
  };
  struct StageTime {
    bool isNew = true;
    Around around;
    std::array<double, kLimiters> busy{}; // clocks of a multiprocessor, for one block
    // Of all blocks, beyond the multiprocessors: seconds, and bytes.
    double l2Seconds = 0, atomicSeconds = 0, dramBytes = 0, spilledToDram = 0;
    double code = 0; // instructions, each counted once

    double &operator[](Limiter limiter) { return busy[static_cast<std::size_t>(limiter)]; }
    void add(const StageTime &other);
  };
  // Stages between two barriers of a block, by their places in the load.
  struct Phase {
    std::size_t first = 0, end = 0;
    StageTime sum;
    double norm = 0; // seconds, at the pace of all
  };
  // How clocks of a block become seconds of all.
  struct Pace {
    double perClock = 0;
    double together = 1; // blocks of a multiprocessor side by side

    friend bool operator==(const Pace &, const Pace &) = default;
  };
  // Times what is not as it was; all stages together. `kept`: Around's.
  StageTime renewPhases(const KernelLoad &load, const Registers &registers, double fromDram,
                        double kept, const Pace &pace);
  // Whether that is what it was.
  bool renew(StageTime &time, const StageLoad &stage, const Around &around) const;
  Phase phaseOf(std::size_t first, std::size_t end) const; // without its norm
  // What is busy, of all blocks.
  void toSeconds(StageTime &sum) const;
  double normOf(StageTime sum) const;
  // Seconds that stages which are timed take longer one phase after the other than all at once.
  double lostInPhases(const StageTime &sum) const;
  StageTime timeOf(const StageLoad &stage, const Around &around) const;
  StageTime ofPrologue(const KernelLoad &load) const;
  double powerOf(std::size_t part, double seconds);

  const machine::Machine *m_machine;
  TimeConstants m_constants;
  double m_secondsPerDramByte;
  // As they were timed last: most stay as they are along a walk.
  std::vector<StageTime> m_stages;
  std::vector<Phase> m_phases;
  Pace m_pace;
  struct Power {
    double of = 0, is = 0;
  };
  std::array<Power, kLimiters> m_powers{}; // of the parts, as they were last
  Power m_fade{1, 1};                      // of the blocks side by side
};

} // namespace tessera::cost
