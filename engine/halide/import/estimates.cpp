// SPDX-License-Identifier: MIT
#include "engine/halide/import/estimates.h"

#include "engine/halide/import/index_map.h"

#include <algorithm>
#include <set>

namespace tessera::halide {

namespace {

using Halide::Expr;
using pipeline::Estimate;
using pipeline::EstimateSource;
using pipeline::Interval;
namespace ir = Halide::Internal;

constexpr std::int64_t kMaxIndex = 2147483647;

Error refused(const std::string &message, const std::string &hint) {
  return Error{ErrorCode::InputRefused, message, hint, ErrorRemedy::Estimates};
}

std::string syntaxFor(const std::string &name, std::size_t dims) {
  std::string text = "--estimate " + name + "=";
  for (std::size_t i = 0; i < dims; ++i)
    text += i == 0 ? "MIN:EXTENT" : ",MIN:EXTENT";
  return text;
}

std::optional<Interval> rangeOf(std::optional<std::int64_t> min,
                                std::optional<std::int64_t> extent) {
  if (!min || !extent || *extent <= 0 || *min + *extent - 1 > kMaxIndex) return std::nullopt;
  return Interval{*min, *min + *extent - 1};
}

std::optional<std::int64_t> constantOf(const Expr &e) {
  if (!e.defined()) return std::nullopt;
  const auto value = ir::as_const_int(ir::simplify(e));
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

Estimates::Input inputFrom(const InputSource &input, const std::optional<Sidecar> &sidecar) {
  Estimates::Input result;
  result.dims.resize(static_cast<std::size_t>(input.dims), {pipeline::kEverything, {}});
  result.strides.resize(result.dims.size());
  for (int i = 0; input.image.defined() && i < input.dims; ++i) {
    const auto d = static_cast<std::size_t>(i);
    if (const auto range = rangeOf(input.image.dim(i).min(), input.image.dim(i).extent()))
      result.dims[d] = {*range, EstimateSource::File};
    result.strides[d] = input.image.dim(i).stride();
  }
  const SidecarParam *param = sidecar ? sidecar->find(input.name) : nullptr;
  if (!param) return result;
  if (input.isScalar && scalarFromText(input.type, param->estimate).defined()) {
    result.scalar = param->estimate;
    result.scalarSource = EstimateSource::Sidecar;
  }
  for (std::size_t d = 0; d < result.dims.size() && d < param->dims.size(); ++d) {
    const SidecarDim &dim = param->dims[d];
    // A promised size takes precedence over an estimated one.
    const auto range =
        rangeOf(dim.min ? dim.min : dim.minEstimate, dim.extent ? dim.extent : dim.extentEstimate);
    if (range) result.dims[d] = {*range, EstimateSource::Sidecar, dim.extent.has_value()};
    result.strides[d] = dim.stride;
  }
  result.hostAlignment = param->hostAlignment.value_or(0);
  return result;
}

std::vector<Estimate> outputFrom(const ir::Function &function,
                                 const std::optional<Sidecar> &sidecar) {
  std::vector<Estimate> dims(function.args().size(), {pipeline::kEverything, {}});
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::optional<std::int64_t> min, extent;
    for (const ir::Bound &bound : function.schedule().estimates()) {
      if (bound.var != function.args()[d]) continue;
      if (bound.min.defined()) min = constantOf(bound.min);
      if (bound.extent.defined()) extent = constantOf(bound.extent);
    }
    if (const auto range = rangeOf(min, extent)) dims[d] = {*range, EstimateSource::File};
  }
  if (!sidecar) return dims;
  for (const SidecarOutput &output : sidecar->outputs)
    for (std::size_t d = 0; output.name == function.name() && d < dims.size(); ++d) {
      if (d >= output.dims.size()) break;
      if (dims[d].source == EstimateSource::None)
        if (const auto range = rangeOf(output.dims[d].minEstimate, output.dims[d].extentEstimate))
          dims[d] = {*range, EstimateSource::Sidecar};
      dims[d].fixed = dims[d].range.bounded() && output.dims[d].extent == dims[d].range.extent();
      dims[d].fixedMin = output.dims[d].min == dims[d].range.min;
    }
  return dims;
}

Status applyDims(std::vector<Estimate> &dims, const EstimateOverride &user) {
  if (user.dims.empty() && !user.value.empty())
    return refused("estimate for \"" + user.name + "\": it is not a scalar; give a size, not \"" +
                       user.value + "\"",
                   syntaxFor(user.name, dims.size()));
  if (user.dims.size() != dims.size())
    return refused("estimate for \"" + user.name + "\": it has " + std::to_string(dims.size()) +
                       " dimensions, but " + std::to_string(user.dims.size()) + " were given",
                   syntaxFor(user.name, dims.size()));
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (user.dims[d].empty() || user.dims[d].min < -kMaxIndex || user.dims[d].max > kMaxIndex)
      return refused("estimate for \"" + user.name + "\": dimension " + std::to_string(d) +
                         " is empty or beyond 32 bits",
                     syntaxFor(user.name, dims.size()));
    dims[d] = {user.dims[d], EstimateSource::User};
  }
  return Done{};
}

Status applyScalar(Estimates::Input &input, const InputSource &source,
                   const EstimateOverride &user) {
  if (!user.dims.empty())
    return refused("estimate for scalar \"" + user.name + "\": it takes one value, not a size",
                   "--estimate " + user.name + "=VALUE");
  if (!scalarFromText(source.type, user.value).defined())
    return refused("estimate for scalar \"" + user.name + "\": \"" + user.value +
                       "\" is not a value of its type",
                   "--estimate " + user.name + "=VALUE");
  input.scalar = user.value;
  input.scalarSource = EstimateSource::User;
  return Done{};
}

Status apply(Estimates &estimates, const Graph &graph, const EstimateOverride &user) {
  const auto input = graph.inputIndex.find(user.name);
  if (input != graph.inputIndex.end()) {
    const InputSource &source = graph.inputs[input->second];
    Estimates::Input &target = estimates.inputs[input->second];
    return source.isScalar ? applyScalar(target, source, user) : applyDims(target.dims, user);
  }
  for (std::size_t o = 0; o < graph.outputs.size(); ++o)
    if (graph.funcs[graph.outputs[o]].function.name() == user.name)
      return applyDims(estimates.outputs[o], user);
  std::string known;
  for (const InputSource &source : graph.inputs)
    known += " " + source.name;
  for (const std::uint32_t output : graph.outputs)
    known += " " + graph.funcs[output].function.name();
  return refused("estimate for \"" + user.name + "\": no input or output has this name",
                 "Known names:" + known);
}

Status checkOutputs(const Estimates &estimates, const Graph &graph) {
  for (std::size_t o = 0; o < graph.outputs.size(); ++o) {
    const ir::Function &function = graph.funcs[graph.outputs[o]].function;
    for (std::size_t d = 0; d < estimates.outputs[o].size(); ++d)
      if (estimates.outputs[o][d].source == EstimateSource::None)
        return refused("output \"" + function.name() + "\": dimension " + std::to_string(d) + " (" +
                           function.args()[d] + ") has no estimate",
                       "Give its size: " + syntaxFor(function.name(), estimates.outputs[o].size()));
  }
  return Done{};
}

using Values = std::map<std::string, Expr>;

void addMetadata(Values &values, const std::string &name, const std::vector<Estimate> &dims,
                 const std::vector<std::optional<std::int64_t>> &strides) {
  constexpr std::int64_t kUnknown = 0;
  std::int64_t stride = 1; // dense unless a stride is promised
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::string dim = std::to_string(d);
    const bool known = dims[d].source != EstimateSource::None;
    if (d < strides.size()) stride = strides[d].value_or(stride);
    if (stride != kUnknown) values.emplace(name + ".stride." + dim, Expr(static_cast<int>(stride)));
    if (known) {
      values.emplace(name + ".min." + dim, Expr(static_cast<int>(dims[d].range.min)));
      values.emplace(name + ".extent." + dim, Expr(static_cast<int>(dims[d].range.extent())));
    }
    stride = known ? stride * dims[d].range.extent() : kUnknown;
    if (stride > kMaxIndex) stride = kUnknown;
  }
}

