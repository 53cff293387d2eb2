// SPDX-License-Identifier: MIT
#include "engine/halide/import/missing_estimates.h"

#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/unknown_variables.h"
#include "engine/base/asked.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tessera::halide {

namespace {

using pipeline::Estimate;
using pipeline::EstimateSource;
using pipeline::Interval;
namespace ir = Halide::Internal;

// Extents to begin with: a row, a picture, a picture with channels, and small blocks of more.
std::vector<std::int64_t> usualExtents(std::size_t dims) {
  constexpr std::int64_t kRow = 4096, kSide = 1024, kChannels = 3, kBlock = 64, kSmall = 16,
                         kFew = 4;
  switch (dims) {
  case 1:
    return {kRow};
  case 2:
    return {kSide, kSide};
  case 3:
    return {kSide, kSide, kChannels};
  case 4:
    return {kBlock, kBlock, kBlock, kFew};
  default:
    std::vector<std::int64_t> extents(dims, kFew);
    std::fill_n(extents.begin(), std::min<std::size_t>(dims, 3), kSmall);
    return extents;
  }
}

MissingEstimate usualSize(const std::string &why, const std::string &name,
                          const std::vector<Estimate> &known) {
  MissingEstimate missing{why, {name, {}, {}}, {}};
  const std::vector<std::int64_t> extents = usualExtents(known.size());
  for (std::size_t d = 0; d < known.size(); ++d) {
    const bool isOpen = known[d].source == EstimateSource::None;
    missing.usual.dims.push_back(isOpen ? Interval{0, extents[d] - 1} : known[d].range);
  }
  return missing;
}

MissingEstimate usualValue(const std::string &why, const std::string &name,
                           const Estimates::Input &scalar) {
  return {why,
          {name, {}, scalar.usualScalars.front()},
          {scalar.usualScalars.begin() + 1, scalar.usualScalars.end()}};
}

// `subject` says what needs the size of the func or input `name`.
std::optional<MissingEstimate> missingSize(const std::string &subject, const std::string &name,
                                           const std::vector<std::string> &args,
                                           const std::vector<Estimate> &dims) {
  std::string without;
  std::size_t count = 0, last = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].source != EstimateSource::None) continue;
    without += (count++ == 0 ? "" : ", ") + args[d];
    last = d;
  }
  if (count == 0) return std::nullopt;
  const std::string what =
      count == 1 ? "dimension " + std::to_string(last) + " (" + without + ") has no estimate"
                 : "the dimensions " + without + " have no estimates";
  return usualSize(subject + ": " + what, name, dims);
}

// Asks for what extern stages read, unless other stages read it as well: then at least that is
// known of it.
void addHanded(std::vector<MissingEstimate> &missing, const Graph &graph,
               const Estimates &estimates) {
  const std::set<std::string> known = readOtherwise(graph);
  const auto add = [&](const FuncSource &reader, const std::string &read,
                       const std::vector<std::string> &args, const std::vector<Estimate> &dims) {
    const std::string subject = "\"" + read + "\" is read by the extern stage \"" +
                                reader.function.name() +
                                "\", and only its function knows how much of it";
    if (auto one = missingSize(subject, read, args, dims)) addMissing(missing, {std::move(*one)});
  };
  for (const FuncSource &reader : graph.funcs)
    for (const std::string &read : reader.handed) {
      if (const auto input = graph.inputIndex.find(read); input != graph.inputIndex.end()) {
        const std::vector<Estimate> &dims = estimates.inputs[input->second].dims;
        std::vector<std::string> numbers;
        for (std::size_t d = 0; d < dims.size(); ++d)
          numbers.push_back(std::to_string(d));
        add(reader, read, numbers, dims);
      } else if (const auto func = graph.funcIndex.find(read);
                 func != graph.funcIndex.end() && !known.contains(read)) {
        const auto dims = estimates.handed.find(func->second);
        if (dims != estimates.handed.end())
          add(reader, read, graph.funcs[func->second].function.args(), dims->second);
      }
    }
}

// Finds unknown variables in the indices of loads. In the rest of a value, they do no harm.
class UnknownIndices : public ir::IRVisitor {
public:
  UnknownVariables unknown;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *call) override {
    if (call->call_type == ir::Call::Halide || call->call_type == ir::Call::Image)
      for (const Halide::Expr &arg : call->args)
        arg.accept(&unknown);
    IRVisitor::visit(call);
  }
};

class Inside {
public:
  Inside(const Graph &graph, const Estimates &estimates) : m_graph(graph), m_estimates(estimates) {}

