// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"
#include "engine/bench/input_folder.h"
#include "engine/pipeline/pipeline.h"
#include "engine/measure/compile.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

// Where a bundle that is to be measured keeps what its outputs have to be.
std::string referenceFolderOf(const std::string &bundle);
// The same, or empty where nobody has made it.
std::string referenceIn(const std::string &bundle);
bool isBundle(const std::string &path);
// Whether this folder is one that makeReference() has filled.
bool isReference(const std::string &folder);

struct BenchBundleRequest {
  CompileRequest compile; // for CUDA; its output is the bundle
  pipeline::PipelinePtr pipeline;
  std::vector<bench::GivenInput> inputs; // by the user; the others are random
  std::uint64_t seed = 1;
  std::chrono::milliseconds referenceTimeout{600'000};
};

// A bundle together with its reference: the pipeline with every func in memory of its own, compiled
// for this host and run once. No GPU takes part. `gpu` is a worker of this machine.
struct BenchBundle {
  report::CompileReport report;
  std::string reference;            // its folder; empty: there is none
  std::vector<std::string> remarks; // why not
};
Result<BenchBundle> makeBenchBundle(ScheduleCompiler &compiler, bench::GpuClient &gpu,
                                    const BenchBundleRequest &request, std::stop_token stop = {},
                                    const job::ProgressCallback &progress = {});

// The reference alone, into a folder of its own, and the inputs that the user gave beside it; of
// `request.compile` the pipeline counts.
Status makeReference(ScheduleCompiler &compiler, bench::GpuClient &gpu,
                     const BenchBundleRequest &request, const std::string &folder,
                     const std::stop_token &stop = {});

} // namespace tessera::measure
