// SPDX-License-Identifier: MIT
#include "engine/halide/import/estimates.h"

#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/unknown_variables.h"
#include "engine/base/asked.h"

#include <algorithm>

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
  std::string value = name + "=";
  for (std::size_t i = 0; i < dims; ++i)
    value += i == 0 ? "MIN:EXTENT" : ",MIN:EXTENT";
  return commandWords({{"estimate", value}});
}

std::optional<Interval> rangeOf(std::optional<std::int64_t> min,
                                std::optional<std::int64_t> extent) {
  if (!min || !extent || *extent <= 0 || *min + *extent - 1 > kMaxIndex) return std::nullopt;
  return Interval{*min, *min + *extent - 1};
}

bool isKnown(const Estimate &dim) { return dim.source != EstimateSource::None; }

std::optional<std::int64_t> constantOf(const Expr &e) {
  if (!e.defined()) return std::nullopt;
  const auto value = ir::as_const_int(ir::simplify(e));
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

// Values to begin with where nothing is known of a scalar: its default, else some between its
// limits. The first of them is a usual count, offset or index; a factor may have to be smaller.
std::vector<std::string> usualScalars(const Halide::Type &type, const SidecarParam *param) {
  if (param && scalarFromText(type, param->defaultValue).defined()) return {param->defaultValue};
  if (type.is_bool()) return {"1"};
  if (type.is_float()) return {"1", "4", "0.5"};
  const auto limit = [&](const std::string SidecarParam::*member) {
    return param ? constantOf(scalarFromText(type, param->*member)) : std::nullopt;
  };
  std::vector<std::string> values;
  for (const std::int64_t usual : {100, 16, 1}) {
    const std::int64_t most = limit(&SidecarParam::maxValue).value_or(usual);
    const std::int64_t least = limit(&SidecarParam::minValue).value_or(std::min(usual, most));
    const std::string value = std::to_string(std::max(least, std::min(usual, most)));
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

Estimates::Input inputFrom(const InputSource &input, const std::optional<Sidecar> &sidecar) {
  Estimates::Input result;
  result.dims.resize(static_cast<std::size_t>(input.dims), {pipeline::kEverything, {}});
  result.strides.resize(result.dims.size());
  result.promised.resize(result.dims.size());
  for (int i = 0; input.image.defined() && i < input.dims; ++i) {
    const auto d = static_cast<std::size_t>(i);
    result.promised[d] = {input.image.dim(i).min(), input.image.dim(i).extent()};
    if (const auto range = rangeOf(input.image.dim(i).min(), input.image.dim(i).extent()))
      result.dims[d] = {*range, EstimateSource::File};
    result.strides[d] = input.image.dim(i).stride();
  }
  const SidecarParam *param = sidecar ? sidecar->find(input.name) : nullptr;
  if (input.isScalar) result.usualScalars = usualScalars(input.type, param);
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
    if (range) result.dims[d] = {*range, EstimateSource::Sidecar};
    result.strides[d] = dim.stride;
    result.promised[d] = {dim.min, dim.extent};
  }
  result.hostAlignment = param->hostAlignment.value_or(0);
  return result;
}

// The range that the last of the bounds of a variable has, if it is constant.
std::optional<Interval> boundOf(const std::vector<ir::Bound> &bounds, const std::string &variable) {
  std::optional<std::int64_t> min, extent;
  for (const ir::Bound &bound : bounds) {
    if (bound.var != variable) continue;
    if (bound.min.defined()) min = constantOf(bound.min);
    if (bound.extent.defined()) extent = constantOf(bound.extent);
  }
  return rangeOf(min, extent);
}

void addFromSidecar(std::vector<Estimate> &dims, const std::string &name, const Sidecar &sidecar) {
  for (const SidecarOutput &output : sidecar.outputs)
    for (std::size_t d = 0; output.name == name && d < dims.size() && d < output.dims.size(); ++d) {
      const SidecarDim &dim = output.dims[d];
      const auto range = rangeOf(dim.min ? dim.min : dim.minEstimate,
                                 dim.extent ? dim.extent : dim.extentEstimate);
      if (range && !isKnown(dims[d])) dims[d] = {*range, EstimateSource::Sidecar};
    }
}

std::vector<Estimate> outputFrom(const ir::Function &function,
                                 const std::optional<Sidecar> &sidecar) {
  std::vector<Estimate> dims(function.args().size(), {pipeline::kEverything, {}});
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (const auto range = boundOf(function.schedule().estimates(), function.args()[d]))
      dims[d] = {*range, EstimateSource::File};
  if (sidecar) addFromSidecar(dims, function.name(), *sidecar);
  // What is computed of a bounded dimension is known without an estimate.
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (const auto range = boundOf(function.schedule().bounds(), function.args()[d]);
        range && !isKnown(dims[d]))
      dims[d] = {*range, EstimateSource::File};
  return dims;
}

// What the file says of a func that an extern stage reads: an estimate, or a bound.
std::vector<Estimate> handedFrom(const ir::Function &function) {
  std::vector<Estimate> dims = outputFrom(function, std::nullopt);
  for (const ir::Bound &bound : function.schedule().bounds())
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (const auto range = rangeOf(constantOf(bound.min), constantOf(bound.extent));
          range && bound.var == function.args()[d] && !isKnown(dims[d]))
        dims[d] = {*range, EstimateSource::File};
  return dims;
}

std::vector<PromisedDim> promisedOf(const ir::Function &output,
                                    const std::optional<Sidecar> &sidecar) {
  std::vector<PromisedDim> promised(output.args().size());
  if (!sidecar) return promised;
  for (const SidecarOutput &one : sidecar->outputs)
    for (std::size_t d = 0; one.name == output.name() && d < promised.size(); ++d)
      if (d < one.dims.size()) promised[d] = {one.dims[d].min, one.dims[d].extent};
  return promised;
}

// Marks the estimates that are what the generator promises.
void markPromised(Estimates &estimates) {
  for (Estimates::Input &input : estimates.inputs)
    for (std::size_t d = 0; d < input.dims.size(); ++d)
      input.dims[d].fixed =
          isKnown(input.dims[d]) && input.promised[d].extent == input.dims[d].range.extent();
  for (std::size_t o = 0; o < estimates.outputs.size(); ++o)
    for (std::size_t d = 0; d < estimates.outputs[o].size(); ++d) {
      Estimate &dim = estimates.outputs[o][d];
      const PromisedDim &promised = estimates.promisedOutputs[o][d];
      dim.fixed = isKnown(dim) && promised.extent == dim.range.extent();
      dim.fixedMin = isKnown(dim) && promised.min == dim.range.min;
    }
}

// A single number is the size of a buffer of one dimension.
EstimateOverride asSize(EstimateOverride user) {
  const Expr extent = scalarFromText(Halide::Int(32), user.value);
  if (user.dims.empty() && extent.defined() && *ir::as_const_int(extent) > 0)
    user = {user.name, {{0, *ir::as_const_int(extent) - 1}}, ""};
  return user;
}

Status applyDims(std::vector<Estimate> &dims, const EstimateOverride &given) {
  const EstimateOverride user = dims.size() == 1 ? asSize(given) : given;
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
                   commandWords({{"estimate", user.name + "=VALUE"}}));
  if (!scalarFromText(source.type, user.value).defined())
    return refused("estimate for scalar \"" + user.name + "\": \"" + user.value +
                       "\" is not a value of its type",
                   commandWords({{"estimate", user.name + "=VALUE"}}));
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
  for (auto &[func, dims] : estimates.handed)
    if (graph.funcs[func].function.name() == user.name) return applyDims(dims, user);
  std::string known;
  for (const InputSource &source : graph.inputs)
    known += " " + source.name;
  for (const std::uint32_t output : graph.outputs)
    known += " " + graph.funcs[output].function.name();
  for (const auto &[func, dims] : estimates.handed)
    known += " " + graph.funcs[func].function.name();
  return refused("estimate for \"" + user.name + "\": no input or output has this name",
                 "Known names:" + known);
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

bool hasUnknownExtent(const Expr &e) {
  UnknownVariables find;
  e.accept(&find);
  return !find.found.empty() && isMetadata(*find.found.front());
}

// The operation that a strict one performs. Halide's simplifier leaves strict operations alone,
// even of constants, so that a bound that is constant would not look so.
Expr plainOperation(const ir::Call &strict) {
  const Expr &a = strict.args[0], &b = strict.args[1];
  using ir::Call;
  if (strict.is_intrinsic(Call::strict_add)) return a + b;
  if (strict.is_intrinsic(Call::strict_sub)) return a - b;
  if (strict.is_intrinsic(Call::strict_mul)) return a * b;
  if (strict.is_intrinsic(Call::strict_div)) return a / b;
  if (strict.is_intrinsic(Call::strict_min)) return min(a, b);
  if (strict.is_intrinsic(Call::strict_max)) return max(a, b);
  if (strict.is_intrinsic(Call::strict_lt)) return a < b;
  if (strict.is_intrinsic(Call::strict_le)) return a <= b;
  return a == b;
}

// Puts the estimates in, and computes what is constant then. Nothing else is simplified: Halide
// infers bounds from expressions as they are written, and so allocates 29 elements, not 15, for x*3
// - x over 8 values of x, and all of clamp(a & 127, 0, 299) where `a` has 64 bits.
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
  Expr visit(const ir::Add *op) override { return binary(op); }
  Expr visit(const ir::Sub *op) override { return binary(op); }
  Expr visit(const ir::Mul *op) override { return binary(op); }
  Expr visit(const ir::Div *op) override { return binary(op); }
  Expr visit(const ir::Mod *op) override { return binary(op); }
  Expr visit(const ir::EQ *op) override { return binary(op); }
  Expr visit(const ir::NE *op) override { return binary(op); }
  Expr visit(const ir::LT *op) override { return binary(op); }
  Expr visit(const ir::LE *op) override { return binary(op); }
  Expr visit(const ir::GT *op) override { return binary(op); }
  Expr visit(const ir::GE *op) override { return binary(op); }
  Expr visit(const ir::And *op) override { return binary(op); }
  Expr visit(const ir::Or *op) override { return binary(op); }
  Expr visit(const ir::Min *op) override { return minMax(op); }
  Expr visit(const ir::Max *op) override { return minMax(op); }
  Expr visit(const ir::Not *op) override {
    const Expr made = IRMutator::visit(op);
    return ir::is_const(made.as<ir::Not>()->a) ? ir::simplify(made) : made;
  }
  Expr visit(const ir::Cast *op) override {
    const Expr made = IRMutator::visit(op);
    return ir::is_const(made.as<ir::Cast>()->value) ? ir::simplify(made) : made;
  }
  Expr visit(const ir::Select *op) override {
    const Expr condition = mutate(op->condition);
    if (ir::is_const_one(condition)) return mutate(op->true_value);
    if (ir::is_const_zero(condition)) return mutate(op->false_value);
    return ir::Select::make(condition, mutate(op->true_value), mutate(op->false_value));
  }
  Expr visit(const ir::Call *op) override {
    const Expr made = IRMutator::visit(op);
    const auto *call = made.as<ir::Call>();
    const bool isKnown =
        call && call->is_pure() && !call->args.empty() &&
        std::ranges::all_of(call->args, [](const Expr &e) { return ir::is_const(e); });
    if (!isKnown) return made;
    return ir::simplify(call->is_strict_float_intrinsic() ? plainOperation(*call) : made);
  }

  template <typename Op>
  Expr binary(const Op *op) {
    return withOperands(op, mutate(op->a), mutate(op->b));
  }
  template <typename Op>
  static Expr withOperands(const Op *op, const Expr &a, const Expr &b) {
    const Expr made = a.same_as(op->a) && b.same_as(op->b) ? Expr(op) : Op::make(a, b);
    return ir::is_const(a) && ir::is_const(b) ? ir::simplify(made) : made;
  }

  template <typename Op>
  Expr minMax(const Op *op) {
    const Expr a = mutate(op->a), b = mutate(op->b);
    if (m_unknown == UnknownExtents::Ignore && op->type.is_int() && op->type.bits() >= 32) {
      if (hasUnknownExtent(b)) return a;
      if (hasUnknownExtent(a)) return b;
    }
    return withOperands(op, a, b);
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
  for (const std::uint32_t output : graph.outputs)
    estimates.promisedOutputs.push_back(promisedOf(graph.funcs[output].function, sidecar));
  for (const std::uint32_t func : handedFuncs(graph))
    estimates.handed.emplace(func, handedFrom(graph.funcs[func].function));
  for (const EstimateOverride &user : overrides)
    if (auto status = apply(estimates, graph, user); !status) return status.error();
  markPromised(estimates);
  return estimates;
}

Graph withEstimates(const Graph &graph, const Estimates &estimates, UnknownExtents unknown) {
  const Values values = valuesOf(graph, estimates);
  Substitute substitute(values, unknown);
  const auto resolve = [&](const Expr &e) { return substitute.mutate(e); };
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

} // namespace tessera::halide
