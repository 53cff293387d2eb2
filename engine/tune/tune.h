// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/tune_store.h"
#include "engine/bench/gpu_client.h"
#include "engine/learn/weights.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/measure/gpu_bench.h"
#include "engine/search/search.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::tune {

// The modes of the beam search of Anderson et al. 2021 that measure (section 8).
struct BeamPlan {
  std::size_t batches = 1;         // of samples: one by beam search, and 79 greedy ones
  std::size_t measured = SIZE_MAX; // of each batch, those of least cost
  // True: the network that ranks samples is trained before each batch with what was measured.
  bool isTrained = false;
  // What ranks the first batch; null: random weights if they are trained, else the analytic model.
  std::shared_ptr<const learn::Weights> weights = nullptr;
};

struct TuneRequest {
  schedule::Schedule start; // must be legal; its frozen decisions stay
  // True: the start is also measured, as the first candidate.
  bool isStartMeasured = false;
  measure::ScheduledPipeline plain; // what is compiled, with the directives of each candidate
  machine::Machine machine;         // for the cost model
  std::string algorithm = "auto";
  search::ParameterValues parameters = {}; // of the algorithm
  // Not empty: what the algorithm finds with each of these is measured, and nothing else.
  std::vector<search::ParameterValues> grid = {};
  // Likewise, for `beam`: batches of its samples are measured, and nothing else.
  std::optional<BeamPlan> beam = {};
  std::uint64_t seed = 0;
  std::chrono::milliseconds budget{60'000};
  std::size_t candidates = SIZE_MAX; // ends the run when so many were measured or failed
  std::size_t compilers = 2;         // number of workers that compile at once
  // True: kernels are compiled and measured alone, each content once, and a whole candidate only
  // where its kernels together are fast. False: every candidate as a whole.
  bool byKernels = false;

  measure::CompileTarget target;
  std::chrono::milliseconds compileTimeout{60'000}, measureTimeout{30'000};
  bench::MeasureOptions measure; // how to measure; the folders in it are ignored
  std::string scratch;           // a folder for bundles
  std::string reference;         // a folder filled by makeReference(), with its inputs
  measure::GpuBench::Where where = measure::GpuBench::Where::Here; // the GPU's machine
  // Time before the second attempt to reach a lost device; doubles with each further attempt.
  std::chrono::milliseconds pause{500};
};

// How the cost model was trained before a batch.
struct TrainedBatch {
  std::size_t samples = 0; // schedules that were measured until then
  double bestSeconds = 0;  // of the fastest of them
  double loss = 0;         // the mean of a sample, in the last epoch
};

// The progress of a tuning. All values except `known` and `bestSeconds` are those of this run.
struct TuneState {
  std::size_t trainings = 0;                                        // of the cost model
  std::size_t proposed = 0, compiled = 0, measured = 0, failed = 0; // failed: for any cause
  std::size_t kernels = 0;                                          // measured alone
  std::size_t estimated = 0; // candidates whose kernels are too slow to measure the whole
  std::size_t known = 0;     // measured or failed in earlier runs, and not tried again
  std::optional<double> bestSeconds;
  double seconds = 0;
  double compilerBusy = 0, gpuBusy = 0; // 0 to 1

  double perSecond() const {
    return seconds > 0 ? static_cast<double>(measured + estimated + failed) / seconds : 0;
  }
};
using TuneCallback = std::function<void(const TuneState &)>;

struct TuneResult {
  // The fastest candidate with right outputs, from this run or an earlier one.
  std::optional<search::Candidate> best; // its seconds are measured
  TuneState state;
  bool cancelled = false;
  std::optional<Error> error;             // why it ended early; measured results are kept
  std::vector<TrainedBatch> trained = {}; // in this run, batch by batch
  // Why proposals were dropped, if a fault of this program was the cause. The others were tried.
  std::set<std::string> causesOfDropped = {};
};

// Searches, then explores around the best measured schedule: this thread proposes, workers compile,
// one worker measures. If the start is measured too, the result is never slower than the start.
// Every candidate is in the store before it is compiled, and its outcome is stored as soon as it is
// known. So a run continues where an earlier one was killed, and measures nothing twice. Blocking;
// run it as a job. `told` is called in this thread, at most ten times a second.
TuneResult tune(const TuneRequest &request, TuneStore &store, std::int64_t context,
                measure::ScheduleCompiler &compiler, bench::GpuClient &gpu,
                const std::stop_token &stop, const TuneCallback &told = {});

} // namespace tessera::tune
