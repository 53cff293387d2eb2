// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/open.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::times {

// A line of time_bundles: a schedule with its measured times.
struct Measured {
  std::string pipeline, name; // name is that of the case
  schedule::Schedule schedule;
  double milliseconds = 0;
  std::vector<report::KernelReport> compiled; // those kernels that ptxas reported
  std::map<std::string, double> kernels;      // milliseconds, by the stage that owns the blocks
  bool byEvents = false;                      // whether `kernels` includes the overhead of events
};

class MeasuredReader {
public:
  explicit MeasuredReader(const host::ToolPaths &tools);
  // Returns nothing for a line that cannot be read, after a message to standard error, and for a
  // schedule without a time.
  std::optional<Measured> read(const nlohmann::json &line);

private:
  pipeline::PipelinePtr open(const std::string &name);

  const std::string m_samples;
  open::PipelineOpener m_opener;
  std::map<std::string, pipeline::PipelinePtr> m_pipelines;
};

} // namespace tessera::times
