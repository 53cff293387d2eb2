// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/schedule_service.h"

#include "engine/schedule/default_schedule.h"
#include "engine/schedule/legality.h"
#include "engine/search/algorithms.h"
#include "engine/search/frozen_conflict.h"
#include "engine/session/machines.h"
#include "engine/session/search_run.h"

#include <utility>

namespace tessera::views {

ScheduleService scheduleService(const session::ToolPaths &tools) {
  ScheduleService service;
  for (const search::Algorithm &algorithm : search::algorithms())
    service.algorithms.push_back({std::string(algorithm.name), std::string(algorithm.description)});
  for (const session::MachineFile &file : session::findMachines(tools).files)
    service.machines.push_back({file.machine.name, file.machine.title});
  service.defaultMachine = session::kDefaultMachine;
  service.run = [tools](const ScheduleRequest &request, std::stop_token stop,
                        const job::ProgressCallback &progress,
                        const ScheduleService::Found &better) -> Result<FoundSchedule> {
    const auto machine = session::machineFor(request.machine, tools);
    if (!machine) return machine.error();
    const auto found = [&](const search::Candidate &candidate) {
      return FoundSchedule{candidate.schedule, cost::predict(candidate.schedule, *machine)};
    };
    auto start = request.around
                     ? search::legalStart(*request.around, *machine)
                     : Result<schedule::Schedule>(schedule::defaultSchedule(request.pipeline));
    if (!start) return start.error();
    const auto run =
        session::runSearch(request.algorithm, {std::move(*start), *machine}, stop, progress,
                           [&](const search::Candidate &candidate) { better(found(candidate)); });
    if (!run) return run.error();
    return found(run->best);
  };
  service.predict = [tools](const schedule::Schedule &schedule,
                            const std::string &name) -> Result<FoundSchedule> {
    const auto machine = session::machineFor(name, tools);
    if (!machine) return machine.error();
    if (const auto wrong = schedule::check(schedule, *machine); !wrong.empty())
      return Error{ErrorCode::InputRefused, wrong.front().message, wrong.front().allowed};
    return FoundSchedule{schedule, cost::predict(schedule, *machine)};
  };
  service.choices = [tools](const schedule::Schedule &schedule,
                            std::optional<pipeline::StageId> stage, const std::string &name,
                            std::stop_token stop, const session::ChoicesCallback &found) -> Status {
    const auto machine = session::machineFor(name, tools);
    if (!machine) return machine.error();
    if (stage)
      session::choicesFor(schedule, *stage, *machine, stop, found);
    else
      session::settingChoices(schedule, *machine, found);
    return Done{};
  };
  service.sharedChoices =
      [tools](const schedule::Schedule &schedule, const std::vector<pipeline::StageId> &stages,
              schedule::DecisionColumn column, const std::string &name, std::stop_token stop,
              const session::ChoicesCallback &found) -> Status {
    const auto machine = session::machineFor(name, tools);
    if (!machine) return machine.error();
    session::sharedChoices(schedule, stages, column, *machine, stop, found);
    return Done{};
  };
  service.moves = [tools](const schedule::Schedule &schedule, pipeline::StageId stage,
                          const std::string &name, std::stop_token stop,
                          const session::MovesCallback &found) -> Status {
    const auto machine = session::machineFor(name, tools);
    if (!machine) return machine.error();
    session::movesOf(schedule, stage, *machine, stop, found);
    return Done{};
  };
  return service;
}

} // namespace tessera::views
