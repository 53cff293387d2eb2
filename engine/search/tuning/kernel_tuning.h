// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/tuning/kernel_variants.h"
#include "engine/search/tuning/measured_schedule.h"
#include "engine/search/search.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::search {

// What to measure next, from what was measured: the kernels of a schedule are tried side by side,
// as the time of each is known by itself. Of the variants of a kernel that one is tried which looks
// best by our cost, corrected by what it was wrong about variants alike, and where little is known
// in favour of the unknown.
//
// Schedules that fuse the same funcs into the same kernels learn from one another. Now and then one
// of the fastest's funcs goes into another kernel, or the fastest gets kernels of others in place
// of its own. The same seed and calls give the same proposals. For one thread.
class KernelTuning {
public:
  KernelTuning(machine::Machine machine, std::uint64_t seed)
      : m_machine(std::move(machine)), m_random(seed) {}

  // A schedule that is right, and what it took, whoever proposed it.
  void learn(const schedule::Schedule &schedule, std::span<const MeasuredKernel> kernels,
             double seconds);
  // One that was proposed, and does not compile or run.
  void fail(std::uint64_t hash);

  // The fastest known way to write each kernel, but for some of them that are written in a way
  // that nobody has tried; none of `known`. Nothing: all was tried, or nothing is known.
  std::optional<Candidate> next(const std::set<std::uint64_t> &known);

private:
  struct Variant {
    KernelVariant way;
    std::optional<double> seconds; // measured, the least
    double correction = 0;         // of the logarithm of the predicted time, when it was proposed
    bool isProposed = false, isBad = false;
  };
  struct Kernel {
    pipeline::FuncId output{};
    std::vector<Variant> variants;
    std::size_t best = 0;           // of those measured
    std::set<std::size_t> expanded; // variants around which others were looked for
    double secondsOfBest() const { return variants[best].seconds.value_or(0); }
    std::size_t placeOf(KernelVariant way);
    void note(std::size_t variant, double seconds); // measured
  };
  // Schedules with the same kernels, of the same funcs, and the same cap of registers.
  struct Family {
    MeasuredSchedule fastest;
    std::vector<Kernel> kernels;
    double seconds() const { return fastest.seconds; }
    const schedule::Schedule &schedule() const { return fastest.schedule; }
    void keepFastest(const schedule::Schedule &schedule, std::span<const MeasuredKernel> kernels,
                     double seconds);
  };
  struct Choice {
    std::size_t kernel = 0, variant = 0;
  };
  struct Proposal {
    std::string family;
    std::vector<Choice> all;    // of each kernel
    std::vector<Choice> varied; // that nobody had tried
  };

  using ByTime = std::vector<std::pair<double, std::string>>; // keys of families

  void addWays(Family &family, const schedule::Schedule &schedule,
               std::span<const MeasuredKernel> measured);
  Kernel startOf(const Group &group, const schedule::Schedule &schedule) const;
  void expand(Family &family, Kernel &kernel);
  std::optional<std::size_t> mostPromising(const Kernel &kernel);
  double correctionOf(const Kernel &kernel, const KernelVariant &way, double &doubt) const;
  std::vector<std::size_t> kernelsToVary(const Family &family);
  std::optional<Candidate> propose(const std::string &key, Family &family,
                                   const std::set<std::uint64_t> &known);
  std::optional<Candidate> regrouped(const std::string &key, const std::set<std::uint64_t> &known);
  std::optional<Candidate> recombined(const ByTime &families, const std::set<std::uint64_t> &known);
  std::optional<Candidate> withAnotherCap(const Family &family,
                                          const std::set<std::uint64_t> &known);
  double part(); // random, 0 to 1

  const machine::Machine m_machine;
  std::mt19937_64 m_random;
  std::map<std::string, Family> m_families;
  std::map<std::string, std::vector<Candidate>> m_regrouped; // of a family, the next one last
  std::map<std::uint64_t, Proposal> m_proposals;             // by hash
  std::size_t m_turn = 0;
  bool m_isNew = false; // some family, or its fastest, since kernels were exchanged
};

} // namespace tessera::search
