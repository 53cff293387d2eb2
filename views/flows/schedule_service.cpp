// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/schedule_service.h"

#include "engine/host/machines.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"
#include "engine/search/kernels/frozen_conflict.h"
#include "engine/tune/search_run.h"

#include <utility>

namespace tessera::views {

ScheduleService scheduleService(const host::ToolPaths &tools) {
  ScheduleService service;
  for (const search::Algorithm &algorithm : search::algorithms())
    service.algorithms.push_back({std::string(algorithm.name), std::string(algorithm.description)});
  for (const host::MachineFile &file : host::findMachines(tools).files)
    service.machines.push_back({file.machine.name, file.machine.title});
  service.defaultMachine = host::kDefaultMachine;
  service.run = [tools](const ScheduleRequest &request, std::stop_token stop,
                        const job::ProgressCallback &progress,
                        const ScheduleService::Found &better) -> Result<FoundSchedule> {
    const auto machine = host::machineFor(request.machine, tools);
    if (!machine) return machine.error();
    const auto found = [&](const search::Candidate &candidate) {
      return FoundSchedule{candidate.schedule, cost::predict(candidate.schedule, *machine)};
    };
    auto start = !request.around
                     ? Result<schedule::Schedule>(schedule::defaultSchedule(request.pipeline))
                 : request.from == ScheduleRequest::From::Default
                     ? search::freshStart(*request.around, *machine)
                     : search::legalStart(*request.around, *machine);
    if (!start) return start.error();
    search::Problem problem{std::move(*start), *machine};
    problem.traceRows = search::kMostTraceRows;
    auto run =
        tune::runSearch(request.algorithm, std::move(problem), stop, progress,
                        [&](const search::Candidate &candidate) { better(found(candidate)); });
    if (!run) return run.error();
    FoundSchedule best = found(run->best);
    best.remarks = run->remarks;
    best.algorithm = request.algorithm;
    best.costs = run->costs;
    best.trace = std::make_shared<const search::Trace>(std::move(run->trace));
    return best;
  };
  service.predict = [tools](const schedule::Schedule &schedule,
                            const std::string &name) -> Result<FoundSchedule> {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    if (const auto wrong = schedule::check(schedule, *machine); !wrong.empty())
      return Error{ErrorCode::InputRefused, wrong.front().message, wrong.front().hint()};
    return FoundSchedule{schedule, cost::predict(schedule, *machine)};
  };
  service.predictSourced = [tools](const document::SourcedSchedule &sourced,
                                   const std::string &name) -> Result<FoundSchedule> {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    auto remarks = document::remarksOn(sourced, *machine);
    if (!remarks) return remarks.error();
    return FoundSchedule{sourced.schedule, cost::predict(sourced.schedule, *machine),
                         std::move(*remarks)};
  };
  service.choices = [tools](const schedule::Schedule &schedule,
                            std::optional<pipeline::StageId> stage, const std::string &name,
                            std::stop_token stop,
                            const document::ChoicesCallback &found) -> Status {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    if (stage)
      document::choicesFor(schedule, *stage, *machine, stop, found);
    else
      document::settingChoices(schedule, *machine, found);
    return Done{};
  };
  service.sharedChoices =
      [tools](const schedule::Schedule &schedule, const std::vector<pipeline::StageId> &stages,
              schedule::DecisionColumn column, const std::string &name, std::stop_token stop,
              const document::ChoicesCallback &found) -> Status {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    document::sharedChoices(schedule, stages, column, *machine, stop, found);
    return Done{};
  };
  service.typed =
      [tools](const schedule::Schedule &schedule, const std::vector<pipeline::StageId> &stages,
              std::optional<schedule::DecisionColumn> column, const std::string &text,
              const std::string &name, std::stop_token stop) -> Result<document::TypedChoices> {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    return document::typedChoices(schedule, stages, column, text, *machine, stop);
  };
  service.moves = [tools](const schedule::Schedule &schedule, pipeline::StageId stage,
                          const std::string &name, std::stop_token stop,
                          const document::MovesCallback &found) -> Status {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    document::movesOf(schedule, stage, *machine, stop, found);
    return Done{};
  };
  service.tiles = [tools](const schedule::Schedule &schedule, const footprint::TileEdge &edge,
                          const std::string &name, std::stop_token stop,
                          const std::function<void(ScheduleService::Tile)> &found) -> Status {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    footprint::tileSizes(schedule, edge, *machine, stop, [&](footprint::TileSize size) {
      ScheduleService::Tile tile{std::move(size), std::nullopt};
      if (tile.size.isLegal()) tile.prediction = cost::predict(*tile.size.after, *machine);
      found(std::move(tile));
    });
    return Done{};
  };
  return service;
}

} // namespace tessera::views
