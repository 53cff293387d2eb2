// SPDX-License-Identifier: MIT
#include "engine/bench/device/interleave.h"

#include "engine/bench/device/bundle_run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongSamples = 2; // samples of a long run, as in measure.cpp

// One of the bundles that are timed in turns.
struct Turn {
  std::unique_ptr<BundleRun> run;
  Measurement measurement;
  double once = 0; // approximate seconds of a run
  std::vector<double> samples;
};

class Turns {
public:
  Turns(const Workbench &bench, const InterleaveOptions &options)
      : m_bench(bench), m_options(options) {}

  std::vector<Measurement> run();
  // After a device error nothing may be freed, so the runs are leaked.
  void abandon() {
    for (Turn &turn : m_turns)
      (void)turn.run.release();
  }

private:
  void say(std::size_t number, const char *what, double fraction) {
    if (m_bench.progress) m_bench.progress({what, fraction, number});
  }
  double share(std::size_t number) const {
    return static_cast<double>(number) / static_cast<double>(m_options.bundles.size());
  }
  bool isLong(const Turn &turn) const { return turn.once >= m_options.longSeconds; }

  void begin(std::size_t number);
  void warmUp();
  void round(double fraction, bool isKept);
  void finish(std::size_t number);

  const Workbench &m_bench;
  const InterleaveOptions &m_options;
  std::vector<Turn> m_turns;
};

// Loads the bundle, runs it and checks its outputs.
void Turns::begin(std::size_t number) {
  say(number, "loading", 0.2 * share(number));
  Turn &turn = m_turns.emplace_back();
  turn.run = std::make_unique<BundleRun>(m_bench, m_options.bundles[number]);
  turn.measurement = turn.run->described(m_bench.settings.program);
  turn.run->load({m_options.seed, m_options.inputs}, m_options.reference, m_options.tolerance);
  say(number, "first run", 0.2 * share(number) + 0.05);
  turn.measurement.firstSeconds = turn.run->batchSeconds(1);
  turn.run->overwriteOutputs();
  turn.once = turn.run->batchSeconds(1);
  turn.run->fetchOutputs();
  turn.measurement.comparison = turn.run->compareOutputs("After the first runs");
  turn.measurement.outputs = turn.run->hashes();
  turn.measurement.kernels = turn.run->kernels();
  if (!turn.run->hasReference())
    turn.measurement.remarks.push_back("the outputs were not compared: there is no reference");
}

void Turns::round(double fraction, bool isKept) {
  for (std::size_t i = 0; i < m_turns.size(); ++i) {
    Turn &turn = m_turns[i];
    // A bundle whose run is long needs no warm-up round, because its first two runs have warmed the
    // GPU up. Such a bundle also needs few samples.
    if (isLong(turn) && (!isKept || turn.samples.size() >= kLongSamples)) continue;
    say(i, isKept ? "measuring" : "warming up", fraction);
    const int runs = isLong(turn) ? 1 : BundleRun::runsFor(m_options.batchSeconds, turn.once);
    const double seconds = turn.run->batchSeconds(runs);
    if (isKept) {
      turn.samples.push_back(seconds);
    } else {
      turn.once = seconds;
      turn.measurement.warmUp.runs += runs;
    }
    turn.measurement.runsPerSample = runs;
  }
}

// Does at least two rounds, because a bundle's time in the last round determines how many of its
// runs make a batch.
void Turns::warmUp() {
  constexpr int kLeastRounds = 2;
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  if (std::ranges::all_of(m_turns, [&](const Turn &turn) { return isLong(turn); })) return;
  for (int i = 0; i < kLeastRounds || seconds() < m_options.warmUpSeconds; ++i)
    round(0.3, false);
  for (Turn &turn : m_turns)
    turn.measurement.warmUp.seconds = seconds();
}

void Turns::finish(std::size_t number) {
  Turn &turn = m_turns[number];
  say(number, "checking the outputs again", 0.95);
  turn.run->fetchOutputs();
  turn.measurement.comparison = turn.run->compareOutputs("After the measurement");
  turn.measurement.backToBack = spreadOf(std::move(turn.samples));
}

std::vector<Measurement> Turns::run() {
  for (std::size_t i = 0; i < m_options.bundles.size(); ++i)
    begin(i);
  warmUp();
  const DeviceState before = m_bench.device.state();
  for (int i = 0; i < m_options.rounds; ++i)
    round(0.3 + 0.6 * i / m_options.rounds, true);
  const DeviceState after = m_bench.device.state();
  std::vector<Measurement> measurements;
  for (std::size_t i = 0; i < m_turns.size(); ++i) {
    finish(i);
    m_turns[i].measurement.before = before;
    m_turns[i].measurement.after = after;
    measurements.push_back(std::move(m_turns[i].measurement));
  }
  return measurements;
}

} // namespace

std::vector<Measurement> measureInTurns(const Workbench &bench, const InterleaveOptions &options) {
  Turns turns(bench, options);
  try {
    return turns.run();
  } catch (const Failure &failure) {
    if (isFatal(failure.outcome)) turns.abandon();
    throw;
  }
}

} // namespace tessera::bench
