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

// Reads such lines. It opens the sample that a line names once.
class MeasuredReader {
public:
  explicit MeasuredReader(const host::ToolPaths &tools);

  // Nothing if the line has no time: the schedule failed.
  Result<std::optional<Measured>> read(const nlohmann::json &line);

private:
  Result<Measured> measuredIn(const nlohmann::json &line);
  Result<pipeline::PipelinePtr> open(const std::string &name);

  const std::string m_samples;
  open::PipelineOpener m_opener;
  std::map<std::string, Result<pipeline::PipelinePtr>> m_pipelines;
};

} // namespace tessera::tune
