// SPDX-License-Identifier: MIT
#include "engine/cost/roofline/roofline.h"

#include <algorithm>

namespace tessera::cost {

namespace {

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

double secondsAt(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

using RoofSeconds = std::array<double, kRoofs>;

double &at(RoofSeconds &seconds, Roof roof) { return seconds[static_cast<std::size_t>(roof)]; }

void setRates(RoofSeconds &seconds, const Operations &operations, const Ceilings &ceilings) {
  at(seconds, Roof::Fp64) = secondsAt(operations.fp64, ceilings.fp64);
  at(seconds, Roof::Fp32) = secondsAt(operations.fp32, ceilings.fp32);
  at(seconds, Roof::Fp16) = secondsAt(operations.fp16, ceilings.fp16);
  at(seconds, Roof::Integer) = secondsAt(operations.integer, ceilings.integer);
}

Roof largest(const RoofSeconds &seconds) {
  return static_cast<Roof>(std::ranges::max_element(seconds) - seconds.begin());
}

// Float code also executes integer instructions, to compute addresses: two or three for each float
// operation are common.
bool isOfFloats(const Work &work) {
  return work.operations.of(Arithmetic::Float) >= work.operations.integer / 4;
}

// The kind of arithmetic that most of the time is spent on. A kernel without a time counts with a
// negligible weight, so that such kernels decide only among themselves.
Arithmetic countedIn(std::span<const Work> kernels) {
  double ofFloats = 0, ofIntegers = 0;
  for (const Work &kernel : kernels)
    (isOfFloats(kernel) ? ofFloats : ofIntegers) += kernel.seconds > 0 ? kernel.seconds : 1e-9;
  return ofFloats >= ofIntegers ? Arithmetic::Float : Arithmetic::Integer;
}

} // namespace

std::string_view name(Roof roof) {
  constexpr std::array<std::string_view, kRoofs> kNames{"dram", "l2",   "l1_shared", "fp64",
                                                        "fp32", "fp16", "integer"};
  return kNames[static_cast<std::size_t>(roof)];
}

std::string_view name(Origin origin) {
  constexpr std::array<std::string_view, 3> kNames{"predicted", "static", "measured"};
  return kNames[static_cast<std::size_t>(origin)];
}

void Operations::add(const Operations &other, double times) {
  fp64 += times * other.fp64;
  fp32 += times * other.fp32;
  fp16 += times * other.fp16;
  integer += times * other.integer;
}

std::optional<double> Traffic::at(Level level) const {
  return level == Level::Dram ? dram : level == Level::L2 ? l2 : sum(l1, shared);
}

double Ceilings::at(Level level) const {
  return level == Level::Dram ? dram : level == Level::L2 ? l2 : std::max(l1, shared);
}

double Ceilings::of(Arithmetic arithmetic) const {
  return arithmetic == Arithmetic::Integer ? integer : std::max({fp64, fp32, fp16});
}

Ceilings ceilingsOf(const machine::Machine &machine) {
  const machine::Multiprocessor &sm = machine.sm;
  const double clocks = static_cast<double>(machine.multiprocessors) * machine.clockHz;
  constexpr double kFused = 2; // operations of a multiply-add
  Ceilings ceilings;
  ceilings.dram = machine.memory.dramBytesPerSecond;
  ceilings.l2 = machine.memory.l2BytesPerSecond;
  ceilings.l1 = clocks * sm.cacheBytesPerClock;
  ceilings.shared = clocks * sm.sharedBytesPerClock;
  ceilings.fp64 = clocks * kFused * sm.fp64;
  ceilings.fp32 = clocks * kFused * sm.fp32;
  ceilings.fp16 = clocks * kFused * sm.fp16;
  // Integer products run in the float pipe beside the integer pipe, so the sum of both rates is
  // limited only by the issue rate.
  const double issued = sm.warpsIssued * static_cast<double>(machine.limits.warpSize);
  ceilings.integer = clocks * std::min(2 * sm.int32, issued);
  ceilings.integerAdd = ceilings.integerMultiply = clocks * sm.int32;
  ceilings.source = "the description of " + machine.title + ", not measured";
  return ceilings;
}

Work total(std::string name, std::span<const Work> parts) {
  Work all;
  all.name = std::move(name);
  all.traffic = {0, 0, 0, 0};
  for (const Work &part : parts) {
    all.origin = part.origin;
    all.seconds += part.seconds;
    all.operations.add(part.operations);
    Traffic &traffic = all.traffic;
    traffic = {sum(traffic.dram, part.traffic.dram), sum(traffic.l2, part.traffic.l2),
               sum(traffic.l1, part.traffic.l1), sum(traffic.shared, part.traffic.shared)};
  }
  return all;
}

std::optional<double> Placed::intensity(Level level, Arithmetic counted) const {
  const std::optional<double> bytes = work.traffic.at(level);
  const double operations = work.operations.of(counted);
  if (!bytes || *bytes <= 0 || operations <= 0) return std::nullopt;
  return operations / *bytes;
}

std::optional<double> Placed::performance(Arithmetic counted) const {
  const double operations = work.operations.of(counted);
  if (work.seconds <= 0 || operations <= 0) return std::nullopt;
  return operations / work.seconds;
}

Placed place(const Work &work, const Ceilings &ceilings) {
  Placed placed;
  placed.work = work;
  RoofSeconds &seconds = placed.roofSeconds;
  const Traffic &traffic = work.traffic;
  at(seconds, Roof::Dram) = secondsAt(traffic.dram.value_or(0), ceilings.dram);
  at(seconds, Roof::L2) = secondsAt(traffic.l2.value_or(0), ceilings.l2);
  // First-level cache and shared memory have one data path, so their times add up.
  at(seconds, Roof::Cache) = secondsAt(traffic.l1.value_or(0), ceilings.l1) +
                             secondsAt(traffic.shared.value_or(0), ceilings.shared);
  setRates(seconds, work.operations, ceilings);
  placed.binding = largest(seconds);
  placed.boundSeconds = at(seconds, placed.binding);
  return placed;
}

PlacedFloor place(const Floor &floor, const Ceilings &ceilings) {
  RoofSeconds seconds{};
  at(seconds, Roof::Dram) = secondsAt(floor.bytes * floor.fromDram, ceilings.dram);
  at(seconds, Roof::L2) = secondsAt(floor.bytes, ceilings.l2);
  setRates(seconds, floor.operations, ceilings);
  const Roof binding = largest(seconds);
  return {floor, at(seconds, binding), binding};
}

std::optional<double> PlacedFloor::times(double measuredSeconds) const {
  if (seconds <= 0 || measuredSeconds <= 0) return std::nullopt;
  return measuredSeconds / seconds;
}

std::optional<double> PlacedFloor::intensity(Arithmetic counted) const {
  const double operations = floor.operations.of(counted);
  if (operations <= 0 || floor.bytes <= 0) return std::nullopt;
  return operations / floor.bytes;
}

std::optional<double> Roofline::timesFloor(const Placed &pipeline) const {
  return floor ? floor->times(pipeline.work.seconds) : std::nullopt;
}

Roofline roofline(const Ceilings &ceilings, std::span<const Work> kernels,
                  std::span<const Work> pipelines, const std::optional<Floor> &floor) {
  Roofline result;
  result.ceilings = ceilings;
  result.counted = countedIn(kernels);
  for (const Work &kernel : kernels)
    result.kernels.push_back(place(kernel, ceilings));
  for (const Work &pipeline : pipelines)
    result.pipelines.push_back(place(pipeline, ceilings));
  if (floor) result.floor = place(*floor, ceilings);
  return result;
}

} // namespace tessera::cost
