// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/open/open.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::tune {

// A schedule with its measured times: a line of tests/campaigns/times/time_bundles.
struct Measured {
  std::string pipeline, name; // name is that of the case
  schedule::Schedule schedule;
  double milliseconds = 0;
  std::vector<report::KernelReport> compiled; // those kernels that ptxas reported
  std::map<std::string, double> kernels;      // milliseconds, by the stage that owns the blocks
  bool byEvents = false;                      // whether `kernels` includes the overhead of events
};

// Reads such lines. It opens the pipeline that a line names once.
class MeasuredReader {
public:
  // Pipelines are looked for in `folders` and then among the samples.
  explicit MeasuredReader(const host::ToolPaths &tools, std::vector<std::string> folders = {});

  // Nothing if the line has no time: the schedule failed.
  Result<std::optional<Measured>> read(const nlohmann::json &line);

private:
  Result<Measured> measuredIn(const nlohmann::json &line);
  Result<pipeline::PipelinePtr> open(const std::string &name);

  std::vector<std::string> m_folders;
  open::PipelineOpener m_opener;
  std::map<std::string, Result<pipeline::PipelinePtr>> m_pipelines;
};

} // namespace tessera::tune
