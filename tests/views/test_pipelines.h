// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "views/flows/kernel_service.h"
#include "views/flows/measure_service.h"
#include "views/flows/open_service.h"
#include "views/flows/schedule_service.h"

#include <atomic>
#include <memory>

namespace tessera::views::test {

// input → blur_x → blur_y, which has an update over a reduction; a remark on blur_x; 64 × 48.
pipeline::PipelinePtr smallPipeline(const std::string &name = "small");

// The same with a scalar of int16, "levels".
pipeline::PipelinePtr scalarPipeline(const std::string &name, const std::string &levels,
                                     pipeline::EstimateSource source);

// A layered DAG of `funcs` funcs over one input, each reading one to three of the layers before.
// Same seed, same pipeline.
pipeline::PipelinePtr layeredPipeline(std::uint32_t funcs, std::uint32_t seed);

// An engine of canned answers, by file name:
//   *.hlpipe     smallPipeline() named after the file
//   broken*      refused        noestimates*  refused until an estimate is given
//   scalar*      scalarPipeline(), 8 levels but for an estimate; refused where they are 13
//   slow*        waits for its cancellation
//   generator*   two generators with parameters, not trusted until trust() is called
OpenService cannedService();

// The default schedule, as the model sees it on a machine without a name.
FoundSchedule defaultFound(const pipeline::PipelinePtr &pipeline);

// A search that finds the default schedule; by the pipeline's name:
//   endless*  finds it at once, then goes on until it is stopped
//   refused*  is refused
ScheduleService cannedScheduleService();

// The machine of defaultFound() by every name, but "lost".
KernelService cannedKernelService();

// A GPU as a test wishes it, while it is asked from other threads.
struct CannedGpu {
  std::atomic<bool> isThere = true;
  std::atomic<Outcome> outcome = Outcome::Ok; // of what is measured, and verified, from now on
  std::atomic<bool> isHeld = false; // a measurement waits for this to end, or to be stopped
  std::atomic<Outcome> counted = Outcome::Ok; // of counting, where that is wished
  std::atomic<int> asked = 0;                 // measurements and verifications so far
  std::atomic<int> seed = 0;                  // of the last of them
  std::atomic<std::size_t> givenBytes = 0;    // what its inputs were given
};
// Measures "Canned GPU": a kernel takes 10 µs for each number from 1, a run 5 µs more, and 7 µs
// more where it allocates; the outputs were compared and equal. Where it counts, a kernel achieves
// a tenth of its number and moves as many megabytes.
measure::KeptMeasurement cannedMeasurement(const schedule::Schedule &schedule,
                                           const std::string &contentSha256 = {});
bench::CounterReport cannedCounters(const report::CompileReport &bundle);
// Of 16 bits, all of one grey: 0x4141. The canned pipeline "small.hlpipe" takes 66×48.
void writeImage(const QString &path, int width, int height);
// Any host has a "GPU of it"; "nowhere" cannot be reached, "slow" does not answer until it is
// stopped.
MeasureService cannedMeasureService(std::shared_ptr<CannedGpu> gpu);

} // namespace tessera::views::test
