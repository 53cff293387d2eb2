// SPDX-License-Identifier: MIT
#include "engine/document/document.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace tessera::document {

using schedule::Schedule;

namespace {

constexpr std::array<std::string_view, 6> kOrigins{"search", "user",    "imported",
                                                   "manual", "default", "peer"};
constexpr std::array<std::string_view, 3> kPins{"none", "a", "b"};

Error refused(std::string message) { return {ErrorCode::Usage, std::move(message), {}}; }

} // namespace

std::string_view name(CandidateOrigin origin) { return kOrigins[static_cast<std::size_t>(origin)]; }
std::string_view name(Pin pin) { return kPins[static_cast<std::size_t>(pin)]; }

bool isNewStep(const Operation &operation) {
  return std::holds_alternative<EditSchedule>(operation) ||
         std::holds_alternative<Relabel>(operation) || std::holds_alternative<SetInputs>(operation);
}

Document::Document(PipelineCopyPtr source) { m_parts.source = std::move(source); }

Result<Document> Document::create(Parts parts) {
  Document document(parts.source);
  std::uint64_t last = 0;
  for (const CandidatePtr &candidate : parts.candidates) {
    if (candidate->id <= last || candidate->id >= parts.nextId)
      return refused("the ids of candidates are not in rising order");
    last = candidate->id;
    if (!document.isOurs(candidate->schedule))
      return refused("a candidate is for another pipeline");
  }
  if (parts.position > parts.steps.size())
    return refused("the current step is beyond the end of the history");
  document.m_parts = std::move(parts);
  for (const Step &step : document.m_parts.steps) {
    if (step.schedule && !document.isOurs(*step.schedule))
      return refused("a step leads to a schedule for another pipeline");
    for (const LabelChange &change : step.labels)
      if (!document.candidate(change.id))
        return refused("a step is about a candidate that does not exist");
  }
  return document;
}

void Document::complete(PipelineCopyPtr source) {
  assert(source->pipeline == pipeline());
  m_parts.source = std::move(source);
}

Status Document::apply(const Operation &operation) {
  return std::visit([this](const auto &one) { return perform(one); }, operation);
}

const std::optional<Schedule> &Document::current() const {
  return m_parts.position == 0 ? m_parts.start : m_parts.steps[m_parts.position - 1].schedule;
}

const std::string *Document::undoName() const {
  return m_parts.position == 0 ? nullptr : &m_parts.steps[m_parts.position - 1].name;
}

const std::string *Document::redoName() const {
  return m_parts.position == m_parts.steps.size() ? nullptr : &m_parts.steps[m_parts.position].name;
}

CandidatePtr Document::candidate(std::uint64_t id) const {
  const auto at = std::ranges::lower_bound(m_parts.candidates, id, {}, &KeptCandidate::id);
  return at != m_parts.candidates.end() && (*at)->id == id ? *at : nullptr;
}

CandidatePtr Document::candidateWith(const Schedule &schedule, std::string_view machine) const {
  for (const CandidatePtr &candidate : m_parts.candidates)
    if (candidate->machine == machine && candidate->schedule == schedule) return candidate;
  return nullptr;
}

measure::Basis Document::basis() const { return {0, source().contentSha256, inputs()}; }

measure::Basis Document::basisOf(const KeptCandidate &candidate) const {
  measure::Basis basis = this->basis();
  basis.scheduleHash = candidate.schedule.hash();
  return basis;
}

measure::Freshness Document::freshnessOf(const KeptCandidate &candidate) const {
  return measure::freshnessOf(candidate.measurement->of, basisOf(candidate));
}

bool Document::isMeasured(const KeptCandidate &candidate) const {
  return candidate.measurement && candidate.measurement->times.verified() &&
         freshnessOf(candidate) == measure::Freshness::Fresh;
}

measure::Freshness Document::freshnessOfVerification(const KeptCandidate &candidate) const {
  return measure::freshnessOf(candidate.verification->of, basisOf(candidate));
}

Status Document::perform(const EditSchedule &edit) {
  if (!isOurs(edit.schedule)) return refused("That schedule is for another pipeline.");
  push({edit.name, edit.schedule, {}, {}});
  return Done{};
}

