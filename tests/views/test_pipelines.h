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

// input → blur_x → blur_y; the output has 64 × 48 points. blur_y has an update over a reduction,
// and blur_x has a remark.
pipeline::PipelinePtr smallPipeline(const std::string &name = "small");

// smallPipeline() with a scalar parameter of type int16, "levels", whose estimate is `levels`.
pipeline::PipelinePtr scalarPipeline(const std::string &name, const std::string &levels,
                                     pipeline::EstimateSource source);

// smallPipeline(), in which blur_x is an extern stage: the function blur_call computes it.
pipeline::PipelinePtr externPipeline(const std::string &name = "extern");

// A layered DAG of `funcs` funcs over one input. Funcs of the first layer read the input, and all
// others read one to three funcs of earlier layers. The same seed gives the same pipeline.
pipeline::PipelinePtr layeredPipeline(std::uint32_t funcs, std::uint32_t seed);

// A fake engine. What it does depends on the file name:
//   *.hlpipe     opens smallPipeline(), named after the file
//   broken*      is refused
//   noestimates* is refused until an estimate is given
//   contradicts* opens with an estimate of the input that is too small, unless one is given
//   scalar*      opens scalarPipeline(); levels is 8 unless the request gives it; 13 is refused
//   sized*       has two named sizes
//   extern*      opens externPipeline(), whose function is in nothing that was given
//   slow*        waits until it is cancelled
//   generator*   has two generators with parameters, and is not trusted until trust() is called
//   source*      is compiled, once it is trusted: it asks for a folder and a source, then for the
//                type and dimensions of an input
//   source-broken* does not compile
OpenService cannedService();

// The default schedule with its predicted times on a machine without a name.
FoundSchedule defaultFound(const pipeline::PipelinePtr &pipeline);

// A search that finds the default schedule. But if the search is around a schedule, or if a
// decision of that schedule is frozen, it finds that schedule. The pipeline's name can change that:
//   endless*  finds that schedule at once, then goes on until it is stopped
//   refused*  is refused
ScheduleService cannedScheduleService();

// Gives the machine of defaultFound() for every name except "lost".
KernelService cannedKernelService();

// What the fake GPU of cannedMeasureService() does. A test sets this while other threads use the
// GPU.
struct CannedGpu {
  std::atomic<bool> isThere = true;
  std::atomic<Outcome> outcome = Outcome::Ok; // the outcome of later measurements and verifications
  std::atomic<bool> isHeld = false;           // while set, jobs of the GPU wait until stopped
  std::atomic<Outcome> counted = Outcome::Ok; // the outcome of counting with the profiler
  std::atomic<int> asked = 0;                 // measurements and verifications so far
  std::atomic<int> seed = 0;                  // the seed of the last measurement or verification
  std::atomic<std::size_t> givenBytes = 0;    // bytes of the last inputs given to the GPU
  std::atomic<double> givenShare = 0;         // the last tolerance's share; 0: none
};
// A measurement on the GPU "Canned GPU". Kernel n, counted from 1, takes n × 10 µs. A run takes 5
// µs longer than its kernels, and 7 µs more if it allocates memory. The outputs were compared and
// are equal. With counting, kernel n achieves an occupancy of n tenths and moves n megabytes
// of DRAM data.
measure::KeptMeasurement cannedMeasurement(const schedule::Schedule &schedule,
                                           const std::string &contentSha256 = {});
bench::CounterReport cannedCounters(const report::CompileReport &bundle);
// Writes a 16-bit image that is all of one grey: 0x4141. The input of the pipeline "small.hlpipe"
// has 66×48 pixels.
void writeImage(const QString &path, int width, int height);
// Every host has a GPU named "GPU of HOST". "nowhere" cannot be reached, and "slow" does not answer
// until it is stopped.
MeasureService cannedMeasureService(std::shared_ptr<CannedGpu> gpu);

} // namespace tessera::views::test
