// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/id_space.h"
#include "engine/pipeline/stage.h"
#include "engine/base/result.h"

#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace tessera::pipeline {

// A buffer or scalar that the caller passes in. `stagingFunc` is the name of Halide's own handle
// for it (`NAME_im`), which is no stage of the pipeline. Loads of that func appear as loads of the
// input.
struct Input {
  std::string name;
  ScalarType type;
  bool isScalar = false;
  std::vector<Estimate> dims; // empty for scalars
  std::string scalarEstimate; // as text, exact for every type; empty: no estimate
  EstimateSource scalarSource = EstimateSource::None;
  std::string stagingFunc;

  friend bool operator==(const Input &, const Input &) = default;
};

struct Output {
  FuncId func{};
  std::vector<Estimate> dims;

  friend bool operator==(const Output &, const Output &) = default;
};

// The schedule that the file already contained, with one entry for each stage that is not at
// Halide's default. The directives are kept as text.
struct FoundSchedule {
  StageId stage{};
  std::vector<std::string> directives;

  friend bool operator==(const FoundSchedule &, const FoundSchedule &) = default;
};

// A message for the user about something that did not stop the import.
struct Remark {
  std::string subject; // a func, stage or input
  std::string text;

  friend bool operator==(const Remark &, const Remark &) = default;
};

// The size of an input or output, by its name.
struct NamedSize {
  std::string name;
  Box size;

  friend bool operator==(const NamedSize &, const NamedSize &) = default;
};

// Estimates that contradict the pipeline, so that no schedule of it can run. Examples are an input
// that is read beyond its end, and a size that the generator does not accept.
struct EstimateConflicts {
  std::vector<Remark> found;  // empty: the estimates fit
  std::vector<NamedSize> fit; // the sizes with which the pipeline can run; empty: none are known

  friend bool operator==(const EstimateConflicts &, const EstimateConflicts &) = default;
};

// The parts of a pipeline, as the worker delivers them. Pipeline::create() checks them.
struct PipelineParts {
  std::string name;
  std::string halideVersion;
  std::vector<Input> inputs;
  std::vector<Func> funcs;   // producers before consumers
  std::vector<Stage> stages; // sorted by func, then index
  std::vector<Output> outputs;
  std::vector<FoundSchedule> foundSchedule;
  std::vector<Remark> remarks;
  EstimateConflicts conflicts;

  const std::string &producerName(Producer producer) const;
  // The estimated region of a func or input. Infinite if an input has no estimate.
  Box producerRegion(Producer producer) const;

  friend bool operator==(const PipelineParts &, const PipelineParts &) = default;
};

// The algorithm, as an immutable value that all threads share. It is built once from parts and
// checks them completely, so that no user of it has to.
class Pipeline {
public:
  static Result<std::shared_ptr<const Pipeline>> create(PipelineParts parts);

  const std::string &name() const { return m_parts.name; }
  const std::string &halideVersion() const { return m_parts.halideVersion; }
  std::span<const Input> inputs() const { return m_parts.inputs; }
  std::span<const Func> funcs() const { return m_parts.funcs; }
  std::span<const Stage> stages() const { return m_parts.stages; }
  std::span<const Output> outputs() const { return m_parts.outputs; }
  std::span<const Edge> edges() const { return m_edges; }
  std::span<const FoundSchedule> foundSchedule() const { return m_parts.foundSchedule; }
  std::span<const Remark> remarks() const { return m_parts.remarks; }
  const EstimateConflicts &conflicts() const { return m_parts.conflicts; }

  // All functions that take an id throw ForeignId if it is out of range.
  const Func &func(FuncId id) const { return at(m_parts.funcs, id); }
  const Stage &stage(StageId id) const { return at(m_parts.stages, id); }
  const Input &input(InputId id) const { return at(m_parts.inputs, id); }
  const Edge &edge(EdgeId id) const { return at(m_edges, id); }

  const IdSpace &ids() const { return m_ids; }
  // Throws ForeignId unless ids of this space are ids of this pipeline.
  void requireIds(const IdSpace &ids) const;

  std::vector<FuncId> allFuncs() const; // in ascending order
  std::span<const Stage> stagesOf(FuncId id) const;
  auto stageIdsOf(FuncId id) const {
    const auto first = static_cast<std::uint32_t>(func(id).firstStage);
    return std::views::iota(first, first + func(id).stageCount) |
           std::views::transform([](std::uint32_t stage) { return StageId{stage}; });
  }
  std::span<const EdgeId> edgesInto(StageId consumer) const; // what a stage reads
  std::span<const EdgeId> edgesFrom(FuncId producer) const;  // the stages that read a func
  // Where the stage writes, by dimension. A map that does not fit OneLoopMap is empty.
  std::span<const OneLoopMap> storeMaps(StageId id) const { return at(m_storeMaps, id); }

  // "f" for a pure definition, "f.update(0)" for the first update.
  std::string stageName(StageId id) const;
  const std::string &producerName(Producer producer) const {
    return m_parts.producerName(producer);
  }
  Box producerRegion(Producer producer) const { return m_parts.producerRegion(producer); }

  const PipelineParts &parts() const { return m_parts; }

private:
  Pipeline() = default;

  template <typename Item, typename Id>
  static const Item &at(const std::vector<Item> &items, Id id) {
    return items[checkedIndex(id, items.size())];
  }

  PipelineParts m_parts;
  IdSpace m_ids;
  std::vector<Edge> m_edges;
  std::vector<std::vector<EdgeId>> m_edgesInto;     // by stage
  std::vector<std::vector<EdgeId>> m_edgesFrom;     // by func
  std::vector<std::vector<OneLoopMap>> m_storeMaps; // by stage
};

using PipelinePtr = std::shared_ptr<const Pipeline>;

} // namespace tessera::pipeline
