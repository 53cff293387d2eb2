// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::cost {

// The hierarchical roofline (Yang, Kurth and Williams 2020): work that performs `o` operations and
// moves `b` bytes through a level of the memory cannot be done in less than b / bandwidth, nor in
// less than o / rate. This file only computes; drawing, printing and warning is done by its
// callers.

// The memory levels that bytes pass. First-level cache and shared memory are one memory with one
// data path.
enum class Level : std::uint8_t { Dram, L2, Cache };
inline constexpr int kLevels = 3;

// What can limit the work. The first three are the values of Level, in the same order.
enum class Roof : std::uint8_t { Dram, L2, Cache, Fp64, Fp32, Fp16, Integer };
inline constexpr int kRoofs = 7;
std::string_view name(Roof roof); // "dram", "l2", "l1_shared", "fp64" …

// The operations that the axes of a chart count. All points of one chart count the same kind.
enum class Arithmetic : std::uint8_t { Float, Integer };

// A fused multiply-add of floats counts as two operations. Integers are counted as instructions,
// including addresses and comparisons, because hardware counters count them so.
struct Operations {
  double fp64 = 0, fp32 = 0, fp16 = 0, integer = 0;

  double of(Arithmetic arithmetic) const {
    return arithmetic == Arithmetic::Integer ? integer : fp64 + fp32 + fp16;
  }
  void add(const Operations &other, double times = 1);
  friend bool operator==(const Operations &, const Operations &) = default;
};

// Bytes that pass each level; an empty value is unknown.
struct Traffic {
  std::optional<double> dram, l2, l1, shared;

  std::optional<double> at(Level level) const; // Level::Cache: the sum of l1 and shared
  friend bool operator==(const Traffic &, const Traffic &) = default;
};

// Rates per second: bytes, float operations, integer instructions.
struct Ceilings {
  double dram = 0, l2 = 0, l1 = 0, shared = 0;
  double fp64 = 0, fp32 = 0, fp16 = 0;
  double integer = 0;                         // of the best mix of instructions
  double integerAdd = 0, integerMultiply = 0; // of additions or multiplications alone; 0: unknown
  bool areMeasured = false;
  std::string source; // shown to the user

  double at(Level level) const; // Level::Cache: the larger of l1 and shared
  double of(Arithmetic arithmetic) const;
  friend bool operator==(const Ceilings &, const Ceilings &) = default;
};
// The ceilings given by the description of a machine, for machines without measurements.
Ceilings ceilingsOf(const machine::Machine &machine);

// The source of a point's bytes and operations.
enum class Origin : std::uint8_t {
  Predicted, // by the cost model
  Static,    // counted in the compiled code, where no cache has an effect
  Measured   // by hardware counters
};
std::string_view name(Origin origin); // "predicted"

// A kernel, with all its launches in one run, or a whole pipeline.
struct Work {
  std::string name;
  Origin origin = Origin::Predicted;
  double seconds = 0; // 0: unknown
  Operations operations;
  Traffic traffic;
  std::vector<std::string> stages; // computed by the kernel, sorted by name; empty: unknown
};
// The sum of all parts. Traffic that is unknown for one part is unknown in the sum.
Work total(std::string name, std::span<const Work> parts);

// The minimum work of any schedule of a pipeline: it reads its inputs once, writes its outputs once
// and computes each value once.
struct Floor {
  double bytes = 0;
  double fromDram = 1; // part of the bytes that is not yet in the second-level cache
  Operations operations;

  friend bool operator==(const Floor &, const Floor &) = default;
};

// Work compared with the roofs.
struct Placed {
  Work work;
  // Time if the work waited for this roof alone; 0: unknown.
  std::array<double, kRoofs> roofSeconds{};
  Roof binding = Roof::Dram; // the roof with the largest time
  double boundSeconds = 0;   // the time of that roof

  // The work's performance as a part of what the binding roof allows. It is between 0 and 1 if all
  // numbers are right, and 0 if the time is unknown.
  double reached() const { return work.seconds > 0 ? boundSeconds / work.seconds : 0; }
  // The point's coordinates: operations per byte, and operations per second. Empty: it cannot be
  // drawn.
  std::optional<double> intensity(Level level, Arithmetic counted) const;
  std::optional<double> performance(Arithmetic counted) const;
};
Placed place(const Work &work, const Ceilings &ceilings);

struct PlacedFloor {
  Floor floor;
  double seconds = 0;
  Roof binding = Roof::Dram;

  // The measured time divided by the floor's time; empty if one of them is unknown.
  std::optional<double> times(double measuredSeconds) const;
  // Operations per byte if only the unavoidable bytes move; empty if the operations are unknown.
  std::optional<double> intensity(Arithmetic counted) const;
};
PlacedFloor place(const Floor &floor, const Ceilings &ceilings);

struct Roofline {
  Ceilings ceilings;
  Arithmetic counted = Arithmetic::Float;
  std::vector<Placed> kernels;   // of one origin or several
  std::vector<Placed> pipelines; // one for each origin
  std::optional<PlacedFloor> floor;

  // The pipeline's time divided by the floor's time; empty without a floor or a time.
  std::optional<double> timesFloor(const Placed &pipeline) const;
};
Roofline roofline(const Ceilings &ceilings, std::span<const Work> kernels,
                  std::span<const Work> pipelines, const std::optional<Floor> &floor = {});

} // namespace tessera::cost