  void addStage(const StageSource &stage) {
    const std::string name = m_graph.stageName(stage);
    UnknownIndices loads;
    for (const Halide::Expr &e : expressionsOf(stage))
      e.accept(&loads);
    add(name + ": an index", loads.unknown);
    UnknownVariables places, domain;
    for (const Halide::Expr &arg : stage.args)
      arg.accept(&places);
    add(name + ": where it writes", places);
    for (const ir::ReductionVariable &variable : stage.reduction) {
      variable.min.accept(&domain);
      variable.extent.accept(&domain);
    }
    add(name + ": its reduction domain", domain);
  }

  std::vector<MissingEstimate> take() { return std::move(m_missing); }

private:
  void add(const std::string &what, const UnknownVariables &unknown) {
    for (const ir::Variable *v : unknown.found)
      addMissing(m_missing, {isMetadata(*v) ? sizeOf(what, *v) : scalarOf(what, *v)});
  }

  MissingEstimate scalarOf(const std::string &what, const ir::Variable &v) const {
    const std::string why =
        what + " depends on the scalar \"" + v.name + "\", which has no estimate";
    const auto input = m_graph.inputIndex.find(v.name);
    return input == m_graph.inputIndex.end()
               ? MissingEstimate{why, {v.name, {}, "1"}, {}}
               : usualValue(why, v.name, m_estimates.inputs[input->second]);
  }

  MissingEstimate sizeOf(const std::string &what, const ir::Variable &v) const {
    const std::string name = v.param.defined() ? v.param.name() : v.image.name();
    const int dims = v.param.defined() ? v.param.dimensions() : v.image.dimensions();
    std::vector<Estimate> known(static_cast<std::size_t>(dims), {pipeline::kEverything, {}});
    if (const auto input = m_graph.inputIndex.find(name); input != m_graph.inputIndex.end())
      known = m_estimates.inputs[input->second].dims;
    return usualSize(what + " depends on the size of \"" + name + "\" (" + v.name +
                         "), which has no estimate",
                     name, known);
  }

  const Graph &m_graph;
  const Estimates &m_estimates;
  std::vector<MissingEstimate> m_missing;
};

Asked optionFor(const EstimateOverride &estimate) {
  std::string value = estimate.name + "=" + estimate.value;
  for (std::size_t d = 0; d < estimate.dims.size(); ++d)
    value += (d == 0 ? "" : ",") + std::to_string(estimate.dims[d].min) + ":" +
             std::to_string(estimate.dims[d].extent());
  return {"estimate", value};
}

} // namespace

void addMissing(std::vector<MissingEstimate> &missing, std::vector<MissingEstimate> more) {
  for (MissingEstimate &one : more) {
    const bool isKnown = std::ranges::any_of(
        missing, [&](const MissingEstimate &other) { return other.usual.name == one.usual.name; });
    if (!isKnown) missing.push_back(std::move(one));
  }
}

std::vector<MissingEstimate> missingOfOutputs(const Graph &graph, const Estimates &estimates) {
  std::vector<MissingEstimate> missing;
  for (std::size_t o = 0; o < graph.outputs.size(); ++o) {
    const ir::Function &output = graph.funcs[graph.outputs[o]].function;
    if (auto one = missingSize("output \"" + output.name() + "\"", output.name(), output.args(),
                               estimates.outputs[o]))
      missing.push_back(std::move(*one));
  }
  addHanded(missing, graph, estimates);
  if (!missing.empty())
    addMissing(missing, missingInside(withEstimates(graph, estimates, UnknownExtents::Ignore),
                                      graph, estimates));
  return missing;
}

std::vector<MissingEstimate> missingInside(const Graph &substituted, const Graph &graph,
                                           const Estimates &estimates) {
  Inside inside(graph, estimates);
  for (const FuncSource &func : substituted.funcs)
    for (const StageSource &stage : func.stages)
      inside.addStage(stage);
  return inside.take();
}

std::vector<MissingEstimate> missingScalars(const Graph &graph, const Estimates &estimates,
                                            ScalarsFor purpose) {
  std::vector<MissingEstimate> missing;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const InputSource &input = graph.inputs[i];
    const bool isNeeded =
        purpose == ScalarsFor::Bounds ? !input.type.is_float() : !input.type.is_handle();
    if (!input.isScalar || !isNeeded || !input.isUsed || !estimates.inputs[i].scalar.empty())
      continue;
    missing.push_back(usualValue("the scalar \"" + input.name + "\" has no estimate", input.name,
                                 estimates.inputs[i]));
  }
  return missing;
}

Error askingFor(const std::vector<MissingEstimate> &missing, const std::string &cause) {
  Error error{ErrorCode::InputRefused, cause, "", ErrorRemedy::Estimates};
  for (const MissingEstimate &one : missing) {
    error.message += (error.message.empty() ? "" : "; ") + one.why;
    ask(error.asked, optionFor(one.usual));
  }
  error.hint = (missing.size() == 1 ? "Give it, at your size: " : "Give them, at your sizes: ") +
               commandWords(error.asked);
  return error;
}

} // namespace tessera::halide
