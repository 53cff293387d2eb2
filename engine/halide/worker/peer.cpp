// SPDX-License-Identifier: MIT
#include "engine/halide/worker/peer.h"

#include "engine/halide/worker/fields.h"
#include "engine/halide/worker/request.h"
#include "engine/halide/capture.h"
#include "engine/halide/compile/compile.h"
#include "engine/halide/guard.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <streambuf>
#include <string_view>

namespace tessera::halide {

namespace {

using nlohmann::json;
using pipeline::EstimateSource;
namespace ir = Halide::Internal;

Halide::Expr number(std::int64_t value) { return Halide::Expr(static_cast<int>(value)); }

void setEstimates(Halide::Parameter &parameter, const Estimates::Input &input) {
  if (!parameter.is_buffer()) {
    if (input.scalarSource == EstimateSource::None) return;
    const Halide::Expr value = scalarFromText(parameter.type(), input.scalar);
    if (value.defined()) parameter.set_estimate(value);
    return;
  }
  const std::size_t dims =
      std::min(input.dims.size(), static_cast<std::size_t>(parameter.dimensions()));
  for (std::size_t d = 0; d < dims; ++d) {
    if (input.dims[d].source == EstimateSource::None) continue;
    const auto &range = input.dims[d].range;
    parameter.set_min_constraint_estimate(static_cast<int>(d), number(range.min));
    parameter.set_extent_constraint_estimate(static_cast<int>(d), number(range.extent()));
  }
}

// Autoschedulers read sizes from the pipeline itself. The file contains only the sizes at capture
// time. This function sets the sizes that were derived or requested later.
void setEstimates(const Halide::Pipeline &pipeline, const PreparedPipeline &prepared) {
  std::vector<ir::Function> outputs;
  std::map<std::string, const std::vector<pipeline::Estimate> *> sizes;
  for (std::size_t o = 0; o < prepared.raw.outputs.size(); ++o)
    sizes.emplace(prepared.raw.funcs[prepared.raw.outputs[o]].function.name(),
                  &prepared.estimates.outputs[o]);
  for (Halide::Func output : pipeline.outputs()) {
    outputs.push_back(output.function());
    const auto at = sizes.find(output.name());
    if (at == sizes.end()) continue;
    outputs.back().schedule().estimates().clear();
    for (std::size_t d = 0; d < at->second->size(); ++d) {
      const auto &range = (*at->second)[d].range;
      output.set_estimate(output.args()[d], number(range.min), number(range.extent()));
    }
  }
  for (ir::InferredArgument &argument : ir::infer_arguments(ir::Stmt(), outputs)) {
    const auto at = prepared.raw.inputIndex.find(argument.arg.name);
    if (argument.param.defined() && at != prepared.raw.inputIndex.end())
      setEstimates(argument.param, prepared.estimates.inputs[at->second]);
  }
}

// Hears what an autoscheduler prints to std::cerr, of which there may be much, and keeps the cost
// that it names last.
class CostListener : public std::streambuf {
public:
  CostListener() : m_usual(std::cerr.rdbuf(this)) {}
  ~CostListener() override { std::cerr.rdbuf(m_usual); }
  CostListener(const CostListener &) = delete;
  CostListener &operator=(const CostListener &) = delete;

  std::optional<double> cost() const { return m_cost; }

protected:
  int_type overflow(int_type given) override {
    if (given == '\n')
      endLine();
    else if (m_line.size() < kLongest)
      m_line += traits_type::to_char_type(given);
    return traits_type::not_eof(given);
  }

private:
  static constexpr std::string_view kWords = "Best cost: ";
  static constexpr std::size_t kLongest = 64;

  void endLine() {
    if (m_line.starts_with(kWords)) {
      const double cost = std::strtod(m_line.c_str() + kWords.size(), nullptr);
      if (std::isfinite(cost) && cost > 0) m_cost = cost;
    }
    m_line.clear();
  }

  std::streambuf *m_usual;
  std::string m_line;
  std::optional<double> m_cost;
};

} // namespace

Result<PeerOptions> peerOptionsFrom(const json &fields) {
  auto import = importOptionsFrom(fields);
  if (!import) return import.error();
  PeerOptions options;
  options.import = std::move(*import);
  Fields reader(fields);
  CompileTarget target = CompileTarget::Cuda;
  reader.target(target, "cuda");
  options.forHost = target == CompileTarget::Host;
  reader.number("capability", options.capability, 10, 1000);
  reader.text("library", options.library);
  reader.text("autoscheduler", options.name);
  reader.text("output", options.output);
  for (const auto &[key, value] : {std::pair{"library", &options.library},
                                   {"autoscheduler", &options.name},
                                   {"output", &options.output}})
    if (value->empty()) reader.fail(key, "there");
  reader.texts("parameters", options.parameters);
  if (reader.error) return *reader.error;
  return options;
}

Result<PeerAnswer> schedulePeer(const PreparedPipeline &prepared, const PeerOptions &options,
                                const PhaseCallback &phase) {
  auto loaded = loadPipeline(options.import.path, options.import.sidecar);
  if (!loaded) return loaded.error();
  const auto target =
      halideTarget(options.forHost ? CompileTarget::Host : CompileTarget::Cuda, options.capability);
  if (!target) return target.error();
  PeerAnswer answer;
  const Status scheduled = guarded(options.name, [&]() -> Status {
    Halide::load_plugin(options.library);
    setEstimates(loaded->pipeline, prepared);
    Halide::AutoschedulerParams parameters(options.name);
    for (const auto &[key, value] : options.parameters)
      parameters.extra[key] = value;
    if (phase) phase(options.name + " is looking for a schedule", -1);
    const CostListener listener;
    const auto start = std::chrono::steady_clock::now();
    loaded->pipeline.apply_autoscheduler(*target, parameters);
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    answer.cost = listener.cost();
    return Done{};
  });
  if (!scheduled) return scheduled.error();
  if (auto status = capturePipeline(loaded->pipeline, options.output); !status)
    return status.error();
  return answer;
}

} // namespace tessera::halide
