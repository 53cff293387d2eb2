// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/schedule_service.h"

#include "engine/schedule/default_schedule.h"
#include "engine/search/algorithms.h"
#include "engine/session/machines.h"
#include "engine/session/search_run.h"

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
    const auto run = session::runSearch(
        request.algorithm, {schedule::defaultSchedule(request.pipeline), *machine}, stop, progress,
        [&](const search::Candidate &candidate) { better(found(candidate)); });
    if (!run) return run.error();
    return found(run->best);
  };
  return service;
}

} // namespace tessera::views
