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

// Proposes what to measure next, based on earlier measurements. The time of each kernel is measured
// separately, so several kernels of a schedule are varied at once. Of the variants of a kernel, the
// one with the best corrected cost is tried. The correction is the error of the cost model for
// similar variants. Variants with few measurements near them are favoured.
//
// Schedules with the same funcs in the same kernels, the same added funcs and the same settings (as
// the register cap) share their results.
// From time to time the fastest schedule is changed in another way: a func moves to another kernel,
// the register cap changes, or kernels of other schedules replace some of its own. The same seed
// and calls give the same proposals. Not thread-safe.
class KernelTuning {
public:
  KernelTuning(machine::Machine machine, std::uint64_t seed)
      : m_machine(std::move(machine)), m_random(seed) {}

  // Adds a measured schedule whose results are correct, proposed by this object or not.
  void learn(const schedule::Schedule &schedule, std::span<const MeasuredKernel> kernels,
             double seconds);
  // Notes that a proposed schedule does not compile or run.
  void fail(std::uint64_t hash);

  // Usually a schedule that has the fastest known variant of each kernel, but untried variants of
  // some kernels. Sometimes one with another register cap, with a func in another kernel, or with
  // kernels of other schedules. Its hash is not in `known`. Empty if nothing was learned yet or
  // nothing untried is left.
  std::optional<Candidate> next(const std::set<std::uint64_t> &known);

private:
  struct Variant {
    KernelVariant way;
    std::optional<double> seconds; // the shortest measured time
    double correction = 0;         // expected log(measured / predicted) when it was proposed
    bool isProposed = false, isBad = false;
  };
  struct Kernel {
    pipeline::FuncId output{};
    std::vector<Variant> variants;
    std::size_t best = 0;           // index of the fastest measured variant
    std::set<std::size_t> expanded; // indices of variants whose neighbours were added
    double secondsOfBest() const { return variants[best].seconds.value_or(0); }
    std::size_t placeOf(KernelVariant way);
    void note(std::size_t variant, double seconds); // adds a measured time
  };
  // Schedules with the same key: the same funcs in the same kernels, added funcs and settings.
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
    std::vector<Choice> all;    // one for each kernel
    std::vector<Choice> varied; // those of `all` that are untried
  };

  using ByTime = std::vector<std::pair<double, std::string>>; // time and key of each family

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
  double part(); // a random number from 0 to 1

  const machine::Machine m_machine;
  std::mt19937_64 m_random;
  std::map<std::string, Family> m_families;
  // Candidates of regrouped(), by the key of the family. The last element is the next candidate.
  std::map<std::string, std::vector<Candidate>> m_regrouped;
  std::map<std::uint64_t, Proposal> m_proposals; // by hash of the schedule
  std::size_t m_turn = 0;
  // True: since the last recombination there is a new family, or a new fastest schedule of one.
  bool m_isNew = false;
};

} // namespace tessera::search
