// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/tune_store.h"
#include "engine/learn/learning_data.h"
#include "engine/learn/schedule_features.h"
#include "engine/machine/machine.h"
#include "engine/open/open.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace tessera::tune {

// What a time was measured with, and of what.
struct MeasuredWith {
  std::string application; // schedules of one application are compared with each other
  std::string commit;      // of the program that measured; empty: not known
  double milliseconds = 0;
  std::map<std::string, double> kernels = {};      // likewise, by the stage that owns the blocks
  std::vector<report::KernelReport> compiled = {}; // what ptxas reported; empty: not known
};

// Makes rows for training of schedules that were measured on one machine. A schedule counts once
// for each application, by its first time.
class LearningRows {
public:
  explicit LearningRows(machine::Machine machine);

  // Returns false, and adds nothing, for a schedule that was added before, that breaks a rule, or
  // whose time is not above 0.
  bool add(const schedule::Schedule &schedule, const MeasuredWith &with);

  std::vector<learn::DataRow> take() { return std::move(m_rows); }
  std::size_t refused() const { return m_refused; } // schedules that cannot be learned from
  std::size_t known() const { return m_known; }     // that were added before

private:
  learn::Predicted predictedFor(const schedule::Schedule &schedule, const MeasuredWith &with,
                                std::span<const report::KernelReport> compiled) const;
  learn::AlgorithmPtr algorithmOf(const std::string &application,
                                  const pipeline::Pipeline &pipeline);

  machine::Machine m_machine;
  learn::ScheduleFeaturizer m_featurizer;
  std::map<std::string, std::set<std::uint64_t>> m_hashes; // by application
  // Funcs that a schedule adds change the algorithm, so an application may have several.
  std::map<std::string, std::vector<learn::AlgorithmPtr>> m_algorithms;
  std::vector<learn::DataRow> m_rows;
  std::size_t m_refused = 0, m_known = 0;
};

// The rows of a tuning's store that are of the pipeline that `request` opens, at all sizes. Each
// machine that the store names is looked up among `tools`. Sizes are an application of their own.
struct StoredRows {
  std::vector<learn::DataRow> rows;
  std::size_t unread = 0; // schedules that cannot be read or break a rule
};
Result<StoredRows> rowsInStore(const TuneStore &store, const open::OpenRequest &request,
                               open::PipelineOpener &opener, const host::ToolPaths &tools,
                               const std::stop_token &stop = {});

} // namespace tessera::tune
