// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"
#include "engine/measure/kept_measurement.h"
#include "engine/document/kept_verification.h"
#include "engine/open/open.h"
#include "engine/measure/run_inputs.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tessera::document {

// What a document computes, whole: it opens where neither the user's file nor Halide is.
struct PipelineCopy {
  open::OpenRequest request; // how it was opened
  open::SourceKind kind = open::SourceKind::SerializedPipeline;
  std::string sha256;                            // of the user's file then
  std::string serialized;                        // what a compiler reads (.hlpipe)
  std::string sidecar;                           // its text; empty: none
  std::vector<open::EstimateOverride> estimates; // all that were asked for
  std::string contentSha256; // of all three; empty: they are not read yet. Times belong to it
  pipeline::PipelinePtr pipeline;
};
using PipelineCopyPtr = std::shared_ptr<const PipelineCopy>;

enum class CandidateOrigin : std::uint8_t { Search, User, Imported, Manual, Default, Peer };
enum class Pin : std::uint8_t { None, A, B };
std::string_view name(CandidateOrigin origin); // "search"
std::string_view name(Pin pin);                // "none", "a", "b"

// What the user says of a candidate.
struct CandidateLabel {
  std::string name, note;
  Pin pin = Pin::None;
  bool isQuarantined = false; // it killed a worker, or is not trusted
  bool isRemoved = false;     // from the list; undo brings it back

  friend bool operator==(const CandidateLabel &, const CandidateLabel &) = default;
};

// A schedule that the document keeps, with all that is known of it.
struct KeptCandidate {
  std::uint64_t id = 0; // given by the document, never twice
  CandidateLabel label;
  CandidateOrigin origin = CandidateOrigin::Search;
  std::string from; // the algorithm, or the file
  schedule::Schedule schedule;
  std::string machine; // that the prediction is for
  std::optional<double> predictedSeconds;
  std::optional<measure::KeptMeasurement> measurement; // the last
  std::vector<measure::KeptMeasurement> earlier;       // those before it, the newest first
  std::optional<KeptVerification> verification;        // the last

  // Of one that was measured all day; the oldest go.
  static constexpr std::size_t kMostEarlier = 31;
};
using CandidatePtr = std::shared_ptr<const KeptCandidate>;

// The operations on a document. All that happens to one is one of these, so that a journal of them
// is complete.
struct EditSchedule { // a step of the history
  std::string name;   // "Tile of blur_x", for the menu
  schedule::Schedule schedule;
};
struct Relabel { // a step of the history
  struct Change {
    std::uint64_t id = 0;
    CandidateLabel label;
  };
  std::string name;
  std::vector<Change> changes;
};
struct Undo {};
struct Redo {};
struct AddCandidate { // the id is ignored
  KeptCandidate candidate;
};
struct SetMeasurement {
  std::uint64_t id = 0;
  measure::KeptMeasurement measurement;
};
struct SetVerification {
  std::uint64_t id = 0;
  KeptVerification verification;
};
struct SetTarget { // what is scheduled with
  std::string machine, algorithm;
};
struct SetInputs {  // a step of the history
  std::string name; // "Input photo.png", for the menu
  measure::RunInputs inputs;
};
using Operation = std::variant<EditSchedule, Relabel, Undo, Redo, AddCandidate, SetMeasurement,
                               SetVerification, SetTarget, SetInputs>;
bool isNewStep(const Operation &operation); // behind which nothing is left to redo

// What the user has open: a pipeline, the schedule that is current, the way to it, and the
// candidates. A value: copies share schedules and candidates.
//
// Undo takes back what the user did: edits, labels and inputs. What was found stays: candidates,
// measurements and verifications are in no step.
class Document {
public:
  struct LabelChange {
    std::uint64_t id = 0;
    CandidateLabel before, after;
  };
  struct InputChange {
    measure::RunInputs before, after;
  };
  struct Step {
    std::string name;
    std::optional<schedule::Schedule> schedule; // current behind the step; none: none is
    std::vector<LabelChange> labels;
    std::optional<InputChange> inputs; // none: they stay
  };
  // As a file has them; create() checks that they fit together.
  struct Parts {
    PipelineCopyPtr source;
    std::string machine, algorithm;
    measure::RunInputs inputs;               // that are chosen
    std::optional<schedule::Schedule> start; // before the first step
    std::vector<Step> steps;
    std::size_t position = 0;
    std::vector<CandidatePtr> candidates;
    std::uint64_t nextId = 1;
  };

  explicit Document(PipelineCopyPtr source);
  static Result<Document> create(Parts parts);
  const Parts &parts() const { return m_parts; }

  const PipelineCopy &source() const { return *m_parts.source; }
  const pipeline::PipelinePtr &pipeline() const { return m_parts.source->pipeline; }

  // The files of the same pipeline, which take longer to read than to open a document.
  void complete(PipelineCopyPtr source);

  // Refused, and nothing is changed: no such candidate, nothing to undo, a schedule of another
  // pipeline.
  Status apply(const Operation &operation);

  const std::optional<schedule::Schedule> &current() const;
  const measure::RunInputs &inputs() const { return m_parts.inputs; }
  // Names of what would be undone or redone; null: nothing.
  const std::string *undoName() const;
  const std::string *redoName() const;

  std::span<const CandidatePtr> candidates() const { return m_parts.candidates; } // removed too
  CandidatePtr candidate(std::uint64_t id) const;                                 // null: none
  // With these decisions, predicted for that machine; null: none. Marks do not count.
  CandidatePtr candidateWith(const schedule::Schedule &schedule, std::string_view machine) const;
  // What anything that is found out now is of, and what would be of a candidate.
  measure::Basis basis() const;
  measure::Basis basisOf(const KeptCandidate &candidate) const;
  // Of the measurement that a candidate has.
  measure::Freshness freshnessOf(const KeptCandidate &candidate) const;
  // Whether it has one that counts: fresh, its outputs checked.
  bool isMeasured(const KeptCandidate &candidate) const;
  measure::Freshness freshnessOfVerification(const KeptCandidate &candidate) const; // that it has

private:
  Status perform(const EditSchedule &edit);
  Status perform(const Relabel &relabel);
  Status perform(const Undo &);
  Status perform(const Redo &);
  Status perform(const AddCandidate &add);
  Status perform(const SetMeasurement &measured);
  Status perform(const SetVerification &verified);
  Status perform(const SetTarget &target);
  Status perform(const SetInputs &chosen);

  void push(Step step);
  void setLabel(std::uint64_t id, const CandidateLabel &label);
  CandidatePtr *find(std::uint64_t id);
  bool isOurs(const schedule::Schedule &schedule) const;

  Parts m_parts;
};

// The relabelling that gives a pin to one candidate and takes it from whoever has it.
Relabel pinned(const Document &document, std::uint64_t id, Pin pin, std::string name);

} // namespace tessera::document
