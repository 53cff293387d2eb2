// SPDX-License-Identifier: MIT
#include "engine/halide/verify/interpreted.h"

#include "engine/halide/lowered/interpret.h"
#include "engine/halide/lowered/lower.h"

#include <algorithm>

namespace tessera::halide {

namespace {

using lowered::Run;

lowered::Arguments argumentsOf(const PreparedPipeline &prepared, const RunInputs &inputs,
                               const RunOutputs &outputs) {
  lowered::Arguments arguments;
  for (const auto &[name, input] : inputs.buffers)
    arguments.inputs.emplace(name, input.buffer);
  for (std::size_t i = 0; i < outputs.names.size(); ++i)
    arguments.outputs.emplace(outputs.names[i], outputs.buffers[i].buffer);
  for (std::size_t i = 0; i < prepared.raw.inputs.size(); ++i) {
    const InputSource &input = prepared.raw.inputs[i];
    if (!input.isScalar) continue;
    const Halide::Expr value = scalarFromText(input.type, prepared.estimates.inputs[i].scalar);
    if (value.defined()) arguments.scalars.emplace(input.name, value);
  }
  return arguments;
}

std::string textOf(const std::vector<lowered::Finding> &findings) {
  constexpr std::size_t kTold = 3;
  std::string text = "no GPU has to run this schedule right: ";
  for (std::size_t i = 0; i < std::min(findings.size(), kTold); ++i)
    text += (i ? "; " : "") + lowered::textOf(findings[i]);
  if (findings.size() > kTold)
    text += "; and " + std::to_string(findings.size() - kTold) + " findings more";
  return text;
}

void judge(Interpreted &interpreted, const Run &run) {
  const auto fail = [&](Outcome outcome, const std::string &why) {
    interpreted.outcome = outcome;
    interpreted.complaint = why;
  };
  switch (run.end) {
  case Run::End::CheckFailed:
    return fail(Outcome::LaunchError, "the schedule does not run: " + run.complaint);
  case Run::End::TooLong:
    return fail(Outcome::RunTimeout, "the schedule was not interpreted: " + run.complaint);
  case Run::End::NotUnderstood:
    return fail(Outcome::CompileError, "the interpreter cannot run it: " + run.complaint);
  case Run::End::Done:
    if (!run.findings.empty()) fail(Outcome::LaunchError, textOf(run.findings));
  }
}

} // namespace

Result<Interpreted> interpretPipeline(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                                      const RunInputs &inputs, const Halide::Target &target) {
  auto outputs = unwrittenOutputs(pipeline, prepared);
  if (!outputs) return outputs.error();
  const Run run =
      lowered::interpret(lowered::lower(pipeline, target), argumentsOf(prepared, inputs, *outputs));
  Interpreted interpreted;
  interpreted.outputs = std::move(*outputs);
  judge(interpreted, run);
  return interpreted;
}

} // namespace tessera::halide
