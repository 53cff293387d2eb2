// SPDX-License-Identifier: MIT
#include "engine/schedule/derivation.h"

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

bool reads(const Stage &stage, Producer producer) {
  return std::ranges::find(stage.loads, producer, &Access::producer) != stage.loads.end();
}

// The funcs that will read the new func instead of `producer`: those in `names`, or all its readers
// if `names` is empty. A name of a func that does not read `producer` is refused.
Result<std::vector<FuncId>> consumersOf(const PipelineParts &parts, Producer producer,
                                        const std::vector<std::string> &names) {
  std::vector<FuncId> readers;
  for (const Stage &stage : parts.stages)
    if (producer != Producer::func(stage.func) && reads(stage, producer) &&
        std::ranges::find(readers, stage.func) == readers.end())
      readers.push_back(stage.func);
  std::sort(readers.begin(), readers.end());
  const std::string &of = parts.producerName(producer);
  if (readers.empty()) return refused("nothing reads " + of);
  if (names.empty()) return readers;
  std::vector<FuncId> wanted;
  for (const std::string &name : names) {
    const auto at = std::find_if(readers.begin(), readers.end(),
                                 [&](FuncId id) { return parts.funcs[index(id)].name == name; });
    if (at == readers.end()) return refused(name + " does not read " + of);
    wanted.push_back(*at);
  }
  std::ranges::sort(wanted);
  return wanted;
}

std::optional<Producer> producerNamed(const PipelineParts &parts, const std::string &name) {
  for (std::uint32_t f = 0; f < parts.funcs.size(); ++f)
    if (parts.funcs[f].name == name) return Producer::func(FuncId{f});
  for (std::uint32_t i = 0; i < parts.inputs.size(); ++i) {
    const pipeline::Input &input = parts.inputs[i];
    const bool named = input.name == name || input.stagingFunc == name;
    if (named && !input.isScalar) return Producer::input(pipeline::InputId{i});
  }
  return std::nullopt;
}

Status refusedIfTaken(const PipelineParts &parts, const std::string &name) {
  if (!name.empty() && !producerNamed(parts, name)) return Done{};
  return refused("the name '" + name + "' is taken", "Give the new stage another name.");
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

// The region of a producer. Along a dimension of unknown size, it is the region that `readers`
// need.
Box neededOf(const PipelineParts &parts, Producer producer, const std::vector<FuncId> &readers) {
  Box box = parts.producerRegion(producer);
  if (std::ranges::all_of(box, &pipeline::Interval::bounded)) return box;
  Box needed(box.size(), {pipeline::kPlusInfinity, pipeline::kMinusInfinity});
  for (const Stage &consumer : parts.stages) {
    if (std::ranges::find(readers, consumer.func) == readers.end()) continue;
    Box loops;
    for (const LoopDim &loop : consumer.loops)
      loops.push_back(loop.range);
    for (const Access &load : consumer.loads)
      for (std::size_t d = 0; load.producer == producer && d < needed.size(); ++d)
        needed[d] = pipeline::hull(needed[d], pipeline::evaluate(load.indices[d], loops));
  }
  for (std::size_t d = 0; d < box.size(); ++d)
    if (!box[d].bounded()) box[d] = needed[d];
  return box;
}

// Adding a wrapper or a clone begins with finding two things: the producer, and the funcs that will
// read the new func instead.
struct Redirected {
  Producer of;
  std::vector<FuncId> readers;
};

Result<Redirected> redirected(const PipelineParts &parts, const std::string &name,
                              const std::string &of, const std::vector<std::string> &consumers) {
  if (const Status free = refusedIfTaken(parts, name); !free) return free.error();
  const auto producer = producerNamed(parts, of);
  if (!producer) return refused("there is no func or input '" + of + "'");
  auto readers = consumersOf(parts, *producer, consumers);
  if (!readers) return readers.error();
  for (const FuncId reader : *readers)
    if (const Func &func = parts.funcs[index(reader)]; func.externCall)
      return refused(
          of + " is read by " + func.name +
              ", an extern stage, which reads the func or input itself and no copy of it",
          "Name the other stages that read it.");
  return Redirected{*producer, std::move(*readers)};
}

} // namespace

Status Deriver::addFunc(const Wrapper &wrapper) {
  auto plan = redirected(m_parts, wrapper.name, wrapper.of, wrapper.consumers);
  if (!plan) return plan.error();
  const bool ofFunc = plan->of.kind == Producer::Kind::Func;
  const std::size_t place = ofFunc ? plan->of.index + 1 : index(plan->readers.front());

  Func func{wrapper.name};
  func.region = neededOf(m_parts, plan->of, plan->readers);
  for (const pipeline::Interval &side : func.region)
    if (!side.bounded())
      return refused(wrapper.of + " has no bounded size to copy", "Give an estimate of its size.");
  if (ofFunc) {
    const Func &original = m_parts.funcs[plan->of.index];
    func.types = original.types;
    func.args = original.args;
  } else {
    func.types = {m_parts.inputs[plan->of.index].type};
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

  PartsEditor editor(m_parts);
  const FuncId added = editor.insert(place, std::move(func), {std::move(copy)});
  editor.redirect(plan->of, added, plan->readers);
  return Done{};
}

Status Deriver::addFunc(const Clone &clone) {
  auto plan = redirected(m_parts, clone.name, clone.of, clone.consumers);
  if (!plan) return plan.error();
  if (plan->of.kind == Producer::Kind::Input)
    return refused(clone.of + " is an input and cannot be computed a second time");
  const Func &of = m_parts.funcs[plan->of.index];
  if (of.externCall)
    return refused(clone.of + " is an extern stage, which is called once",
                   "Read a copy of it: in().");
  const auto first = m_parts.stages.begin() + static_cast<std::ptrdiff_t>(index(of.firstStage));
  std::vector<Stage> stages(first, first + of.stageCount);
  Func func = of;
  func.name = clone.name;
  func.isOutput = false;
  func.handed.clear();
  PartsEditor editor(m_parts);
  const FuncId added = editor.insert(plan->of.index + 1, std::move(func), std::move(stages));
  editor.redirectItself(plan->of, added);
  editor.redirect(plan->of, added, plan->readers);
  return Done{};
}

Status Deriver::addFunc(const Factored &factored) {
  if (const Status free = refusedIfTaken(m_parts, factored.name); !free) return free.error();
  sortLoads(m_parts);
  const auto pipeline = Pipeline::create(m_parts);
  if (!pipeline) return pipeline.error();
  const auto derived = addFactored(**pipeline, factored);
  if (!derived) return derived.error();
  m_parts = (*derived)->parts();
  return Done{};
}

Status Deriver::add(const Derivation &derivation) {
  return std::visit([this](const auto &one) { return addFunc(one); }, derivation);
}

Result<PipelinePtr> Deriver::take() && {
  sortLoads(m_parts);
  return Pipeline::create(std::move(m_parts));
}

const std::string &nameOf(const Derivation &derivation) {
  return std::visit([](const auto &one) -> const std::string & { return one.name; }, derivation);
}

Result<PipelinePtr> derive(const Pipeline &pipeline, const Derivation &derivation) {
  Deriver deriver(pipeline);
  if (const Status added = deriver.add(derivation); !added) return added.error();
  return std::move(deriver).take();
}

} // namespace tessera::schedule
