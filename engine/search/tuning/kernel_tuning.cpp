// SPDX-License-Identifier: MIT
#include "engine/search/tuning/kernel_tuning.h"

#include "engine/search/tuning/recombined.h"
#include "engine/search/tuning/regroupings.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/register_caps.h"
#include "engine/search/kernels/written_tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tessera::search {

using pipeline::FuncId;
using schedule::Schedule;

namespace {

constexpr std::size_t kMostVariants = 400; // largest number of variants that one expand() adds
constexpr std::size_t kMostVaried = 8;     // largest number of kernels varied in a proposal
constexpr std::size_t kAttempts = 8;       // attempts to find a proposal that is legal and new
constexpr std::size_t kOneInCaps = 16;     // one in so many proposals changes the register cap
constexpr std::size_t kOneInGroups = 8; // one in so many proposals moves a func to another kernel
constexpr std::size_t kMostGroups = 24; // largest number of regroupings for a family
// One in so many proposals exchanges kernels, if there are new results.
constexpr std::size_t kOneInMixed = 3;
constexpr std::size_t kMostMixed = 32; // number of the fastest families whose kernels are exchanged
constexpr double kSmallPart = 0.01;    // part of a run's time; shorter kernels are rarely varied

// The error of the cost model varies by about 30 % between variants of a kernel, and less between
// similar variants.
constexpr double kDoubt = 0.3;
constexpr double kSquaredLength = 2; // square of the length scale of similarity (octaves)
constexpr double kNoise = 0.3;       // weight of the prior, in measurements
constexpr double kCuriosity = 1;     // bonus for unknown variants, in standard deviations

// Indices of the families that successive proposals vary. 0 is the fastest family, which is varied
// most often.
constexpr std::array<std::size_t, 8> kFamilies{0, 0, 1, 0, 0, 2, 0, 1};

// The key of a schedule's family. Schedules of one family share ids of funcs and of loops, so they
// need the same added funcs, also the inlined ones, which are in no kernel.
std::string keyOf(const Schedule &schedule) {
  std::string key =
      std::to_string(schedule.settings().registerCap) + "|" + std::to_string(schedule.frameHash());
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  for (const Group &group : groupsOf(schedule)) {
    key += "|" + pipeline.func(group.output).name;
    for (const Member &member : group.members)
      key += "," + pipeline.func(member.func).name;
  }
  return key;
}

double secondsOf(FuncId output, std::span<const MeasuredKernel> kernels) {
  double seconds = 0;
  for (const MeasuredKernel &kernel : kernels)
    if (kernel.output == output) seconds += kernel.seconds;
  return seconds;
}

} // namespace

