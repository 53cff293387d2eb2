// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/kept_verification.h"
#include "engine/base/result.h"
#include "engine/measure/kept_measurement.h"
#include "engine/measure/run_inputs.h"
#include "engine/open/open.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tessera::document {

// A complete copy of the pipeline of a document, so that the document opens without the user's file
// and without Halide.
struct PipelineCopy {
  open::OpenRequest request; // how it was opened
  open::SourceKind kind = open::SourceKind::SerializedPipeline;
  std::string sha256;                            // checksum of the user's file at that time
  std::string serialized;                        // what a compiler reads (.hlpipe)
  std::string sidecar;                           // text of the sidecar; empty: none
  std::vector<open::EstimateOverride> estimates; // all requested estimates
  // Checksum of serialized, sidecar and estimates; empty: not read yet. Measured times are valid
  // for this content.
  std::string contentSha256;
  pipeline::PipelinePtr pipeline;
};
using PipelineCopyPtr = std::shared_ptr<const PipelineCopy>;

enum class CandidateOrigin : std::uint8_t { Search, User, Imported, Manual, Default, Peer };
enum class Pin : std::uint8_t { None, A, B };
std::string_view name(CandidateOrigin origin); // "search"
std::string_view name(Pin pin);                // "none", "a", "b"

// The part of a candidate that can be changed. Undo takes back its changes.
struct CandidateLabel {
  std::string name, note;
  Pin pin = Pin::None;
  bool isQuarantined = false; // it killed a worker, or is not trusted
  bool isRemoved = false;     // true: removed from the list; undo restores it

  friend bool operator==(const CandidateLabel &, const CandidateLabel &) = default;
};

// A schedule that the document keeps, with all that is known about it.
struct KeptCandidate {
  std::uint64_t id = 0; // assigned by the document, never reused
  CandidateLabel label;
  CandidateOrigin origin = CandidateOrigin::Search;
  std::string from; // the algorithm or file it comes from
  schedule::Schedule schedule;
  std::string machine; // the machine of the prediction
  std::optional<double> predictedSeconds;
  std::optional<measure::KeptMeasurement> measurement; // the latest
  std::vector<measure::KeptMeasurement> earlier;       // earlier ones, newest first
  std::optional<KeptVerification> verification;        // the latest

  // How many earlier measurements are kept for a candidate that is measured repeatedly; older ones
  // are dropped.
  static constexpr std::size_t kMostEarlier = 31;
};
using CandidatePtr = std::shared_ptr<const KeptCandidate>;

// The operations on a document. Every change of a document is one of these, so a journal of
// operations is complete.
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
struct SetTarget { // the machine and algorithm for scheduling
  std::string machine, algorithm;
};
struct SetInputs {  // a step of the history
  std::string name; // "Input photo.png", for the menu
  measure::RunInputs inputs;
};
using Operation = std::variant<EditSchedule, Relabel, Undo, Redo, AddCandidate, SetMeasurement,
                               SetVerification, SetTarget, SetInputs>;
bool isNewStep(const Operation &operation); // whether it discards the steps to redo

// The user's open document: a pipeline, the current schedule, the history and the candidates. It is
// a value: copies share schedules and candidates.
//
// Undo takes back the user's actions: edits, labels and inputs. Results stay: candidates,
// measurements and verifications are not part of any step.
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
    std::optional<schedule::Schedule> schedule; // the schedule after the step; may be none
    std::vector<LabelChange> labels;
    std::optional<InputChange> inputs; // nullopt: unchanged
  };
  // All data of a document, as its file stores them. create() checks that they are consistent.
  struct Parts {
    PipelineCopyPtr source;
    std::string machine, algorithm;
    measure::RunInputs inputs;               // the chosen inputs
    std::optional<schedule::Schedule> start; // the schedule before the first step
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

  // Adds the files of the same pipeline. They come later because reading them takes longer than
  // opening the document.
  void complete(PipelineCopyPtr source);

  // Fails without changing anything if there is no such candidate, if there is nothing to undo or
  // redo, if labels or inputs would stay as they are, or if the schedule is of another pipeline.
  Status apply(const Operation &operation);

  const std::optional<schedule::Schedule> &current() const;
  const measure::RunInputs &inputs() const { return m_parts.inputs; }
  // The name of the step that would be undone or redone; null if there is none.
  const std::string *undoName() const;
  const std::string *redoName() const;

  // All candidates, including those that the user has removed.
  std::span<const CandidatePtr> candidates() const { return m_parts.candidates; }
  CandidatePtr candidate(std::uint64_t id) const; // null: none
  // The candidate with the decisions of `schedule` and a prediction for `machine`, or null. Marks
  // are ignored.
  CandidatePtr candidateWith(const schedule::Schedule &schedule, std::string_view machine) const;
  // The basis of a result that is obtained now. basis() contains no hash of a schedule, basisOf()
  // contains the hash of the candidate's schedule.
  measure::Basis basis() const;
  measure::Basis basisOf(const KeptCandidate &candidate) const;
  // The freshness of the candidate's measurement.
  measure::Freshness freshnessOf(const KeptCandidate &candidate) const;
  // Whether the candidate has a valid measurement: fresh, and with outputs equal to the
  // reference's.
  bool isMeasured(const KeptCandidate &candidate) const;
  measure::Freshness freshnessOfVerification(const KeptCandidate &candidate) const;

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

// The operation that gives a pin to one candidate and removes it from its current owner.
Relabel pinned(const Document &document, std::uint64_t id, Pin pin, std::string name);

} // namespace tessera::document
