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
// less than o / rate. Numbers in, numbers out: who draws, prints or warns asks this file.

// Levels that bytes pass. First-level cache and shared memory are one memory with one data path.
enum class Level : std::uint8_t { Dram, L2, Cache };
inline constexpr int kLevels = 3;

// What can hold work back. The first three are the levels, in their order.
enum class Roof : std::uint8_t { Dram, L2, Cache, Fp64, Fp32, Fp16, Integer };
inline constexpr int kRoofs = 7;
std::string_view name(Roof roof); // "dram", "l2", "l1_shared", "fp64" …

// Which operations an axis counts: one drawing holds points of one kind.
enum class Arithmetic : std::uint8_t { Float, Integer };

// A fused multiply-add of floats is two operations. Integers are counted as instructions, with
// addresses and comparisons among them, which is what hardware counters tell.
struct Operations {
  double fp64 = 0, fp32 = 0, fp16 = 0, integer = 0;

  double of(Arithmetic arithmetic) const {
    return arithmetic == Arithmetic::Integer ? integer : fp64 + fp32 + fp16;
  }
  void add(const Operations &other, double times = 1);
  friend bool operator==(const Operations &, const Operations &) = default;
};

// Bytes by where they pass; none: nobody knows.
struct Traffic {
  std::optional<double> dram, l2, l1, shared;

  std::optional<double> at(Level level) const; // Cache: of both together
  friend bool operator==(const Traffic &, const Traffic &) = default;
};

// Rates a second: bytes, float operations, integer instructions.
struct Ceilings {
  double dram = 0, l2 = 0, l1 = 0, shared = 0;
  double fp64 = 0, fp32 = 0, fp16 = 0;
  double integer = 0;                         // of the best mix
  double integerAdd = 0, integerMultiply = 0; // of one kind alone; 0: not known
  bool areMeasured = false;
  std::string source; // for a person

  double at(Level level) const; // Cache: of the faster of both
  double of(Arithmetic arithmetic) const;
  friend bool operator==(const Ceilings &, const Ceilings &) = default;
};
// Where nothing was measured: what the description of a machine says.
Ceilings ceilingsOf(const machine::Machine &machine);

// Where a point's bytes and operations are from.
enum class Origin : std::uint8_t {
  Predicted, // our cost model
  Static,    // counted in the compiled code: no cache has seen them
  Measured   // hardware counters
};
std::string_view name(Origin origin); // "predicted"

// A kernel, all its launches in one run, or a whole pipeline.
struct Work {
  std::string name;
  Origin origin = Origin::Predicted;
  double seconds = 0; // 0: not known
  Operations operations;
  Traffic traffic;
  std::vector<std::string> stages; // that a kernel computes, by rising name; empty: nobody says
};
// The sum: what one part does not know is not known of all.
Work total(std::string name, std::span<const Work> parts);

// What no schedule of a pipeline can avoid: its inputs read once, its outputs written once, each
// value computed once.
struct Floor {
  double bytes = 0;
  double fromDram = 1; // the part of the bytes that is not in the second-level cache already
  Operations operations;

  friend bool operator==(const Floor &, const Floor &) = default;
};

// Work held against the roofs.
struct Placed {
  Work work;
  std::array<double, kRoofs> roofSeconds{}; // had it to wait for that alone; 0: unknown, or none
  Roof binding = Roof::Dram;                // the largest
  double boundSeconds = 0;                  // of that one

  // How much of what the binding roof allows it reaches, 0 to 1 if all numbers are right; 0: its
  // time is not known.
  double reached() const { return work.seconds > 0 ? boundSeconds / work.seconds : 0; }
  // Where it stands: operations a byte, operations a second. None: it has no place there.
  std::optional<double> intensity(Level level, Arithmetic counted) const;
  std::optional<double> performance(Arithmetic counted) const;
};
Placed place(const Work &work, const Ceilings &ceilings);

struct PlacedFloor {
  Floor floor;
  double seconds = 0;
  Roof binding = Roof::Dram;

  // How many times the floor this is; none: the floor takes no time that is known.
  std::optional<double> times(double measuredSeconds) const;
  // Operations a byte where only those bytes move that have to; none: it knows no operations.
  std::optional<double> intensity(Arithmetic counted) const;
};
PlacedFloor place(const Floor &floor, const Ceilings &ceilings);

struct Roofline {
  Ceilings ceilings;
  Arithmetic counted = Arithmetic::Float;
  std::vector<Placed> kernels;   // of one origin or several
  std::vector<Placed> pipelines; // one for each origin
  std::optional<PlacedFloor> floor;

  // How many times the floor a pipeline takes; none: there is no floor, or no time.
  std::optional<double> timesFloor(const Placed &pipeline) const;
};
Roofline roofline(const Ceilings &ceilings, std::span<const Work> kernels,
                  std::span<const Work> pipelines, const std::optional<Floor> &floor = {});

} // namespace tessera::cost
