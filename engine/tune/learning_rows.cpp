// SPDX-License-Identifier: MIT
#include "engine/tune/learning_rows.h"

#include "engine/tune/tune_proposer.h"
#include "engine/bench/measurement.h"
#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/host/trust.h"
#include "engine/learn/algorithm_features.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

namespace tessera::tune {

namespace {

using nlohmann::json;

// The sizes of a context, which open::estimateFields() wrote. Members for inputs and tolerances are
// no sizes. Nothing if the text is damaged.
std::optional<std::vector<open::EstimateOverride>> sizesIn(const std::string &text) {
  const json fields = json::parse(text, nullptr, false);
  if (!fields.is_array()) return std::nullopt;
  std::vector<open::EstimateOverride> sizes;
  try {
    for (const json &field : fields) {
      if (!field.contains("name")) continue;
      open::EstimateOverride size;
      size.name = field["name"].get<std::string>();
      if (field.contains("value")) size.scalar = field["value"].get<std::string>();
      for (const json &dim : field.value("dims", json::array())) {
        const auto min = dim.at("min").get<std::int64_t>();
        const auto extent = dim.at("extent").get<std::int64_t>();
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        if (min < -kMost || min > kMost || extent < 0 || extent > kMost) return std::nullopt;
        size.dims.push_back({min, min + extent - 1});
      }
      sizes.push_back(std::move(size));
    }
  } catch (const json::exception &) {
    return std::nullopt;
  }
  return sizes;
}

std::string applicationOf(const StoredContext &stored,
                          const std::vector<open::EstimateOverride> &sizes) {
  std::string name = stored.context.pipeline;
  for (const open::EstimateOverride &size : sizes)
    name += " " + open::textOf(size);
  return name;
}

// "0.1.0 (5c2f0a91b3d4)" of a measurement; empty if it has none.
std::string programOf(const TunedCandidate &candidate) {
  const json measurement = json::parse(candidate.measurement, nullptr, false);
  const auto found = measurement.is_object() ? measurement.find("program") : measurement.end();
  return found != measurement.end() && found->is_string() ? found->get<std::string>() : "";
}

// What is known of a candidate: its time, those of its kernels, and what ptxas reported.
MeasuredWith measuredWith(const TunedCandidate &candidate, const std::string &application) {
  MeasuredWith with{.application = application,
                    .commit = programOf(candidate),
                    .milliseconds = *candidate.seconds * 1e3,
                    .kernels = {},
                    .compiled = {}};
  const auto report = report::compileReportFromJson(json::parse(candidate.report, nullptr, false));
  if (!report) return with;
  with.compiled = report->kernels;
  const auto measurement =
      bench::measurementFromJson(json::parse(candidate.measurement, nullptr, false));
  if (!measurement) return with;
  for (const auto &[stage, seconds] : secondsByStage(*report, *measurement))
    with.kernels[nameOf(stage)] += seconds * 1e3;
  return with;
}

// Adds the measured candidates of a context. Returns how many could not be read.
Result<std::size_t> addContext(const TuneStore &store, const StoredContext &stored,
                               const pipeline::PipelinePtr &pipeline,
                               const std::string &application, LearningRows &rows) {
  const auto candidates = store.candidates(stored.id);
  if (!candidates) return candidates.error();
  std::size_t unread = 0;
  for (const TunedCandidate &candidate : *candidates) {
    if (!candidate.seconds || *candidate.seconds <= 0) continue;
    const auto schedule = schedule::scheduleFromJsonText(pipeline, candidate.schedule);
    if (schedule)
      rows.add(*schedule, measuredWith(candidate, application));
    else
      ++unread;
  }
  return unread + rows.refused();
}

} // namespace

LearningRows::LearningRows(machine::Machine machine)
    : m_machine(std::move(machine)), m_featurizer(m_machine) {}

bool LearningRows::add(const schedule::Schedule &schedule, const MeasuredWith &with) {
  if (!m_hashes[with.application].insert(schedule.hash()).second) {
    ++m_known;
    return false;
  }
  if (with.milliseconds <= 0 || !schedule::isLegal(schedule, m_machine)) {
    ++m_refused;
    return false;
  }
  learn::DataRow row{.application = with.application,
                     .hash = std::to_string(schedule.hash()),
                     .machine = m_machine.title,
                     .commit = with.commit,
                     .predicted = predictedFor(schedule, with, {}),
                     .compiled = {},
                     .sample = {}};
  if (!with.compiled.empty()) row.compiled = predictedFor(schedule, with, with.compiled);
  row.sample.algorithm = algorithmOf(with.application, *schedule.pipeline());
  row.sample.stages = m_featurizer.of(schedule);
  row.sample.milliseconds = with.milliseconds;
  row.sample.cores = m_machine.multiprocessors;
  m_rows.push_back(std::move(row));
  return true;
}

learn::Predicted LearningRows::predictedFor(const schedule::Schedule &schedule,
                                            const MeasuredWith &with,
                                            std::span<const report::KernelReport> compiled) const {
  const cost::Prediction prediction = cost::predict(schedule, m_machine, compiled);
  learn::Predicted predicted{.milliseconds = prediction.milliseconds(), .kernels = {}};
  for (const auto &[load, time] : prediction.kernels) {
    learn::KernelRow kernel{.features = learn::kernelFeaturesOf(load, time, prediction.fromDram,
                                                                !compiled.empty(), m_machine),
                            .predicted = time.seconds * 1e3,
                            .measured = 0};
    const auto known = with.kernels.find(schedule.pipeline()->stageName(load.stage));
    if (known != with.kernels.end()) // what is predicted includes the gap to the next kernel
      kernel.measured = known->second + load.launches * cost::TimeConstants().gap * 1e3;
    else if (prediction.kernels.size() == 1) // the rest of the time is the launch
      kernel.measured = with.milliseconds * time.seconds / prediction.seconds;
    predicted.kernels.push_back(kernel);
  }
  return predicted;
}

learn::AlgorithmPtr LearningRows::algorithmOf(const std::string &application,
                                              const pipeline::Pipeline &pipeline) {
  std::vector<learn::AlgorithmFeatures> features = learn::algorithmFeatures(pipeline);
  std::vector<learn::AlgorithmPtr> &known = m_algorithms[application];
  const auto same =
      std::ranges::find_if(known, [&](const learn::AlgorithmPtr &one) { return *one == features; });
  if (same != known.end()) return *same;
  known.push_back(
      std::make_shared<const std::vector<learn::AlgorithmFeatures>>(std::move(features)));
  return known.back();
}

Result<StoredRows> rowsInStore(const TuneStore &store, const open::OpenRequest &request,
                               open::PipelineOpener &opener, const host::ToolPaths &tools,
                               const std::stop_token &stop) {
  const auto opened = opener.open(request, stop);
  if (!opened) return opened.error();
  const auto hash = host::fileHash(opened->file.pipeline);
  if (!hash) return hash.error();
  const auto contexts = store.contexts();
  if (!contexts) return contexts.error();
  StoredRows all;
  for (const StoredContext &stored : *contexts) {
    if (stored.context.pipelineSha256 != *hash) continue;
    const auto sizes = sizesIn(stored.context.estimates);
    if (!sizes)
      return Error{ErrorCode::InputRefused,
                   "The store's sizes of '" + stored.context.pipeline + "' are damaged.", ""};
    const auto machine = host::machineFor(stored.context.machine, tools);
    if (!machine) return machine.error();
    open::OpenRequest atSizes = request;
    for (const open::EstimateOverride &size : *sizes)
      open::setEstimate(atSizes, size);
    const auto sized = opener.open(atSizes, stop);
    if (!sized) return sized.error();
    LearningRows rows(*machine);
    const auto unread =
        addContext(store, stored, sized->pipeline, applicationOf(stored, *sizes), rows);
    if (!unread) return unread.error();
    all.unread += *unread;
    std::ranges::move(rows.take(), std::back_inserter(all.rows));
  }
  return all;
}

} // namespace tessera::tune