double KernelTuning::part() {
  return static_cast<double>(m_random() >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

void KernelTuning::Family::keepFastest(const Schedule &schedule,
                                       std::span<const MeasuredKernel> measured, double took) {
  if (took < seconds()) fastest = {schedule, {measured.begin(), measured.end()}, took};
}

// The index in `variants` of the variant with this group and these inlined funcs. If there is none,
// it is added.
std::size_t KernelTuning::Kernel::placeOf(KernelVariant way) {
  const auto same = std::ranges::find_if(variants, [&](const Variant &known) {
    return known.way.inlined == way.inlined && known.way.group.tile == way.group.tile &&
           known.way.group.members == way.group.members;
  });
  const auto place = static_cast<std::size_t>(same - variants.begin());
  if (same == variants.end()) variants.push_back({std::move(way), {}, 0, false, false});
  return place;
}

void KernelTuning::Kernel::note(std::size_t variant, double seconds) {
  if (seconds <= 0) return; // 0: the time was not measured
  std::optional<double> &known = variants[variant].seconds;
  known = std::min(seconds, known.value_or(seconds));
  const Variant &fastest = variants[best];
  if (!fastest.seconds || *known < *fastest.seconds) best = variant;
}

// Adds the kernels of a measured schedule to the variants of its family, each with its predicted
// and its measured time.
void KernelTuning::addWays(Family &family, const Schedule &schedule,
                           std::span<const MeasuredKernel> measured) {
  const cost::Prediction prediction = cost::predict(schedule, m_machine);
  for (Group &group : groupsOf(schedule)) {
    group.tile = tileOf(schedule, group, FrozenDecisions(schedule));
    double predicted = 0;
    for (const auto &one : prediction.kernels)
      if (schedule.pipeline()->stage(one.load.stage).func == group.output)
        predicted += one.time.seconds;
    const double seconds = secondsOf(group.output, measured);
    auto kernel = std::ranges::find(family.kernels, group.output, &Kernel::output);
    if (kernel == family.kernels.end()) {
      kernel = family.kernels.insert(kernel, startOf(group, schedule));
    } else if (!group.tile) {
      continue; // no tile describes the group's loops
    }
    const std::size_t place = kernel->placeOf({std::move(group), {}, predicted});
    kernel->variants[place].isProposed = true;
    kernel->note(place, seconds);
  }
}

// A new kernel's data: the variants and times that another family has for a kernel of the same
// funcs, since they are valid here too.
KernelTuning::Kernel KernelTuning::startOf(const Group &group, const Schedule &schedule) const {
  Kernel start{.output = group.output};
  for (const auto &[key, family] : m_families) {
    if (!canExchangeKernels(family.schedule(), schedule)) continue;
    const auto kernel = std::ranges::find(family.kernels, group.output, &Kernel::output);
    if (kernel == family.kernels.end() ||
        kernel->variants.front().way.group.funcs() != group.funcs())
      continue;
    for (const Variant &variant : kernel->variants) {
      if (!variant.seconds || !variant.way.inlined.empty() || !variant.way.group.tile) continue;
      start.variants.push_back(variant);
      start.note(start.variants.size() - 1, *variant.seconds);
    }
    break;
  }
  return start;
}

void KernelTuning::learn(const Schedule &schedule, std::span<const MeasuredKernel> kernels,
                         double seconds) {
  m_isNew = true;
  const auto proposed = m_proposals.find(schedule.hash());
  const bool isOurs = proposed != m_proposals.end();
  if (isOurs) {
    Family &family = m_families.at(proposed->second.family);
    for (const Choice &choice : proposed->second.all) {
      Kernel &kernel = family.kernels[choice.kernel];
      kernel.note(choice.variant, secondsOf(kernel.output, kernels));
    }
    family.keepFastest(schedule, kernels, seconds);
    m_proposals.erase(proposed);
  }
  // If a member was inlined, the schedule belongs to another family.
  const auto [known, isNew] = m_families.try_emplace(
      keyOf(schedule), Family{{schedule, {}, std::numeric_limits<double>::infinity()}, {}});
  Family &family = known->second;
  if (isNew || !isOurs) addWays(family, schedule, kernels);
  family.keepFastest(schedule, kernels, seconds);
}

void KernelTuning::fail(std::uint64_t hash) {
  const auto proposed = m_proposals.find(hash);
  if (proposed == m_proposals.end()) return;
  Family &family = m_families.at(proposed->second.family);
  // If several kernels were varied, any of them may be the cause of the failure. So no variant is
  // marked as bad, and each may be tried again alone.
  const bool isKnown = proposed->second.varied.size() == 1;
  for (const Choice &choice : proposed->second.varied)
    family.kernels[choice.kernel].variants[choice.variant].isBad = isKnown;
  m_proposals.erase(proposed);
}

// Adds variants around the best known one.
void KernelTuning::expand(Family &family, Kernel &kernel) {
  if (!kernel.expanded.insert(kernel.best).second) return;
  const KernelVariant around = kernel.variants[kernel.best].way;
  if (!around.inlined.empty()) return; // schedules with inlined members are of another family
  for (KernelVariant &way : variantsAround(family.schedule(), around, m_machine, kMostVariants))
    kernel.placeOf(std::move(way));
}

// The expected error of the model for a variant: the Nadaraya-Watson mean of known errors, weighted
// by similarity. `doubt` receives the remaining standard deviation. A variant that is proposed but
// not measured counts with its expected error.
double KernelTuning::correctionOf(const Kernel &kernel, const KernelVariant &way,
                                  double &doubt) const {
  double sum = 0, weights = kNoise;
  double all = 0, count = 0;
  for (const Variant &known : kernel.variants) {
    if (!known.isProposed || known.isBad || known.way.seconds <= 0) continue;
    const double wrong =
        known.seconds ? std::log(*known.seconds / known.way.seconds) : known.correction;
    const double weight = std::exp(-squaredDistance(known.way, way) / (2 * kSquaredLength));
    sum += weight * wrong;
    weights += weight;
    if (known.seconds) {
      all += wrong;
      ++count;
    }
  }
  doubt = kDoubt * std::sqrt(kNoise / weights);
  // Without similar variants, this is the mean error of all measured variants.
  return (sum + kNoise * (count > 0 ? all / count : 0)) / weights;
}

std::optional<std::size_t> KernelTuning::mostPromising(const Kernel &kernel) {
  std::optional<std::size_t> chosen;
  double least = 0;
  for (std::size_t v = 0; v < kernel.variants.size(); ++v) {
    const Variant &variant = kernel.variants[v];
    if (variant.isProposed || variant.isBad || variant.way.seconds <= 0) continue;
    double doubt = 0;
    const double correction = correctionOf(kernel, variant.way, doubt);
    const double hoped = std::log(variant.way.seconds) + correction - kCuriosity * doubt;
    if (chosen && hoped >= least) continue;
    chosen = v;
    least = hoped;
  }
  return chosen;
}

// Chooses the longest kernels, at most kMostVaried. Of the kernels with less than kSmallPart of the
// time, a random selection is chosen; the shorter a kernel, the more rarely.
std::vector<std::size_t> KernelTuning::kernelsToVary(const Family &family) {
  double total = 0;
  for (const Kernel &kernel : family.kernels)
    total += kernel.secondsOfBest();
  std::vector<std::size_t> order(family.kernels.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    order[k] = k;
  std::ranges::stable_sort(order, std::greater<>{},
                           [&](std::size_t k) { return family.kernels[k].secondsOfBest(); });
  std::vector<std::size_t> chosen;
  for (const std::size_t k : order) {
    const double share = total > 0 ? family.kernels[k].secondsOfBest() / total : 1;
    const bool isChosen = share > kSmallPart || part() < share / kSmallPart;
    if (isChosen && chosen.size() < kMostVaried) chosen.push_back(k);
  }
  return chosen;
}

std::optional<Candidate> KernelTuning::propose(const std::string &key, Family &family,
                                               const std::set<std::uint64_t> &known) {
  const FrozenDecisions frozen(family.schedule());
  Proposal proposal{key, {}, {}};
  Schedule schedule = family.schedule();
  double seconds = 0;
  const auto write = [&](Choice choice) {
    const Variant &variant = family.kernels[choice.kernel].variants[choice.variant];
    auto written = withVariant(schedule, variant.way, frozen);
    if (!written || !keepsFrozen(family.schedule(), *written) ||
        !schedule::isLegal(*written, m_machine))
      return false;
    schedule = std::move(*written);
    proposal.all.push_back(choice);
    seconds += variant.seconds.value_or(variant.way.seconds * std::exp(variant.correction));
    return true;
  };
  const std::vector<std::size_t> varied = kernelsToVary(family);
  for (std::size_t k = 0; k < family.kernels.size(); ++k) {
    Kernel &kernel = family.kernels[k];
    bool isWritten = false;
    if (std::ranges::find(varied, k) != varied.end()) {
      expand(family, kernel);
      for (std::size_t attempt = 0; attempt < kAttempts && !isWritten; ++attempt) {
        const auto promising = mostPromising(kernel);
        if (!promising) break;
        Variant &variant = kernel.variants[*promising];
        double doubt = 0;
        variant.correction = correctionOf(kernel, variant.way, doubt);
        isWritten = write({k, *promising});
        if (isWritten) proposal.varied.push_back({k, *promising});
        variant.isProposed = true;
        variant.isBad = !isWritten;
      }
    }
    if (!isWritten) write({k, kernel.best});
  }
  if (proposal.varied.empty() || known.contains(schedule.hash())) return std::nullopt;
  m_proposals[schedule.hash()] = std::move(proposal);
  return Candidate{std::move(schedule), seconds};
}

// A proposal that moves a func to another kernel. It becomes a family of its own when it is
// measured.
std::optional<Candidate> KernelTuning::regrouped(const std::string &key,
                                                 const std::set<std::uint64_t> &known) {
  const auto [found, isNew] = m_regrouped.try_emplace(key);
  std::vector<Candidate> &candidates = found->second;
  if (isNew) {
    const Family &family = m_families.at(key);
    candidates = regroupings(family.schedule(), m_machine, kMostGroups);
    std::ranges::reverse(candidates);
    // Assumes that the cost model has the same relative error for the candidates as for the family.
    const double wrong = family.seconds() / cost::predict(family.schedule(), m_machine).seconds;
    for (Candidate &candidate : candidates)
      candidate.seconds *= wrong;
  }
  while (!candidates.empty()) {
    Candidate next = std::move(candidates.back());
    candidates.pop_back();
    if (!known.contains(next.schedule.hash()) && !m_families.contains(keyOf(next.schedule)))
      return next;
  }
  return std::nullopt;
}

// Replaces kernels of the fastest schedule by kernels of other families. When measured, the result
// becomes a family of its own or the new fastest schedule of a family.
std::optional<Candidate> KernelTuning::recombined(const ByTime &families,
                                                  const std::set<std::uint64_t> &known) {
  m_isNew = false;
  std::vector<const MeasuredSchedule *> others;
  for (const auto &[seconds, key] : families)
    if (others.size() < kMostMixed) others.push_back(&m_families.at(key).fastest);
  auto mixed = search::recombined(*others.front(), std::span(others).subspan(1), m_machine);
  if (!mixed || known.contains(mixed->schedule.hash())) return std::nullopt;
  return mixed;
}

std::optional<Candidate> KernelTuning::withAnotherCap(const Family &family,
                                                      const std::set<std::uint64_t> &known) {
  if (isRegisterCapFrozen(family.schedule())) return std::nullopt;
  for (const int cap : kRegisterCaps) {
    Schedule schedule = withRegisterCap(family.schedule(), cap);
    if (known.contains(schedule.hash()) || !schedule::isLegal(schedule, m_machine)) continue;
    return Candidate{std::move(schedule), family.seconds()};
  }
  return std::nullopt;
}

std::optional<Candidate> KernelTuning::next(const std::set<std::uint64_t> &known) {
  ByTime byTime;
  for (const auto &[key, family] : m_families)
    byTime.emplace_back(family.seconds(), key);
  std::ranges::sort(byTime);
  if (byTime.empty()) return std::nullopt;
  const std::size_t turn = m_turn++;
  if (turn % kOneInCaps == kOneInCaps - 1)
    if (auto capped = withAnotherCap(m_families.at(byTime.front().second), known)) return capped;
  if (m_isNew && turn % kOneInMixed == 0)
    if (auto mixed = recombined(byTime, known)) return mixed;
  if (turn % kOneInGroups == kOneInGroups / 2)
    if (auto other = regrouped(byTime.front().second, known)) return other;
  const std::size_t first = std::min(kFamilies[turn % kFamilies.size()], byTime.size() - 1);
  for (std::size_t f = first; f < byTime.size(); ++f) {
    const std::string &key = byTime[f].second;
    for (std::size_t attempt = 0; attempt < kAttempts; ++attempt)
      if (auto proposed = propose(key, m_families.at(key), known)) return proposed;
  }
  return std::nullopt;
}

} // namespace tessera::search
