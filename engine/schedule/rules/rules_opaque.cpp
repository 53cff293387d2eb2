// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_opaque.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;

namespace {

std::optional<std::int64_t> numberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isWhole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return isWhole ? std::optional(number) : std::nullopt;
}

// A name as Halide makes it of a buffer, what is asked of it, and a dimension: input.extent.0.
struct SizeName {
  std::string_view buffer, what;
  std::size_t dim = 0;

  static std::optional<SizeName> of(std::string_view name) {
    const std::size_t last = name.rfind('.');
    const std::size_t before =
        last == name.npos || last == 0 ? name.npos : name.rfind('.', last - 1);
    if (before == name.npos) return std::nullopt;
    const auto dim = numberIn(name.substr(last + 1));
    if (!dim || *dim < 0) return std::nullopt;
    return SizeName{name.substr(0, before), name.substr(before + 1, last - before - 1),
                    static_cast<std::size_t>(*dim)};
  }
};

// What is known of a size: whether the pipeline has it, and its value under the estimates.
struct KnownSize {
  bool isThere = false;
  std::optional<std::int64_t> value;
};

KnownSize sizeOf(const SizeName &name, const std::vector<pipeline::Estimate> &dims) {
  constexpr std::string_view kWhat[] = {"min", "extent", "stride"};
  if (name.dim >= dims.size() || std::ranges::find(kWhat, name.what) == std::end(kWhat)) return {};
  const pipeline::Estimate &dim = dims[name.dim];
  if (dim.source == pipeline::EstimateSource::None || name.what == kWhat[2]) return {true, {}};
  return {true, name.what == kWhat[0] ? dim.range.min : dim.range.extent()};
}

// The elements of an output with several values have buffers of their own: f.0, f.1.
bool isBufferOf(const Func &func, std::string_view buffer) {
  if (!buffer.starts_with(func.name)) return false;
  const std::string_view rest = buffer.substr(func.name.size());
  return rest.empty() || (rest.front() == '.' && numberIn(rest.substr(1)));
}

KnownSize knownSize(const Pipeline &pipeline, const std::string &text) {
  const auto name = SizeName::of(text);
  for (const pipeline::Input &input : pipeline.inputs()) {
    if (input.isScalar && input.name == text) return {true, numberIn(input.scalarEstimate)};
    if (!input.isScalar && name && input.name == name->buffer) return sizeOf(*name, input.dims);
  }
  for (const pipeline::Output &output : pipeline.outputs())
    if (name && isBufferOf(pipeline.func(output.func), name->buffer))
      return sizeOf(*name, output.dims);
  return {};
}

void checkNames(const RuleContext &context, pipeline::StageId id, const OpaqueDirective &opaque) {
  for (const Argument &argument : opaque.arguments) {
    const auto *size = std::get_if<SizeExpression>(&argument);
    for (const std::string &name : size ? namesIn(*size) : std::vector<std::string>())
      if (!knownSize(context.pipeline, name).isThere)
        context.refuse(Rule::OpaqueHolds, id, DecisionKind::Opaque, 0,
                       std::string(signature(opaque.verb).name) + "() depends on " + name +
                           ", which is no size of an input or output and no scalar input",
                       "names such as input.extent.0");
  }
  for (const OpaqueDirective &call : opaque.calls)
    checkNames(context, id, call);
}

} // namespace

void checkOpaque(const RuleContext &context) {
  for (const FuncId id : context.funcs) {
    const FuncPlan &plan = context.schedule.plan(id);
    const Func &func = context.pipeline.func(id);
    for (std::uint32_t s = 0; s < plan.stages.size(); ++s)
      for (const OpaqueDirective &opaque : plan.stages[s].opaque) {
        const auto stage = static_cast<pipeline::StageId>(index(func.firstStage) + s);
        if (plan.isInline())
          context.refuse(Rule::OpaqueHolds, id, DecisionKind::Compute,
                         func.name + " has " + std::string(signature(opaque.verb).name) +
                             "(), which needs loops of its own, and cannot be inlined",
                         "a kernel of its own, or a loop of a stage that reads it");
        checkNames(context, stage, opaque);
      }
  }
}

std::vector<std::pair<std::size_t, RegionBound>> boundsUnderEstimates(const RuleContext &context,
                                                                      FuncId id) {
  const auto known = [&](const std::string &name) {
    return knownSize(context.pipeline, name).value;
  };
  const auto valueIn = [&](const Argument &argument) -> std::optional<std::int64_t> {
    if (const auto *number = std::get_if<std::int64_t>(&argument)) return *number;
    return valueOf(std::get<SizeExpression>(argument), known);
  };
  const std::vector<std::string> &args = context.pipeline.func(id).args;
  std::vector<std::pair<std::size_t, RegionBound>> bounds;
  for (const OpaqueDirective &opaque : context.schedule.plan(id).stages.front().opaque) {
    if (opaque.verb != Verb::Bound && opaque.verb != Verb::BoundExtent) continue;
    const auto dim = std::ranges::find(args, std::get<LoopName>(opaque.arguments[0]).name);
    RegionBound bound;
    bound.extent = valueIn(opaque.arguments.back());
    if (opaque.verb == Verb::Bound) bound.min = valueIn(opaque.arguments[1]);
    const bool isKnown = bound.extent && (opaque.verb == Verb::BoundExtent || bound.min);
    if (isKnown && dim != args.end())
      bounds.emplace_back(static_cast<std::size_t>(dim - args.begin()), bound);
  }
  return bounds;
}

} // namespace tessera::schedule
