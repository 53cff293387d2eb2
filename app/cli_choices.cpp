// SPDX-License-Identifier: MIT
#include "app/cli_choices.h"

#include "app/cli_machine.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "engine/cost/prediction.h"
#include "engine/document/typed_choices.h"
#include "engine/host/machines.h"
#include "engine/pipeline/stage_names.h"
#include "engine/schedule/text/decision_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tessera::app {
namespace {

using document::Choice;
using document::TypedChoices;
using nlohmann::ordered_json;

struct ChoiceOptions {
  ScheduleOptions schedule;
  std::string machine = host::kDefaultMachine;
  std::string stage, value; // no stage: the whole schedule; no value: all choices
  bool json = false;
};

Result<std::optional<pipeline::StageId>> wantedStage(const schedule::Schedule &schedule,
                                                     const std::string &name) {
  if (name.empty()) return std::optional<pipeline::StageId>();
  if (const auto stage = stageNamed(*schedule.pipeline(), name)) return stage;
  return Error{ErrorCode::Usage, "there is no stage called '" + name + "'",
               "explain lists the stages"};
}

TypedChoices choicesOf(const ChoiceOptions &options, const schedule::Schedule &schedule,
                       std::optional<pipeline::StageId> stage, const machine::Machine &machine,
                       const std::stop_token &stop) {
  if (!options.value.empty())
    return document::typedChoices(schedule, stage, {}, options.value, machine, stop);
  TypedChoices all;
  const auto add = [&](document::Choices more) {
    std::ranges::move(more, std::back_inserter(all.legal));
  };
  if (stage)
    if (auto refused = document::refusedByExtern(schedule, *stage, "any other value"))
      all.refused.push_back(std::move(*refused));
  if (stage)
    document::choicesFor(schedule, *stage, machine, stop, add);
  else
    document::settingChoices(schedule, machine, add);
  return all;
}

void printJson(const TypedChoices &choices, const schedule::Schedule &schedule,
               const machine::Machine &machine) {
  ordered_json document{{"pipeline", schedule.base()->name()},
                        {"machine", machine.name},
                        {"predicted_ms", cost::predict(schedule, machine).milliseconds()},
                        {"legal", ordered_json::array()},
                        {"refused", ordered_json::array()},
                        {"current", choices.current}};
  for (const Choice &choice : choices.legal)
    document["legal"].push_back({{"decision", subjectOf(choice.after, choice.decision)},
                                 {"value", choice.value},
                                 {"predicted_ms", choice.seconds * kMilli}});
  for (const document::RefusedChoice &refused : choices.refused)
    document["refused"].push_back({{"decision", subjectOf(schedule, refused.decision)},
                                   {"value", refused.value},
                                   {"reason", refused.reason}});
  std::cout << document.dump(2) << "\n";
}

void printText(const TypedChoices &choices, const schedule::Schedule &schedule,
               const machine::Machine &machine) {
  const double now = cost::predict(schedule, machine).seconds;
  Table table{
      {{"ms", Table::Align::Right}, {"change", Table::Align::Right}, {"decision"}, {"value"}}, {}};
  for (const Choice &choice : choices.legal)
    table.rows.push_back({fixedText(choice.seconds * kMilli, 4),
                          fixedText((choice.seconds / now - 1) * 100, 1) + " %",
                          subjectOf(choice.after, choice.decision), choice.value});
  if (!table.rows.empty()) std::cout << table;
  for (const std::string &value : choices.current)
    std::cout << value << " is the current value\n";
  for (const document::RefusedChoice &refused : choices.refused)
    std::cout << refused.value << " is not legal: " << refused.reason << "\n";
  if (choices.empty()) std::cout << "no choice of this stage matches\n";
}

int choose(const ChoiceOptions &options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  FileOpener opener(options.schedule.file, invocation);
  const auto machine = host::machineFor(options.machine, opener.tools());
  if (!machine) return report(machine.error(), style);
  const auto opened = openLegal(opener, options.schedule.schedule, *machine);
  if (!opened) return report(opened.error(), style);
  const schedule::Schedule &schedule = opened->sourced.schedule;
  const auto stage = wantedStage(schedule, options.stage);
  if (!stage) return report(stage.error(), style);
  TypedChoices choices = choicesOf(options, schedule, *stage, *machine, opener.stop());
  std::ranges::stable_sort(choices.legal, {}, &Choice::seconds);
  if (options.json)
    printJson(choices, schedule, *machine);
  else
    printText(choices, schedule, *machine);
  return outputDone();
}

} // namespace

void addChoices(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<ChoiceOptions>();
  CLI::App *command = cli.add_subcommand(
      "choices", "List the other legal values of a stage's decisions, the fastest first");
  addScheduleOptions(*command, options->schedule);
  addMachineOption(*command, options->machine);
  command
      ->add_option("--stage", options->stage,
                   "The stage, named as explain prints it; without this option, the register cap")
      ->type_name("STAGE");
  command
      ->add_option("--value", options->value,
                   "List only the choices that match this value, such as \"x_thread 12\", or say "
                   "why it is not legal; any number may be given")
      ->type_name("TEXT");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return choose(*options, invocation); };
  });
}

} // namespace tessera::app