Status Document::perform(const Relabel &relabel) {
  Step step{relabel.name, current(), {}, {}};
  for (const Relabel::Change &change : relabel.changes) {
    const CandidatePtr candidate = this->candidate(change.id);
    if (!candidate) return refused("There is no such candidate.");
    if (candidate->label != change.label)
      step.labels.push_back({change.id, candidate->label, change.label});
  }
  if (step.labels.empty()) return refused("That changes nothing.");
  for (const LabelChange &change : step.labels)
    setLabel(change.id, change.after);
  push(std::move(step));
  return Done{};
}

Status Document::perform(const Undo &) {
  if (!undoName()) return refused("There is nothing to undo.");
  const Step &step = m_parts.steps[--m_parts.position];
  for (auto change = step.labels.rbegin(); change != step.labels.rend(); ++change)
    setLabel(change->id, change->before);
  if (step.inputs) m_parts.inputs = step.inputs->before;
  return Done{};
}

Status Document::perform(const Redo &) {
  if (!redoName()) return refused("There is nothing to redo.");
  const Step &step = m_parts.steps[m_parts.position++];
  for (const LabelChange &change : step.labels)
    setLabel(change.id, change.after);
  if (step.inputs) m_parts.inputs = step.inputs->after;
  return Done{};
}

Status Document::perform(const AddCandidate &add) {
  if (!isOurs(add.candidate.schedule)) return refused("That schedule is for another pipeline.");
  KeptCandidate candidate = add.candidate;
  candidate.id = m_parts.nextId++;
  m_parts.candidates.push_back(std::make_shared<const KeptCandidate>(std::move(candidate)));
  return Done{};
}

Status Document::perform(const SetMeasurement &measured) {
  CandidatePtr *candidate = find(measured.id);
  if (!candidate) return refused("There is no such candidate.");
  KeptCandidate changed = **candidate;
  if (changed.measurement) {
    changed.earlier.insert(changed.earlier.begin(), std::move(*changed.measurement));
    if (changed.earlier.size() > KeptCandidate::kMostEarlier) changed.earlier.pop_back();
  }
  changed.measurement = measured.measurement;
  *candidate = std::make_shared<const KeptCandidate>(std::move(changed));
  return Done{};
}

Status Document::perform(const SetVerification &verified) {
  CandidatePtr *candidate = find(verified.id);
  if (!candidate) return refused("There is no such candidate.");
  KeptCandidate changed = **candidate;
  changed.verification = verified.verification;
  *candidate = std::make_shared<const KeptCandidate>(std::move(changed));
  return Done{};
}

Status Document::perform(const SetTarget &target) {
  m_parts.machine = target.machine;
  m_parts.algorithm = target.algorithm;
  return Done{};
}

Status Document::perform(const SetInputs &chosen) {
  if (chosen.inputs == m_parts.inputs) return refused("That changes nothing.");
  push({chosen.name, current(), {}, InputChange{m_parts.inputs, chosen.inputs}});
  m_parts.inputs = chosen.inputs;
  return Done{};
}

// A new step removes all steps that could still be redone.
void Document::push(Step step) {
  m_parts.steps.erase(m_parts.steps.begin() + std::ptrdiff_t(m_parts.position),
                      m_parts.steps.end());
  m_parts.steps.push_back(std::move(step));
  ++m_parts.position;
}

void Document::setLabel(std::uint64_t id, const CandidateLabel &label) {
  CandidatePtr *candidate = find(id);
  KeptCandidate changed = **candidate;
  changed.label = label;
  *candidate = std::make_shared<const KeptCandidate>(std::move(changed));
}

CandidatePtr *Document::find(std::uint64_t id) {
  const auto at = std::ranges::lower_bound(m_parts.candidates, id, {}, &KeptCandidate::id);
  return at != m_parts.candidates.end() && (*at)->id == id ? &*at : nullptr;
}

bool Document::isOurs(const Schedule &schedule) const { return schedule.base() == pipeline(); }

Relabel pinned(const Document &document, std::uint64_t id, Pin pin, std::string name) {
  Relabel relabel{std::move(name), {}};
  for (const CandidatePtr &candidate : document.candidates()) {
    CandidateLabel label = candidate->label;
    if (candidate->id == id)
      label.pin = pin;
    else if (pin != Pin::None && label.pin == pin)
      label.pin = Pin::None;
    if (label != candidate->label) relabel.changes.push_back({candidate->id, std::move(label)});
  }
  return relabel;
}

} // namespace tessera::document
