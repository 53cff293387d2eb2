// SPDX-License-Identifier: MIT
#include "engine/halide/verify/reference_run.h"

#include "engine/halide/compile/extern_functions.h"
#include "engine/halide/compile/float_influence.h"
#include "engine/halide/guard.h"
#include "engine/halide/import/operations.h"
#include "engine/halide/import/promises.h"
#include "engine/report/compare_elements.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera::halide {

namespace {

using pipeline::Drawing;
using report::GivenTolerance;
using report::Verdict;
using report::VerifyReport;

// The ranges that are tried after the usual one, and how they are called.
constexpr std::array<std::pair<Drawing, const char *>, pipeline::kDrawings - 1> kDrawn{
    {{Drawing::Small, "small"},
     {Drawing::Centred, "of both signs"},
     {Drawing::CentredSmall, "small and of both signs"}}};

} // namespace

Result<RunnableReference> ReferenceRun::runnable(ReferenceForm form) const {
  auto loaded = loadPipeline(m_options.import.path, m_options.import.sidecar);
  if (!loaded) return loaded.error();
  if (auto status = applyPromises(loaded->pipeline, m_options.import.promises); !status)
    return status.error();
  form.approximateReciprocals = m_options.approximateReciprocals;
  makeReference(loaded->pipeline, *m_prepared, form);
  return RunnableReference{std::move(loaded->pipeline), form};
}

Status ReferenceRun::run(Drawing drawing) {
  auto inputs = inputsOf(*m_prepared, {m_options.seed, drawing}, m_options.inputs);
  if (!inputs) return inputs.error();
  auto outputs = runPipeline(m_strict.pipeline, *m_prepared, *inputs,
                             referenceTarget(Halide::get_host_target(), m_strict.form));
  if (!outputs) return outputs.error();
  m_inputs = std::move(*inputs);
  m_outputs = std::move(*outputs);
  return Done{};
}

// Whether the verdict on equal outputs would be more than "undecided".
bool ReferenceRun::tellsSomething() const {
  return compare(m_outputs, rulesFor({}), {}).verdict() == Verdict::Equal;
}

// With inputs from another range, an index may be out of bounds: then that range is not taken.
Status ReferenceRun::drawInputs() {
  if (Status usual = run(Drawing::Usual); !usual || tellsSomething()) return usual;
  if (m_inputs.buffers.size() == m_options.inputs.size()) return Done{}; // nothing is random
  RunInputs inputs = m_inputs;
  RunOutputs outputs = m_outputs;
  for (const auto &other : kDrawn) {
    const Status drawn = guarded("the reference", [&] { return run(other.first); });
    if (!drawn || !tellsSomething()) continue;
    m_remarks.push_back("The outputs of the usual random inputs tell nothing, so the random inputs "
                        "are " +
                        std::string(other.second) + ".");
    return Done{};
  }
  m_inputs = std::move(inputs);
  m_outputs = std::move(outputs);
  return Done{};
}

Result<std::shared_ptr<ReferenceRun>>
ReferenceRun::make(const std::shared_ptr<const PreparedPipeline> &prepared,
                   const ReferenceOptions &options) {
  return guarded("the reference", [&]() -> Result<std::shared_ptr<ReferenceRun>> {
    if (Status here = checkLoadedFunctions(prepared->loaded.pipeline); !here) return here.error();
    std::shared_ptr<ReferenceRun> made(new ReferenceRun(prepared, options));
    made->m_floats = floatInfluences(prepared->raw);
    for (const std::string &func : wronglyUpdatedFuncs(prepared->loaded.pipeline))
      made->m_remarks.push_back("Halide 21 computes an update of " + func +
                                " wrongly in every schedule: an element of the tuple is stored "
                                "before another one has read it.");
    made->m_shiftsWide = mayShiftWide(prepared->loaded.pipeline);
    auto strict = made->runnable({});
    if (!strict) return strict.error();
    made->m_strict = std::move(*strict);
    if (Status drawn = made->drawInputs(); !drawn) return drawn.error();
    return made;
  });
}

std::vector<report::ElementRule> ReferenceRun::rulesFor(const GivenTolerance &given) const {
  std::vector<report::ElementRule> rules;
  for (std::size_t i = 0; i < m_outputs.names.size(); ++i) {
    const auto type = toScalarType(m_outputs.buffers[i].buffer.type());
    rules.push_back(elementRuleFor(type, report::ruleFor(type, m_floats[i]), given));
  }
  return rules;
}

VerifyReport ReferenceRun::compare(const RunOutputs &found,
                                   const std::vector<report::ElementRule> &rules,
                                   const std::vector<report::Uncertainty> &uncertainties) const {
  const report::Uncertainty unknown;
  VerifyReport report;
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    const Halide::Buffer<> &expected = m_outputs.buffers[i].buffer;
    report.outputs.push_back(compareElements(
        firstElement(expected), firstElement(found.buffers[i].buffer), layoutOf(expected), rules[i],
        uncertainties.empty() ? unknown : uncertainties[i]));
    report.outputs.back().name = found.names[i];
  }
  return report;
}

Status ReferenceRun::findUncertainty(const std::vector<report::ElementRule> &rules,
                                     const GivenTolerance &given) {
  if (m_uncertainFor == given) return Done{};
  auto loose = runnable({.strict = false, .reversedSums = true, .wideShifts = true});
  if (!loose) return loose.error();
  auto uncertainties = uncertaintyOf(m_strict, *loose, *m_prepared, m_inputs, m_outputs, rules);
  if (!uncertainties) return uncertainties.error();
  m_uncertainties = std::move(*uncertainties);
  m_uncertainFor = given;
  m_otherRuns += static_cast<int>(m_uncertainties.empty() ? 0 : m_uncertainties.front().runs);
  return Done{};
}

Result<VerifyReport> ReferenceRun::judge(const RunOutputs &found, const GivenTolerance &given) {
  const std::vector<report::ElementRule> rules = rulesFor(given);
  VerifyReport report = compare(found, rules, {});
  const bool hasFloats = std::ranges::any_of(
      m_floats, [](report::FloatInfluence one) { return one != report::FloatInfluence::None; });
  if (report.different() && (hasFloats || m_shiftsWide)) {
    const Status asked = guarded("the reference", [&] { return findUncertainty(rules, given); });
    if (!asked) return asked.error();
    report = compare(found, rules, m_uncertainties);
  }
  report.given = given;
  report.remarks = m_remarks;
  if (m_shiftsWide && report.verdict() != Verdict::Equal)
    report.remarks.push_back("The pipeline may shift by as many bits as a type has, or more: the "
                             "result is undefined, and differs on a GPU. Clamp the amount.");
  return report;
}

} // namespace tessera::halide
