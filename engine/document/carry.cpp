// SPDX-License-Identifier: MIT
#include "engine/document/carry.h"

#include "engine/schedule/text/schedule_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace tessera::document {

namespace {

using nlohmann::json;
using schedule::Schedule;

using Names = std::set<std::string>;
constexpr std::string_view kDirectives = "directives", kMarks = "marks";

Names funcsOf(const pipeline::Pipeline &pipeline) {
  Names names;
  for (const pipeline::Func &func : pipeline.funcs())
    names.insert(func.name);
  for (const pipeline::Input &input : pipeline.inputs())
    names.insert(input.stagingFunc);
  return names;
}

// The func that a directive, an argument or a mark names; null if there is none.
const std::string *funcOf(const json &value) {
  const auto func = value.find("func");
  return func == value.end() ? nullptr : func->get_ptr<const std::string *>();
}

// Adds to `missing` the funcs that this object names and that no longer exist.
void addMissing(const json &value, const Names &there, Names &missing) {
  if (const std::string *func = funcOf(value); func && !there.contains(*func))
    missing.insert(*func);
  if (const auto arguments = value.find("arguments"); arguments != value.end())
    for (const json &argument : *arguments)
      if (argument.is_object()) addMissing(argument, there, missing);
}

struct Missing {
  Names named;   // missing funcs that a directive or mark names
  Names decided; // those of them about which the user has made or frozen a decision
};

// Removes directives and marks that name missing funcs, and collects those funcs.
void takeMissing(json &schedule, Names there, Missing &missing) {
  for (const std::string_view member : {kDirectives, kMarks}) {
    const auto list = schedule.find(member);
    if (list == schedule.end()) continue;
    json kept = json::array();
    for (json &one : *list) {
      Names gone;
      addMissing(one, there, gone);
      missing.named.insert(gone.begin(), gone.end());
      if (member == kMarks) missing.decided.insert(gone.begin(), gone.end());
      if (!gone.empty()) continue;
      if (const auto makes = one.find("makes"); makes != one.end())
        there.insert(makes->get<std::string>());
      kept.push_back(std::move(one));
    }
    *list = std::move(kept);
  }
}

// Texts such as "f, which is gone", "f and g, which are gone" or "f, g and h, which are gone".
std::string goneText(const Names &funcs) {
  std::string text;
  std::size_t left = funcs.size();
  for (const std::string &func : funcs)
    text += func + (--left == 0 ? "" : left == 1 ? " and " : ", ");
  return text + (funcs.size() == 1 ? ", which is gone" : ", which are gone");
}

class Carrier {
public:
  explicit Carrier(const pipeline::PipelinePtr &now) : m_now(now), m_there(funcsOf(*now)) {}

  std::optional<Schedule> carry(const std::string &name, const Schedule &schedule) {
    json document = json::parse(schedule::toJson(schedule).dump());
    takeMissing(document, m_there, m_missing);
    auto carried = schedule::scheduleFromJson(m_now, document);
    if (carried) return std::move(*carried);
    m_lost.push_back(name + ": " + carried.error().message);
    return std::nullopt;
  }

  // Files that do not fit the new size are kept: that is an error only when a schedule is run.
  measure::RunInputs carry(measure::RunInputs inputs) {
    std::erase_if(inputs.files, [this](const measure::RunInputs::File &file) {
      const auto there = m_now->inputs();
      if (std::ranges::find(there, file.input, &pipeline::Input::name) != there.end()) return false;
      m_lost.push_back("the file for input " + file.input + ", which is gone");
      return true;
    });
    return inputs;
  }

  std::vector<std::string> lost() && {
    Names others;
    std::ranges::set_difference(m_missing.named, m_missing.decided,
                                std::inserter(others, others.end()));
    if (!m_missing.decided.empty())
      m_lost.push_back("your decisions about " + goneText(m_missing.decided));
    if (!others.empty())
      m_lost.push_back((m_missing.decided.empty() ? "decisions about " : "other decisions about ") +
                       goneText(others));
    return std::move(m_lost);
  }

private:
  const pipeline::PipelinePtr &m_now;
  const Names m_there;
  Missing m_missing;
  std::vector<std::string> m_lost;
};

// `content` is the checksum of the pipeline that a result belongs to. In an old document it may be
// missing; then the result belongs to the document's pipeline, and `content` is set to the checksum
// of that pipeline. Returns false if that is unknown too; the caller then drops the result.
bool belongsTo(std::string &content, const PipelineCopy &pipeline) {
  if (content.empty()) content = pipeline.contentSha256;
  return !content.empty();
}

} // namespace

Carried carriedOver(const Document &before, PipelineCopyPtr now) {
  Carrier carrier(now->pipeline);
  Document document(now);
  Document::Parts parts = document.parts();
  parts.machine = before.parts().machine;
  parts.algorithm = before.parts().algorithm;
  parts.inputs = carrier.carry(before.inputs());
  parts.nextId = before.parts().nextId;
  if (before.current()) parts.start = carrier.carry("the current schedule", *before.current());
  for (const CandidatePtr &candidate : before.candidates()) {
    if (candidate->label.isRemoved) continue;
    auto schedule = carrier.carry(candidate->label.name, candidate->schedule);
    if (!schedule) continue;
    KeptCandidate carried = *candidate;
    carried.schedule = std::move(*schedule);
    carried.predictedSeconds.reset();
    if (carried.measurement && !belongsTo(carried.measurement->of.contentSha256, before.source()))
      carried.measurement.reset();
    if (carried.verification && !belongsTo(carried.verification->of.contentSha256, before.source()))
      carried.verification.reset();
    std::erase_if(carried.earlier, [&](measure::KeptMeasurement &earlier) {
      return !belongsTo(earlier.of.contentSha256, before.source());
    });
    parts.candidates.push_back(std::make_shared<const KeptCandidate>(std::move(carried)));
  }
  auto made = Document::create(std::move(parts));
  if (made) document = std::move(*made);
  return {std::move(document), std::move(carrier).lost()};
}

} // namespace tessera::document
