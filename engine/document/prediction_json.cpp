// SPDX-License-Identifier: MIT
#include "engine/document/prediction_json.h"

#include "engine/cost/stage_seconds.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tessera::document {

namespace {

using cost::Limiter;
using cost::Prediction;
using cost::StageLoad;
using nlohmann::ordered_json;
using pipeline::Pipeline;

ordered_json fieldsOf(const StageLoad &stage, const Pipeline &pipeline) {
  return {{"stage", pipeline.stageName(stage.stage)},
          {"threads", stage.threads},
          {"warps", stage.warps},
          {"bodies", stage.bodies},
          {"points", stage.points},
          {"fp32", stage.arithmetic.fp32},
          {"fp64", stage.arithmetic.fp64},
          {"fp16", stage.arithmetic.fp16},
          {"integer", stage.arithmetic.integer},
          {"integer_products", stage.arithmetic.products},
          {"special", stage.arithmetic.special},
          {"rows", stage.rows},
          {"loads", stage.loads},
          {"stores", stage.stores},
          {"shared_accesses", stage.sharedAccesses},
          {"local_accesses", stage.localAccesses},
          {"cache_lines", stage.lines},
          {"shared_passes", stage.sharedPasses},
          {"l2_bytes", stage.l2Bytes},
          {"store_bytes", stage.storeBytes},
          {"values_held", stage.held},
          {"values_live", stage.live}};
}

ordered_json fieldsOf(const Prediction::Kernel &kernel, const Pipeline &pipeline) {
  const auto &[load, time] = kernel;
  ordered_json parts;
  for (int l = 0; l < cost::kLimiters; ++l)
    parts[std::string(name(static_cast<Limiter>(l)))] =
        time.parts[static_cast<std::size_t>(l)] * 1e3;
  auto stages = ordered_json::array();
  const std::vector<double> seconds = cost::stageSecondsOf(kernel);
  for (std::size_t i = 0; i < load.stages.size(); ++i) {
    stages.push_back(fieldsOf(load.stages[i], pipeline));
    stages.back()["predicted_ms"] = seconds[i] * 1e3;
  }
  return {{"kernel", pipeline.stageName(load.stage)},
          {"predicted_ms", time.seconds * 1e3},
          {"limiter", name(time.limiter)},
          {"parts_ms", std::move(parts)},
          {"launches", load.launches},
          {"blocks", load.blocks},
          {"threads", load.blockThreads},
          {"shared_bytes", load.sharedBytes},
          {"dram_bytes", load.dramBytes},
          {"registers", time.registers},
          {"registers_spilled", time.spilled},
          {"occupancy", time.occupancy.fraction},
          {"occupancy_limited_by", name(time.occupancy.limiting)},
          {"waves", time.waves},
          {"stages", std::move(stages)}};
}

} // namespace

ordered_json toJson(const Prediction &prediction, const schedule::Schedule &schedule,
                    const machine::Machine &machine) {
  auto kernels = ordered_json::array();
  for (const Prediction::Kernel &kernel : prediction.kernels)
    kernels.push_back(fieldsOf(kernel, *schedule.pipeline()));
  ordered_json json{{"pipeline", schedule.base()->name()},
                    {"machine", machine.name},
                    {"predicted_ms", prediction.milliseconds()},
                    {"register_cap", schedule.settings().registerCap},
                    {"from_dram", prediction.fromDram},
                    {"kernels", std::move(kernels)}};
  if (const std::string unknown = cost::unknownTimes(*schedule.pipeline()); !unknown.empty())
    json["unknown"] = unknown;
  return json;
}

} // namespace tessera::document
