// SPDX-License-Identifier: MIT
#include "engine/learn/kernel_features.h"

#include <algorithm>
#include <cmath>

namespace tessera::learn {
namespace {

float size(double value) { return static_cast<float>(std::log2(std::max(value, 0.0) + 1)); }
float plain(double value) { return static_cast<float>(value); }

// Fills the features in order, and with them their names, so that both cannot differ.
class Features {
public:
  void add(std::string_view name, float value) {
    m_names.at(m_count) = name;
    m_values.at(m_count++) = value;
  }
  const std::array<std::string_view, kKernelFeatures> &names() const { return m_names; }
  const KernelFeatures &values() const { return m_values; }

private:
  std::array<std::string_view, kKernelFeatures> m_names;
  KernelFeatures m_values{};
  std::size_t m_count = 0;
};

constexpr double kLanes = 32; // of a warp

// Of a body, about: with addresses of rows and the loop.
double instructionsOf(const cost::StageLoad &stage) {
  return stage.arithmetic.all() + stage.loads + stage.stores + stage.sharedAccesses +
         stage.localAccesses + 2.5 * stage.rows + 5;
}

void addParts(const cost::KernelLoad &load, const cost::KernelTime &time, Features &to) {
  constexpr std::array<std::string_view, cost::kLimiters> kNames{
      "part of issue",   "part of fp32",    "part of fp64",    "part of integer",
      "part of special", "part of cache",   "part of l2",      "part of dram",
      "part of atomics", "part of latency", "part of dispatch"};
  to.add("seconds of a launch",
         plain(std::log2(std::max(time.seconds, 1e-9) / std::max(1.0, load.launches))));
  for (std::size_t l = 0; l < kNames.size(); ++l)
    to.add(kNames[l], plain(time.parts[l] / std::max(time.seconds, 1e-9)));
}

void addShape(const cost::KernelLoad &load, const cost::KernelTime &time, double fromDram,
              const machine::Machine &machine, Features &to) {
  const auto threads = static_cast<double>(load.threads());
  to.add("launches", size(load.launches));
  to.add("blocks of a multiprocessor",
         size(load.blocks / static_cast<double>(machine.multiprocessors)));
  to.add("threads of a block", size(threads));
  to.add("threads along x", size(static_cast<double>(load.blockThreads[0])));
  to.add("waves", size(time.waves));
  to.add("idle part of the waves", plain(1 - time.waves / std::max(1.0, std::ceil(time.waves))));
  to.add("occupancy", plain(time.occupancy.fraction));
  to.add("resident blocks", size(static_cast<double>(time.occupancy.blocks)));
  to.add("registers", plain(time.registers));
  to.add("spilled values", size(time.spilled));
  to.add("shared bytes", size(static_cast<double>(load.sharedBytes)));
  to.add("bytes of device memory", size(load.dramBytes));
  to.add("part from device memory", plain(fromDram));
  to.add("stages", size(static_cast<double>(load.stages.size())));
}

// What is known of each stage, of which the features are means.
using S = const cost::StageLoad &;
struct Known {
  std::string_view name;
  double (*of)(S);
};
constexpr std::array<Known, 23> kKnown{{
    {"loads", [](S s) { return s.loads; }},
    {"stores", [](S s) { return s.stores; }},
    {"shared accesses", [](S s) { return s.sharedAccesses; }},
    {"local accesses", [](S s) { return s.localAccesses; }},
    {"lines", [](S s) { return s.lines; }},
    {"shared passes", [](S s) { return s.sharedPasses; }},
    {"rows", [](S s) { return s.rows; }},
    {"scattered", [](S s) { return s.scattered; }},
    {"missing", [](S s) { return s.missing; }},
    {"chained", [](S s) { return s.chained; }},
    {"guarded", [](S s) { return s.guarded; }},
    {"atomics", [](S s) { return s.atomics; }},
    {"conflicts", [](S s) { return s.conflicts - 1; }},
    {"turns", [](S s) { return s.turns; }},
    {"points", [](S s) { return s.points; }},
    {"bodies", [](S s) { return s.bodies; }},
    {"fp32", [](S s) { return s.arithmetic.fp32; }},
    {"fp64", [](S s) { return s.arithmetic.fp64; }},
    {"fp16", [](S s) { return s.arithmetic.fp16; }},
    {"integers", [](S s) { return s.arithmetic.integer; }},
    {"products", [](S s) { return s.arithmetic.products; }},
    {"special", [](S s) { return s.arithmetic.special; }},
    {"instructions of a body", instructionsOf},
}};

double weightOf(S stage) { return stage.warps * stage.bodies * instructionsOf(stage); }

// Means over the stages, weighted by instructions.
void addMeans(const cost::KernelLoad &load, Features &to) {
  double weight = 0;
  for (S stage : load.stages)
    weight += weightOf(stage);
  for (const Known &known : kKnown) {
    double sum = 0;
    for (S stage : load.stages)
      sum += weightOf(stage) * known.of(stage);
    to.add(known.name, size(weight > 0 ? sum / weight : 0));
  }
}

// Sums over the stages, and what is most of them.
void addSums(const cost::KernelLoad &load, Features &to) {
  double barriers = 0, instructions = 0, l2 = 0, stores = 0, held = 0, live = 0;
  for (S stage : load.stages) {
    barriers += stage.barriers;
    instructions += weightOf(stage);
    l2 += stage.l2Bytes;
    stores += stage.storeBytes;
    held = std::max(held, stage.held);
    live = std::max(live, stage.live);
  }
  to.add("barriers", size(barriers));
  to.add("instructions of a block", size(instructions));
  to.add("bytes of the second-level cache", size(l2));
  to.add("bytes stored", size(stores));
  to.add("held values", size(held));
  to.add("live values", size(live));
  // Of the stage with most instructions.
  const cost::StageLoad none;
  const auto most = std::ranges::max_element(load.stages, {}, weightOf);
  S main = most == load.stages.end() ? none : *most;
  to.add("part of the threads that compute",
         plain(main.threads / static_cast<double>(load.threads())));
  to.add("threads of a warp that compute",
         plain(main.threads / std::max(1.0, kLanes * main.warps)));
  to.add("depth", plain(static_cast<double>(main.depth)));
  to.add("most of all instructions", plain(instructions > 0 ? weightOf(main) / instructions : 1));
  to.add("steps together", size(main.together));
  to.add("places of atomics", size(main.places));
}

Features all(const cost::KernelLoad &load, const cost::KernelTime &time, double fromDram,
             bool fromAssembler, const machine::Machine &machine) {
  Features features;
  features.add("told by ptxas", fromAssembler ? 1 : 0);
  addParts(load, time, features);
  addShape(load, time, fromDram, machine, features);
  addMeans(load, features);
  addSums(load, features);
  return features;
}

} // namespace

KernelFeatures kernelFeaturesOf(const cost::KernelLoad &load, const cost::KernelTime &time,
                                double fromDram, bool fromAssembler,
                                const machine::Machine &machine) {
  return all(load, time, fromDram, fromAssembler, machine).values();
}

std::string_view nameOfKernelFeature(std::size_t feature) {
  return all({}, {}, 0, false, {}).names().at(feature);
}

} // namespace tessera::learn
