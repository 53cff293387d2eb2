// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_opaque.h"

#include <algorithm>
#include <charconv>
#include <set>
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

// The names of a variant's loops, which its calls make from the dimensions of the stage.
std::set<std::string_view> loopsOf(const OpaqueDirective &variant, const pipeline::Stage &stage) {
  std::set<std::string_view> loops;
  for (const pipeline::LoopDim &dim : stage.loops)
    loops.insert(dim.name);
  for (const OpaqueDirective &call : variant.calls) {
    const auto name = [&call](std::size_t i) -> std::string_view {
      return std::get<LoopName>(call.arguments[i]).name;
    };
    if (call.verb == Verb::Split) {
      loops.erase(name(0));
      loops.insert({name(1), name(2)});
    } else if (call.verb == Verb::Fuse) {
      loops.erase(name(0));
      loops.erase(name(1));
      loops.insert(name(2));
    }
  }
  return loops;
}

// The stage at a loop of which a func is placed, and what its variants have to have for that.
struct PlaceInVariants {
  FuncId func;
  DecisionKind kind = DecisionKind::Compute;
  const pipeline::Stage &stage;
  const StagePlan &plan;
  LoopRef loop;

  // The name that the loop has in a variant; empty if the variant has no loop in its place.
  std::string_view nameIn(const OpaqueDirective &variant) const {
    const auto shared =
        std::ranges::find(variant.shared, loop, [](const auto &of) { return of.second; });
    if (shared != variant.shared.end()) return shared->first;
    const bool isDim = loop.axis < stage.loops.size() && plan.nest.axes[loop.axis].splits.empty();
    return isDim ? std::string_view(stage.loops[loop.axis].name) : std::string_view();
  }
};

// `outer` is the variant of the stage that has `variants`, or null. Only it knows shared names.
void checkVariants(const RuleContext &context, const PlaceInVariants &place,
                   const std::vector<OpaqueDirective> &variants, const OpaqueDirective *outer) {
  for (const OpaqueDirective &variant : variants) {
    if (variant.verb != Verb::Specialize || !variant.hasOwnLoops) continue;
    const OpaqueDirective &named = outer ? *outer : variant;
    const std::string_view loop = place.nameIn(named);
    if (loop.empty() || !loopsOf(variant, place.stage).contains(loop))
      context.refuse(Rule::OpaqueHolds, place.func, place.kind,
                     context.pipeline.func(place.func).name + " is placed at a loop of " +
                         context.pipeline.func(place.stage.func).name + " that its variant for " +
                         textOf(std::get<SizeExpression>(variant.arguments[0])) + " does not have",
                     "a loop that all variants have");
    checkVariants(context, place, variant.calls, &named);
  }
}

void checkPlaceInVariants(const RuleContext &context, FuncId id, const Place &place,
                          DecisionKind kind) {
  if (place.kind != Place::Kind::At) return;
  const pipeline::Stage &stage = context.pipeline.stage(place.stage);
  const StagePlan &plan = context.schedule.plan(place.stage);
  checkVariants(context, {id, kind, stage, plan, place.loop}, plan.opaque, nullptr);
}

} // namespace

void checkOpaque(const RuleContext &context) {
  for (const FuncId id : context.funcs) {
    const FuncPlan &plan = context.schedule.plan(id);
    checkPlaceInVariants(context, id, plan.compute, DecisionKind::Compute);
    if (plan.store) checkPlaceInVariants(context, id, *plan.store, DecisionKind::Store);
    if (plan.hoist) checkPlaceInVariants(context, id, *plan.hoist, DecisionKind::Hoist);
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
