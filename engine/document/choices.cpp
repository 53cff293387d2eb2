// SPDX-License-Identifier: MIT
#include "engine/document/choices.h"

#include "engine/cost/evaluator.h"
#include "engine/cost/predictor.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/register_caps.h"

#include <chrono>
#include <utility>

namespace tessera::document {

using schedule::Edit;
using schedule::Schedule;

namespace {

constexpr std::chrono::milliseconds kBetweenBatches{50};

} // namespace

void choicesFor(const Schedule &schedule, pipeline::StageId stage, const machine::Machine &machine,
                const std::stop_token &stop, const ChoicesCallback &found) {
  cost::Evaluator evaluator(schedule, machine);
  schedule::KnownLegality legality(machine);
  Choices batch;
  auto told = std::chrono::steady_clock::now();
  for (Edit &edit : schedule::proposals(schedule, stage)) {
    if (stop.stop_requested()) return;
    auto [after, violations] = schedule::applied(schedule, edit, schedule::Origin::User, legality);
    if (!violations.empty()) continue;
    const std::vector<pipeline::FuncId> changed = after.plannedOtherwise(schedule);
    for (const pipeline::FuncId func : changed)
      evaluator.set(func, after.plan(func));
    const double seconds = evaluator.prediction().seconds;
    for (const pipeline::FuncId func : changed)
      evaluator.set(func, schedule.plan(func));
    batch.push_back({edit.decision, std::move(edit.value), std::move(after), seconds});
    if (std::chrono::steady_clock::now() - told < kBetweenBatches) continue;
    found(std::exchange(batch, {}));
    told = std::chrono::steady_clock::now();
  }
  if (!batch.empty()) found(std::move(batch));
}

void settingChoices(const Schedule &schedule, const machine::Machine &machine,
                    const ChoicesCallback &found) {
  Choices choices;
  cost::Predictor predictor(machine);
  const schedule::DecisionKey cap{{}, 0, schedule::DecisionKind::RegisterCap, 0};
  for (const int registers : search::kOfferedCaps) {
    if (registers == schedule.settings().registerCap) continue;
    Schedule after = search::withRegisterCap(schedule, registers);
    if (!schedule::isLegal(after, machine)) continue;
    after.setMark(cap, {schedule::Origin::User, schedule.mark(cap).frozen});
    const double seconds = predictor.predict(after).seconds;
    choices.push_back({cap, std::to_string(registers), std::move(after), seconds});
  }
  if (!choices.empty()) found(std::move(choices));
}

Schedule chosen(const Choice &choice) {
  Schedule schedule = choice.after;
  schedule.setMark(choice.decision, {schedule::Origin::User, true});
  return schedule;
}

} // namespace tessera::document
