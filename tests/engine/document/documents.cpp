// SPDX-License-Identifier: MIT
#include "tests/engine/document/documents.h"

#include "engine/document/document_json.h"
#include "engine/document/pipeline_copy.h"
#include "engine/pipeline/json.h"
#include "tests/engine/schedule/scheduled.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace tessera::document::test {

namespace {

using schedule::Schedule;

void apply(Document &document, const Operation &operation) {
  if (const Status done = document.apply(operation); !done)
    throw std::logic_error(done.error().message);
}

std::string textOf(const std::optional<Schedule> &schedule) {
  return schedule ? nlohmann::ordered_json(schedule->hash()).dump() : "none";
}

bool same(const std::optional<Schedule> &a, const std::optional<Schedule> &b) {
  return a == b && (!a || a->marks() == b->marks());
}

} // namespace

PipelineCopyPtr exampleSource() {
  PipelineCopy source;
  source.request.path = "/pipelines/blur.hlpipe";
  source.request.parameters = {{"radius", "3"}};
  source.request.estimates = {{"in", {{0, 65}, {0, 65}}, {}}, {"alpha", {}, "0.25"}};
  source.estimates = source.request.estimates;
  source.sha256 = std::string(64, 'a');
  source.serialized = std::string("HLPIPE\0\xff\n{\"section\":", 20);
  source.sidecar = "{}\n";
  source.pipeline = schedule::testing::scheduled("input in 66 66\n"
                                                 "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                                 "func h(x) 64 = f(x; 0)\n"
                                                 "update h(x) r:0:64 = h(x) in(x; r)\n"
                                                 "func g(x y) 64 64 = f(x+[0,2]; y) h(x)\n"
                                                 "output g\n",
                                                 "")
                        .base();
  source.contentSha256 = contentSha256Of(source);
  return std::make_shared<const PipelineCopy>(std::move(source));
}

Schedule variant(const Document &document, int factor) {
  return schedule::testing::scheduled(
      document.pipeline(),
      "h compute_root | gpu_threads x\nf compute_root | gpu_blocks y | gpu_threads x\n"
      "g split x xo xi " +
          std::to_string(factor) +
          " guard_with_if | reorder xi y xo | gpu_blocks xo | gpu_threads xi");
}

Schedule marked(Schedule schedule) {
  const pipeline::FuncId func = schedule::testing::funcOf(schedule, "g");
  schedule.setMark({func, 0, schedule::DecisionKind::Factors, 0}, {schedule::Origin::User, true});
  return schedule;
}

KeptCandidate candidateOf(const Schedule &schedule, const std::string &name) {
  return {
      0, {name, {}, {}, false, false}, CandidateOrigin::Search, "auto", schedule, "h200", 1.25e-4,
      {}};
}

measure::KeptMeasurement exampleMeasurement() {
  measure::KeptMeasurement measurement;
  measurement.times.machine = "NVIDIA H200";
  measurement.times.date = "2026-11-22T11:05:00Z";
  measurement.times.backToBack = {1e-4, 0.9e-4, 1.1e-4, 30};
  return measurement;
}

measure::KeptMeasurement measurementOf(const Document &document, const Schedule &schedule) {
  measure::KeptMeasurement measurement = exampleMeasurement();
  measurement.of.scheduleHash = schedule.hash();
  measurement.of.contentSha256 = document.source().contentSha256;
  measurement.bundle.pipeline = document.pipeline()->name();
  report::KernelReport kernel;
  kernel.name = "k0_g_s0";
  kernel.stages = {{"g", 0}};
  measurement.bundle.kernels = {kernel};
  measurement.bundle.allocations = {{"f", 4096, 1}};
  return measurement;
}

KeptVerification verificationOf(const Document &document, const Schedule &schedule) {
  KeptVerification verification;
  report::OutputComparison output;
  output.name = "g";
  output.elements = 64 * 64;
  verification.report = {{output}, {"It ran as loops."}};
  verification.api = measure::GpuApi::Host;
  verification.date = "2026-11-22T11:06:00Z";
  verification.program = "0.1.0 (0123456789ab)";
  verification.of.scheduleHash = schedule.hash();
  verification.of.contentSha256 = document.source().contentSha256;
  return verification;
}

