// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/other_runs.h"
#include "engine/halide/verify/realize.h"
#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/pipeline/random_number.h"
#include "engine/report/element_rule.h"
#include "engine/report/verify_report.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

// What a reference is made of.
struct ReferenceOptions {
  ImportOptions import;
  std::uint64_t seed = 1;
  std::vector<InputFile> inputs;       // inputs without a file are random by `seed`
  bool approximateReciprocals = false; // as in ReferenceForm
};

// A pipeline under given sizes, its inputs and its expected outputs: the same pipeline on the host,
// with every func in memory of its own. Judges what schedules of it compute.
class ReferenceRun {
public:
  // Runs the reference. Random inputs are drawn from another range where the outputs of the usual
  // one would tell nothing, such as all NaN; if none helps, the report's verdict says so.
  static Result<std::shared_ptr<ReferenceRun>>
  make(const std::shared_ptr<const PreparedPipeline> &prepared, const ReferenceOptions &options);

  const PreparedPipeline &prepared() const { return *m_prepared; }
  const RunInputs &inputs() const { return m_inputs; }
  const RunOutputs &outputs() const { return m_outputs; }

  // Compares the outputs of a schedule. Where they differ by more than the tolerance, asks first
  // how sure the reference is: the first time, that takes five runs more.
  Result<report::VerifyReport> judge(const RunOutputs &found,
                                     const report::GivenTolerance &given = {});
  int otherRuns() const { return m_otherRuns; } // runs that were made for uncertainties

private:
  ReferenceRun(std::shared_ptr<const PreparedPipeline> prepared, ReferenceOptions options)
      : m_prepared(std::move(prepared)), m_options(std::move(options)) {}

  Result<RunnableReference> runnable(ReferenceForm form) const;
  Status run(pipeline::Drawing drawing);
  Status drawInputs();
  bool tellsSomething() const;
  std::vector<report::ElementRule> rulesFor(const report::GivenTolerance &given) const;
  Status findUncertainty(const std::vector<report::ElementRule> &rules,
                         const report::GivenTolerance &given);
  report::VerifyReport compare(const RunOutputs &found,
                               const std::vector<report::ElementRule> &rules,
                               const std::vector<report::Uncertainty> &uncertainties) const;

  std::shared_ptr<const PreparedPipeline> m_prepared;
  ReferenceOptions m_options;
  RunnableReference m_strict;
  RunInputs m_inputs;
  RunOutputs m_outputs;
  std::vector<report::FloatInfluence> m_floats; // for each output
  bool m_shiftsWide = false;                    // see mayShiftWide()
  std::vector<std::string> m_remarks;
  std::optional<report::GivenTolerance> m_uncertainFor; // the tolerance that m_uncertainties is for
  std::vector<report::Uncertainty> m_uncertainties;
  int m_otherRuns = 0;
};

} // namespace tessera::halide
