// SPDX-License-Identifier: MIT
#include "engine/search/tuning/neighbours.h"

#include "engine/cost/predictor.h"
#include "engine/schedule/edits/edits.h"
#include "engine/search/kernels/frozen_decisions.h"
#include "engine/search/kernels/register_caps.h"

#include <algorithm>
#include <utility>

namespace tessera::search {

using schedule::Edit;
using schedule::Schedule;

namespace {

constexpr std::size_t kMostChanges = 3; // largest number of changes per walk
constexpr std::size_t kOneInCaps = 8;   // one in so many changes is to the register cap
// Schedules whose predicted time is more than this times that of the start are dropped.
constexpr double kHopeless = 4;
constexpr std::size_t kFruitlessMost = 8; // a walk ends after so many attempts without a change

} // namespace

Neighbours::Neighbours(machine::Machine machine, std::uint64_t seed)
    : m_machine(std::move(machine)), m_legality(m_machine), m_random(seed) {}

// std::uniform_int_distribution is not used, since its results differ between standard libraries.
std::size_t Neighbours::below(std::size_t count) { return m_random() % count; }

bool Neighbours::change(Schedule &schedule) {
  if (below(kOneInCaps) == 0 && !isRegisterCapFrozen(schedule)) {
    schedule = withRegisterCap(std::move(schedule), kRegisterCaps[below(kRegisterCaps.size())]);
    return true;
  }
  const auto stage = static_cast<pipeline::StageId>(below(schedule.pipeline()->stages().size()));
  const std::vector<Edit> edits = proposals(schedule, stage);
  if (edits.empty()) return false;
  const Edit &edit = edits[below(edits.size())];
  const auto marks = heldMarks(schedule);
  const auto mark = marks.find(edit.decision);
  if (mark != marks.end() && mark->second.frozen) return false;
  schedule = applied(schedule, edit, schedule::Origin::Search, m_legality).schedule;
  return true;
}

Schedule Neighbours::walked(const Schedule &start) {
  Schedule schedule = start;
  const std::size_t changes = 1 + below(kMostChanges);
  for (std::size_t done = 0, fruitless = 0; done < changes && fruitless < kFruitlessMost;)
    change(schedule) ? ++done : ++fruitless;
  return schedule;
}

std::vector<Candidate> Neighbours::around(const Schedule &start, std::size_t tries,
                                          std::size_t most, const std::set<std::uint64_t> &known) {
  cost::Predictor predictor(m_machine);
  const double worst = kHopeless * predictor.predict(start).seconds;
  std::vector<Candidate> found;
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < tries; ++i) {
    Schedule schedule = walked(start);
    if (known.contains(schedule.hash()) || !seen.insert(schedule.hash()).second) continue;
    if (!keepsFrozen(start, schedule) || !m_legality.isLegal(schedule)) continue;
    const double seconds = predictor.predict(schedule).seconds;
    if (seconds <= worst) found.push_back({std::move(schedule), seconds});
  }
  std::ranges::stable_sort(found, {}, &Candidate::seconds);
  if (found.size() > most)
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
  return found;
}

} // namespace tessera::search