Values valuesOf(const Graph &graph, const Estimates &estimates) {
  Values values;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Estimates::Input &input = estimates.inputs[i];
    if (!graph.inputs[i].isScalar)
      addMetadata(values, graph.inputs[i].name, input.dims, input.strides);
    else if (!input.scalar.empty())
      values.emplace(graph.inputs[i].name, scalarFromText(graph.inputs[i].type, input.scalar));
  }
  for (std::size_t o = 0; o < graph.outputs.size(); ++o)
    for (const Halide::Parameter &buffer : graph.funcs[graph.outputs[o]].function.output_buffers())
      addMetadata(values, buffer.name(), estimates.outputs[o], {});
  return values;
}

bool isMetadata(const ir::Variable &v) {
  return (v.param.defined() && v.param.is_buffer()) || v.image.defined();
}

struct FindUnknown : ir::IRVisitor {
  using IRVisitor::visit;
  const ir::Variable *found = nullptr;
  void visit(const ir::Variable *v) override {
    if (!found && (v->param.defined() || v->image.defined())) found = v;
  }
};

bool hasUnknownExtent(const Expr &e) {
  FindUnknown find;
  e.accept(&find);
  return find.found && isMetadata(*find.found);
}

class Substitute : public ir::IRMutator {
public:
  Substitute(const Values &values, UnknownExtents unknown) : m_values(values), m_unknown(unknown) {}

private:
  using IRMutator::visit;