Document exampleDocument() {
  Document document(exampleSource());
  apply(document, SetTarget{"h200", "auto"});
  apply(document, EditSchedule{"Schedule (auto)", variant(document, 16)});
  apply(document, AddCandidate{candidateOf(variant(document, 16), "auto 1")});
  apply(document, EditSchedule{"Tile of g", variant(document, 8)});
  apply(document, EditSchedule{"Freeze the tile of g", marked(variant(document, 8))});
  apply(document, AddCandidate{candidateOf(marked(variant(document, 8)), "mine \"8\"\n")});
  apply(document, SetMeasurement{1, exampleMeasurement()});
  apply(document, pinned(document, 2, Pin::B, "Pin as B"));
  apply(document, EditSchedule{"Tile of g", variant(document, 32)});
  apply(document, Undo{});
  return document;
}

Document fullDocument() {
  Document document = exampleDocument();
  apply(document, SetMeasurement{2, measurementOf(document, document.candidate(2)->schedule)});
  apply(document, SetVerification{2, verificationOf(document, document.candidate(2)->schedule)});
  measure::RunInputs inputs = measure::RunInputs().with("in", "/there/photo.npy");
  inputs.tolerance = {.relative = 1e-3, .share = 0.01};
  apply(document, SetInputs{"Input in from photo.npy", inputs});
  return document;
}

Document sized(int width, std::string serialized) {
  PipelineCopy source = *exampleSource();
  source.request.estimates[0].dims[0].max = width - 1;
  source.estimates = source.request.estimates;
  if (!serialized.empty()) source.serialized = std::move(serialized);
  source.contentSha256 = contentSha256Of(source);
  Document document(std::make_shared<const PipelineCopy>(std::move(source)));
  apply(document, EditSchedule{"Tile of g", variant(document, 4)});
  apply(document, AddCandidate{candidateOf(variant(document, 4), "auto 1")});
  return document;
}

SizeHistory exampleSizes() {
  return SizeHistory::of(
      {{sized(32), {}, "Size small"}, {fullDocument(), {}, "Size large"}},
      {{sized(256, "another"), {}, "in = 256", 1}, {sized(128), {}, "Sizes", 3}});
}

std::string difference(const Document &a, const Document &b) {
  const Document::Parts &left = a.parts(), &right = b.parts();
  if (left.machine != right.machine || left.algorithm != right.algorithm) return "the target";
  if (left.inputs != right.inputs) return "the inputs";
  if (toJson(*left.source) != toJson(*right.source) ||
      left.source->serialized != right.source->serialized ||
      left.source->sidecar != right.source->sidecar)
    return "the pipeline";
  if (!same(left.start, right.start)) return "the start";
  if (!same(a.current(), b.current()))
    return "what is current: " + textOf(a.current()) + " and " + textOf(b.current());
  if (left.position != right.position || left.steps.size() != right.steps.size())
    return "the place in the history";
  for (std::size_t i = 0; i < left.steps.size(); ++i)
    if (left.steps[i].name != right.steps[i].name ||
        !same(left.steps[i].schedule, right.steps[i].schedule) ||
        left.steps[i].inputs.has_value() != right.steps[i].inputs.has_value() ||
        (left.steps[i].inputs && (left.steps[i].inputs->before != right.steps[i].inputs->before ||
                                  left.steps[i].inputs->after != right.steps[i].inputs->after)))
      return "step " + std::to_string(i);
  if (left.candidates.size() != right.candidates.size()) return "the number of candidates";
  for (std::size_t i = 0; i < left.candidates.size(); ++i)
    if (toJson(*left.candidates[i]) != toJson(*right.candidates[i]))
      return "candidate " + std::to_string(i);
  return {};
}

std::string difference(const SizeHistory &a, const SizeHistory &b) {
  if (a.behind().size() != b.behind().size() || a.ahead().size() != b.ahead().size())
    return "the number of sizes";
  for (const auto &[left, right] : {std::pair(&a.behind(), &b.behind()), {&a.ahead(), &b.ahead()}})
    for (std::size_t i = 0; i < left->size(); ++i) {
      const SizeHistory::Entry &one = (*left)[i], &other = (*right)[i];
      if (one.step != other.step || one.leftAt != other.leftAt) return "the way to " + one.step;
      if (const auto found = difference(one.document, other.document); !found.empty())
        return one.step + ": " + found;
    }
  return {};
}

} // namespace tessera::document::test
