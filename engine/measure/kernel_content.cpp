// SPDX-License-Identifier: MIT
#include "engine/measure/kernel_content.h"

#include "engine/base/sha256.h"
#include "engine/pipeline/json.h"
#include "engine/pipeline/measures.h"
#include "engine/schedule/plan_hash.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tessera::measure {
namespace {

using nlohmann::ordered_json;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::StageId;
using schedule::LoopKind;
using schedule::Place;

constexpr int kWholePlan = 5; // a depth of planHash() at which every decision counts

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

// A text with other names: those that `names` has.
std::string renamed(std::string_view text, const std::map<std::string, std::string> &names) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && isOfName(text[end]))
      ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    std::string word(text.substr(i, end - i));
    const auto known = names.find(word);
    out += known != names.end() ? known->second : word;
    i = end;
  }
  return out;
}

// Writes the content as a text. Funcs, inputs and stages have numbers, in the order in which they
// are met.
class ContentWriter {
public:
  ContentWriter(const schedule::Schedule &schedule, const KernelAlone &alone)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_alone(alone) {
    for (const FuncId func : alone.funcs)
      for (const StageId stage : m_pipeline.stageIdsOf(func))
        m_stages.emplace(stage, static_cast<StageId>(m_stages.size()));
  }

  std::string text();

private:
  std::size_t numberOf(Producer producer);
  std::string nameOf(const std::string &name);
  void number(ordered_json &json);
  void addStage(StageId id);
  void addPlan(FuncId func);
  void addProducer(Producer producer);
  void addStored(const pipeline::StoredFunc &stored);
  void place(Place &place) const;

  const schedule::Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const KernelAlone &m_alone;
  std::map<StageId, StageId> m_stages;          // to the numbers that they get
  std::vector<Producer> m_producers;            // by number
  std::map<std::string, std::string> m_renamed; // of the producers
  std::string m_text;
};

std::size_t ContentWriter::numberOf(Producer producer) {
  const auto known = std::ranges::find(m_producers, producer);
  const auto number = static_cast<std::size_t>(known - m_producers.begin());
  if (known == m_producers.end()) {
    m_producers.push_back(producer);
    m_renamed.emplace(m_pipeline.producerName(producer), "#" + std::to_string(number));
  }
  return number;
}

std::string ContentWriter::nameOf(const std::string &name) {
  const auto known = m_renamed.find(name);
  return known == m_renamed.end() ? name : known->second;
}

// Replaces each {"func": 3} and {"input": 1}.
void ContentWriter::number(ordered_json &json) {
  if (json.is_object() && json.contains("producer")) {
    ordered_json &producer = json["producer"];
    const bool isFunc = producer.contains("func");
    const auto index = producer[isFunc ? "func" : "input"].get<std::uint32_t>();
    producer = numberOf({isFunc ? Producer::Kind::Func : Producer::Kind::Input, index});
  }
  if (json.is_structured())
    for (ordered_json &member : json)
      number(member);
}

void ContentWriter::addStage(StageId id) {
  const pipeline::Stage &stage = m_pipeline.stage(id);
  ordered_json json = pipeline::toJson(stage, m_pipeline.parts());
  json.erase("name");
  json.erase("func");
  json.erase("expression"); // follows from the definition; older copies of a pipeline have none
  number(json);
  std::map<std::string, std::string> names = m_renamed;
  for (std::size_t l = 0; l < stage.loops.size(); ++l) {
    names[stage.loops[l].name] = "@" + std::to_string(l);
    json["loops"][l].erase("name");
  }
  for (const char *text : {"definition", "predicate"})
    if (json.contains(text)) json[text] = renamed(json[text].get<std::string>(), names);
  m_text += json.dump() + "\n";
}

void ContentWriter::place(Place &place) const {
  const auto known = m_stages.find(place.stage);
  if (place.kind == Place::Kind::At && known != m_stages.end()) place.stage = known->second;
}

void ContentWriter::addPlan(FuncId func) {
  schedule::FuncPlan plan = m_schedule.plan(func);
  place(plan.compute);
  if (plan.store) place(*plan.store);
  if (plan.hoist) place(*plan.hoist);
  for (schedule::StagePlan &stage : plan.stages)
    if (stage.computeWith) {
      const auto with = m_stages.find(stage.computeWith->stage);
      if (with != m_stages.end()) stage.computeWith->stage = with->second;
    }
  m_text += std::to_string(schedule::planHash(plan, kWholePlan, LoopKind::Serial)) + "\n";
}

// What is known of memory that it reads or writes: types, and for the pipeline's own, sizes.
void ContentWriter::addProducer(Producer producer) {
  ordered_json json;
  if (producer.kind == Producer::Kind::Func) {
    const pipeline::Func &func = m_pipeline.func(static_cast<FuncId>(producer.index));
    json = {{"types", pipeline::typesText(func)}, {"output", func.isOutput}};
  } else {
    const pipeline::Input &input = m_pipeline.input(static_cast<pipeline::InputId>(producer.index));
    json = {{"type", pipeline::toString(input.type)}, {"scalar", input.scalarEstimate}};
    for (const pipeline::Estimate &dim : input.dims)
      json["dims"].push_back({dim.range.min, dim.range.max});
  }
  m_text += json.dump() + "\n";
}

void ContentWriter::addStored(const pipeline::StoredFunc &stored) {
  m_text += nameOf(stored.name);
  for (const pipeline::Interval &side : stored.box)
    m_text += " " + std::to_string(side.min) + ":" + std::to_string(side.max);
  for (const std::uint16_t dim : stored.layout)
    m_text += " " + std::to_string(dim);
  m_text += "\n";
}

std::string ContentWriter::text() {
  for (const FuncId func : m_alone.funcs)
    numberOf(Producer::func(func));
  for (const FuncId func : m_alone.funcs) {
    for (const StageId stage : m_pipeline.stageIdsOf(func))
      addStage(stage);
    addPlan(func);
  }
  for (std::size_t i = 0; i < m_producers.size(); ++i)
    addProducer(m_producers[i]);
  addStored(m_alone.excerpt.output);
  // In the order of their numbers, whatever order they have in the pipeline.
  std::map<std::string, const pipeline::StoredFunc *> inputs;
  for (const pipeline::StoredFunc &input : m_alone.excerpt.inputs)
    inputs.emplace(nameOf(input.name), &input);
  for (const auto &[name, input] : inputs)
    addStored(*input);
  m_text += "registers " + std::to_string(m_schedule.settings().registerCap) + "\n";
  for (const report::Promise &promise : m_schedule.settings().promises)
    if (std::ranges::find(m_alone.buffers, promise.buffer) != m_alone.buffers.end()) {
      report::Promise unnamed = promise;
      unnamed.buffer = nameOf(promise.buffer);
      m_text += textOf(unnamed) + "\n";
    }
  return std::move(m_text);
}

} // namespace

std::string kernelContent(const schedule::Schedule &schedule, const KernelAlone &alone) {
  const std::string text = ContentWriter(schedule, alone).text();
  return sha256Hex(std::as_bytes(std::span(text)));
}

} // namespace tessera::measure