  Expr visit(const ir::Variable *variable) override {
    if (!variable->param.defined() && !variable->image.defined()) return variable;
    const auto value = m_values.find(variable->name);
    return value == m_values.end() ? Expr(variable) : value->second;
  }
  Expr visit(const ir::Min *op) override { return minMax(op); }
  Expr visit(const ir::Max *op) override { return minMax(op); }

  template <typename Op>
  Expr minMax(const Op *op) {
    const Expr a = mutate(op->a), b = mutate(op->b);
    if (m_unknown == UnknownExtents::Ignore && op->type.is_int() && op->type.bits() >= 32) {
      if (hasUnknownExtent(b)) return a;
      if (hasUnknownExtent(a)) return b;
    }
    return a.same_as(op->a) && b.same_as(op->b) ? Expr(op) : Op::make(a, b);
  }

  const Values &m_values;
  UnknownExtents m_unknown;
};

} // namespace

bool Estimates::Input::complete() const {
  return std::all_of(dims.begin(), dims.end(),
                     [](const Estimate &e) { return e.source != EstimateSource::None; });
}

Result<Estimates> collectEstimates(const Graph &graph, const std::optional<Sidecar> &sidecar,
                                   const std::vector<EstimateOverride> &overrides) {
  Estimates estimates;
  for (const InputSource &input : graph.inputs)
    estimates.inputs.push_back(inputFrom(input, sidecar));
  for (const std::uint32_t output : graph.outputs)
    estimates.outputs.push_back(outputFrom(graph.funcs[output].function, sidecar));
  for (const EstimateOverride &user : overrides)
    if (auto status = apply(estimates, graph, user); !status) return status.error();
  if (auto status = checkOutputs(estimates, graph); !status) return status.error();
  return estimates;
}

Graph withEstimates(const Graph &graph, const Estimates &estimates, UnknownExtents unknown) {
  const Values values = valuesOf(graph, estimates);
  Substitute substitute(values, unknown);
  // Halide's lowering also simplifies before it computes bounds. So the same expressions are
  // bounded here, such as x*2 instead of x*3 - x.
  const auto resolve = [&](const Expr &e) { return ir::simplify(substitute.mutate(e)); };
  Graph result = graph;
  for (FuncSource &func : result.funcs)
    for (StageSource &stage : func.stages) {
      for (Expr &arg : stage.args)
        arg = resolve(arg);
      for (Expr &value : stage.values)
        value = resolve(value);
      if (stage.predicate.defined()) stage.predicate = resolve(stage.predicate);
      for (ir::ReductionVariable &variable : stage.reduction) {
        variable.min = ir::simplify(substitute.mutate(variable.min));
        variable.extent = ir::simplify(substitute.mutate(variable.extent));
      }
    }
  for (auto &[key, interval] : result.values) {
    if (interval.has_lower_bound()) interval.min = ir::simplify(substitute.mutate(interval.min));
    if (interval.has_upper_bound()) interval.max = ir::simplify(substitute.mutate(interval.max));
  }
  return result;
}

namespace {

// Finds unknown variables in the indices of loads. In the rest of a value, they do no harm.
class FindUnknownIndex : public ir::IRVisitor {
public:
  const ir::Variable *found = nullptr;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *call) override {
    const bool load = call->call_type == ir::Call::Halide || call->call_type == ir::Call::Image;
    for (const Expr &arg : call->args) {
      if (!load || found) continue;
      FindUnknown find;
      arg.accept(&find);
      found = find.found;
    }
    IRVisitor::visit(call);
  }
};

Error unresolved(const std::string &stage, const ir::Variable &v, const char *where) {
  if (!isMetadata(v))
    return refused(stage + ": " + where + " depends on the scalar \"" + v.name +
                       "\", which has no estimate",
                   "Give an estimate: --estimate " + v.name + "=VALUE");
  const std::string name = v.param.defined() ? v.param.name() : v.image.name();
  const int dims = v.param.defined() ? v.param.dimensions() : v.image.dimensions();
  return refused(stage + ": " + where + " depends on the size of \"" + name + "\" (" + v.name +
                     "), which has no estimate",
                 "Give its size: " + syntaxFor(name, static_cast<std::size_t>(dims)));
}

} // namespace

Status checkResolved(const Graph &graph) {
  for (const FuncSource &func : graph.funcs)
    for (const StageSource &stage : func.stages) {
      const std::string name = graph.stageName(stage);
      FindUnknownIndex loads;
      for (const Expr &e : expressionsOf(stage))
        e.accept(&loads);
      if (loads.found) return unresolved(name, *loads.found, "an index");
      FindUnknown others;
      for (const Expr &arg : stage.args)
        arg.accept(&others);
      if (others.found) return unresolved(name, *others.found, "where it writes");
      for (const ir::ReductionVariable &variable : stage.reduction) {
        variable.min.accept(&others);
        variable.extent.accept(&others);
      }
      if (others.found) return unresolved(name, *others.found, "its reduction domain");
    }
  return Done{};
}

} // namespace tessera::halide
