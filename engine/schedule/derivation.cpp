// SPDX-License-Identifier: MIT
#include "engine/schedule/derivation.h"

#include "engine/pipeline/footprint.h"
#include "engine/schedule/parts_editor.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::Access;
using pipeline::Box;
using pipeline::Edge;
using pipeline::Func;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::LoopDim;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::PipelineParts;
using pipeline::PipelinePtr;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;

namespace {

Error refused(std::string message, std::string hint = {}) {
  return {ErrorCode::InputRefused, std::move(message), std::move(hint)};
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

// The funcs that shall read something new instead of `producer`; checked.
Result<std::vector<FuncId>> consumersOf(const Pipeline &pipeline, Producer producer,
                                        const std::vector<std::string> &names) {
  std::vector<FuncId> readers;
  for (const Edge &edge : pipeline.edges()) {
    const FuncId reader = pipeline.stage(edge.consumer).func;
    const bool itself = producer == Producer::func(reader);
    if (edge.producer == producer && !itself &&
        std::find(readers.begin(), readers.end(), reader) == readers.end())
      readers.push_back(reader);
  }
  std::sort(readers.begin(), readers.end());
  const std::string &of = pipeline.producerName(producer);
  if (readers.empty()) return refused("nothing reads " + of);
  if (names.empty()) return readers;
  std::vector<FuncId> wanted;
  for (const std::string &name : names) {
    const auto at = std::find_if(readers.begin(), readers.end(),
                                 [&](FuncId id) { return pipeline.func(id).name == name; });
    if (at == readers.end()) return refused(name + " does not read " + of);
    wanted.push_back(*at);
  }
  std::ranges::sort(wanted);
  return wanted;
}

std::optional<Producer> producerNamed(const Pipeline &pipeline, const std::string &name) {
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f)
    if (pipeline.funcs()[f].name == name) return Producer::func(static_cast<FuncId>(f));
  for (std::size_t i = 0; i < pipeline.inputs().size(); ++i) {
    const pipeline::Input &input = pipeline.inputs()[i];
    const bool named = input.name == name || input.stagingFunc == name;
    if (named && !input.isScalar) return Producer::input(static_cast<pipeline::InputId>(i));
  }
  return std::nullopt;
}

bool nameTaken(const Pipeline &pipeline, const std::string &name) {
  return producerNamed(pipeline, name).has_value();
}

IndexMap identity(std::size_t loop) {
  IndexMap map;
  map.atoms.push_back({1, {{static_cast<std::uint32_t>(loop), 1}}});
  return map;
}

Access identityAccess(Producer producer, std::size_t dims) {
  Access access{producer};
  for (std::size_t d = 0; d < dims; ++d)
    access.indices.push_back(identity(d));
  return access;
}

// What is needed of an input, where its size is not known.
Box neededOf(const Pipeline &pipeline, Producer producer, const std::vector<FuncId> &readers) {
  Box box = pipeline.producerRegion(producer);
  Box needed(box.size(), {pipeline::kPlusInfinity, pipeline::kMinusInfinity});
  for (const Edge &edge : pipeline.edges()) {
    const Stage &consumer = pipeline.stage(edge.consumer);
    if (edge.producer != producer ||
        std::find(readers.begin(), readers.end(), consumer.func) == readers.end())
      continue;
    std::vector<pipeline::Interval> loops;
    for (const LoopDim &loop : consumer.loops)
      loops.push_back(loop.range);
    const Box part = pipeline::footprint(edge, loops);
    for (std::size_t d = 0; d < needed.size(); ++d)
      needed[d] = pipeline::hull(needed[d], part[d]);
  }
  for (std::size_t d = 0; d < box.size(); ++d)
    if (!box[d].bounded()) box[d] = needed[d];
  return box;
}

// Producer and new func, as both wrapper and clone begin.
struct Redirected {
  Producer of;
  std::vector<FuncId> readers;
};

Result<Redirected> redirected(const Pipeline &pipeline, const std::string &name,
                              const std::string &of, const std::vector<std::string> &consumers) {
  if (name.empty() || nameTaken(pipeline, name))
    return refused("the name '" + name + "' is taken", "Give the new stage another name.");
  const auto producer = producerNamed(pipeline, of);
  if (!producer) return refused("there is no func or input '" + of + "'");
  auto readers = consumersOf(pipeline, *producer, consumers);
  if (!readers) return readers.error();
  return Redirected{*producer, std::move(*readers)};
}

Result<PipelinePtr> addWrapper(const Pipeline &pipeline, const Wrapper &wrapper) {
  auto plan = redirected(pipeline, wrapper.name, wrapper.of, wrapper.consumers);
  if (!plan) return plan.error();
  const bool ofFunc = plan->of.kind == Producer::Kind::Func;
  const std::size_t place = ofFunc ? plan->of.index + 1 : index(plan->readers.front());

  Func func{wrapper.name};
  func.region = neededOf(pipeline, plan->of, plan->readers);
  for (const pipeline::Interval &side : func.region)
    if (!side.bounded())
      return refused(wrapper.of + " has no bounded size to copy", "Give an estimate of its size.");
  if (ofFunc) {
    const Func &original = pipeline.funcs()[plan->of.index];
    func.types = original.types;
    func.args = original.args;
  } else {
    func.types = {pipeline.inputs()[plan->of.index].type};
    for (std::size_t d = 0; d < func.region.size(); ++d)
      func.args.push_back("_" + std::to_string(d));
  }
  Stage copy;
  for (std::size_t d = 0; d < func.args.size(); ++d)
    copy.loops.push_back({func.args[d], LoopDim::Kind::Pure, func.region[d]});
  for (std::size_t e = 0; e < func.types.size(); ++e) {
    copy.loads.push_back(identityAccess(plan->of, func.args.size()));
    copy.loads.back().tupleElement = static_cast<std::uint32_t>(e);
    copy.operations.push_back({OpKind::Load, func.types[e], 1});
  }
  const std::string arguments = "(" + joined(func.args) + ")";
  copy.definition = wrapper.name + arguments + " = " + wrapper.of + arguments;

  PartsEditor editor(pipeline.parts());
  const FuncId added = editor.insert(place, std::move(func), {std::move(copy)});
  editor.redirect(plan->of, added, plan->readers);
  return Pipeline::create(std::move(editor).take());
}

Result<PipelinePtr> addClone(const Pipeline &pipeline, const Clone &clone) {
  auto plan = redirected(pipeline, clone.name, clone.of, clone.consumers);
  if (!plan) return plan.error();
  if (plan->of.kind == Producer::Kind::Input)
    return refused(clone.of + " is an input and cannot be computed a second time");
  const auto of = static_cast<FuncId>(plan->of.index);
  Func func = pipeline.func(of);
  func.name = clone.name;
  func.isOutput = false;
  const auto stages = pipeline.stagesOf(of);
  PartsEditor editor(pipeline.parts());
  const FuncId added =
      editor.insert(index(of) + 1, std::move(func), {stages.begin(), stages.end()});
  editor.redirectItself(plan->of, added);
  editor.redirect(plan->of, added, plan->readers);
  return Pipeline::create(std::move(editor).take());
}

} // namespace

// factored.cpp
Result<PipelinePtr> addFactored(const Pipeline &pipeline, const Factored &factored);

const std::string &nameOf(const Derivation &derivation) {
  return std::visit([](const auto &one) -> const std::string & { return one.name; }, derivation);
}

Result<PipelinePtr> derive(const Pipeline &pipeline, const Derivation &derivation) {
  if (const auto *wrapper = std::get_if<Wrapper>(&derivation))
    return addWrapper(pipeline, *wrapper);
  if (const auto *clone = std::get_if<Clone>(&derivation)) return addClone(pipeline, *clone);
  const auto &factored = std::get<Factored>(derivation);
  if (nameTaken(pipeline, factored.name))
    return refused("the name '" + factored.name + "' is taken", "Give the new stage another name.");
  return addFactored(pipeline, factored);
}

} // namespace tessera::schedule
