// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/scheduled.h"

#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/sketch.h"

#include <stdexcept>

namespace tessera::schedule::testing {

using pipeline::FuncId;
using pipeline::StageId;

Schedule scheduled(const pipeline::PipelinePtr &pipeline, std::string_view directives) {
  auto schedule = raise(pipeline, sketch(directives));
  if (!schedule) throw std::invalid_argument(schedule.error().message);
  return std::move(*schedule);
}

Schedule scheduled(std::string_view pipeline, std::string_view directives) {
  return scheduled(pipeline::test::sketch(pipeline), directives);
}

std::string loweredText(const Schedule &schedule) { return sketchText(lower(schedule)); }

FuncId funcOf(const Schedule &schedule, std::string_view name) {
  const auto funcs = schedule.pipeline()->funcs();
  for (std::size_t f = 0; f < funcs.size(); ++f)
    if (funcs[f].name == name) return static_cast<FuncId>(f);
  throw std::invalid_argument("no func " + std::string(name));
}

StageId stageOf(const Schedule &schedule, std::string_view name) {
  for (std::size_t s = 0; s < schedule.pipeline()->stages().size(); ++s)
    if (schedule.pipeline()->stageName(static_cast<StageId>(s)) == name)
      return static_cast<StageId>(s);
  throw std::invalid_argument("no stage " + std::string(name));
}

const FuncPlan &planOf(const Schedule &schedule, std::string_view func) {
  return schedule.plan(funcOf(schedule, func));
}

Schedule withEdit(const Schedule &schedule, const Edit &edit, Origin origin) {
  KnownLegality legality{machine::Machine{}};
  return applied(schedule, edit, origin, legality).schedule;
}

std::string textOf(const LoopNest &nest) {
  const auto word = [](LoopRef ref) {
    return std::to_string(ref.axis) + "." + std::to_string(ref.part);
  };
  std::string text;
  for (std::size_t a = 0; a < nest.axes.size(); ++a) {
    text += (a == 0 ? "" : " ") + std::to_string(a);
    for (std::size_t i = 0; i < nest.axes[a].fused.size(); ++i)
      text += (i == 0 ? "=" : "+") + word(nest.axes[a].fused[i]);
    for (const Split &split : nest.axes[a].splits)
      text += "/" + std::to_string(split.factor);
  }
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    text += (l == 0 ? " : " : ", ") + word(nest.loops[l].ref);
    if (nest.loops[l].kind != LoopKind::Serial) text += " " + std::string(name(nest.loops[l].kind));
  }
  return text + (nest.singleThread ? " single" : "");
}

} // namespace tessera::schedule::testing
