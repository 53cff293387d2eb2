// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/decision.h"
#include "engine/schedule/derivation.h"
#include "engine/schedule/persistent_array.h"
#include "engine/schedule/plan.h"
#include "engine/pipeline/pipeline.h"
#include "engine/report/promise.h"

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tessera::schedule {

struct Settings {
  // Halide's CUDA runtime compiles kernels with at most this many registers per thread. Its own
  // default is 64.
  int registerCap = 64;
  std::vector<report::Promise> promises;

  friend bool operator==(const Settings &, const Settings &) = default;
};

// All decisions about a pipeline, as a value: undo, comparison, search, export and freezing work on
// it.
//
// A schedule refers to a pipeline that already contains the funcs that the schedule adds, and uses
// the ids of that pipeline. Copies share memory. Two schedules with the same decisions are equal,
// even if their marks (who made a decision) differ.
class Schedule {
public:
  // Every func becomes a kernel of its own with plain serial loops. This is a starting point: it is
  // not yet legal on a GPU.
  explicit Schedule(pipeline::PipelinePtr base);

  const pipeline::PipelinePtr &base() const { return m_base; }
  const pipeline::PipelinePtr &pipeline() const { return m_pipeline; }
  std::span<const Derivation> derivations() const { return *m_derivations; }

  const FuncPlan &plan(pipeline::FuncId func) const {
    return m_plans[pipeline::checkedIndex(func, m_plans.size())].plan;
  }
  const StagePlan &plan(pipeline::StageId stage) const {
    const pipeline::Stage &of = m_pipeline->stage(stage);
    return plan(of.func).stages[of.index];
  }
  // Throws pipeline::ForeignId if the plan has another number of stages than the func. Whether the
  // loops that it names are there is asked by the rules.
  void set(pipeline::FuncId func, FuncPlan plan);
  // Sets the factor of the split whose outer loop is `cut`. The plan is changed in place, unless a
  // copy of the schedule shares it.
  void setFactor(pipeline::StageId stage, LoopRef cut, std::int64_t factor);

  // Adds a func. The ids of later funcs and stages rise, and places are adjusted. The new func
  // becomes a kernel of its own with plain loops, and so does every func whose loops change with
  // it.
  Status add(const Derivation &derivation);
  // Adds many funcs at once and leaves out those that are refused.
  Status addPossible(std::span<const Derivation> derivations);
  // Removes added funcs and their marks. Fails if other funcs are derived from them or are computed
  // in their loops.
  Status drop(const std::set<std::string> &added);

  const Settings &settings() const { return *m_settings; }
  void set(Settings settings);

  Mark mark(const DecisionKey &key) const;
  const Marks &marks() const { return *m_marks; }
  void setMark(const DecisionKey &key, Mark mark);
  void setMarks(Marks marks);

  // The hash of a schedule is the same on every machine and in every run.
  std::uint64_t hash() const { return m_hash; }
  // The hash of all that is not a plan: the settings and the added funcs. Schedules of one pipeline
  // with the same hash give the same ids to their funcs, and may exchange plans.
  std::uint64_t frameHash() const;
  // Coarser hashes, which put similar schedules into one bucket. Depth 0 covers only which func is
  // computed in which stage. Depth 1 adds the kind of loop at which it is computed, 2 adds storage,
  // 3 adds the kinds and the order of loops, 4 adds the size class of factors, and 5 covers
  // everything.
  std::uint64_t hash(int depth) const;

  friend bool operator==(const Schedule &a, const Schedule &b);
  // The funcs whose plans differ between this and another schedule of the same pipeline, sorted by
  // id.
  std::vector<pipeline::FuncId> plannedOtherwise(const Schedule &other) const;

private:
  struct HashedPlan {
    FuncPlan plan;
    std::uint64_t hash = 0;
  };
  void reset(pipeline::PipelinePtr pipeline, std::vector<FuncPlan> plans);
  // Makes the schedule refer to a pipeline with different added funcs. Funcs that are in both
  // pipelines, with the same loops, keep their decisions.
  void moveTo(pipeline::PipelinePtr pipeline, std::vector<Derivation> derivations);

  pipeline::PipelinePtr m_base, m_pipeline;
  std::shared_ptr<const std::vector<Derivation>> m_derivations;
  std::shared_ptr<const Settings> m_settings;
  std::shared_ptr<const Marks> m_marks;
  PersistentArray<HashedPlan> m_plans;
  std::uint64_t m_hash = 0; // sum over plans and settings, so that an edit changes one term
};

// The stages that read a func, directly or through inlined funcs. A stage may occur twice.
std::vector<pipeline::StageId> readersOf(const Schedule &schedule, pipeline::FuncId func);

} // namespace tessera::schedule
