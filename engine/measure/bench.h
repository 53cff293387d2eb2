// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/compile.h"
#include "engine/bench/gpu_client.h"
#include "engine/bench/input_folder.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

// Where a bundle to be measured keeps its reference outputs.
std::string referenceFolderOf(const std::string &bundle);
// The folder of a bundle's reference; empty if the bundle has no reference.
std::string referenceIn(const std::string &bundle);
bool isBundle(const std::string &path);
// Whether makeReference() has filled this folder.
bool isReference(const std::string &folder);

struct BenchBundleRequest {
  CompileRequest compile;                // for CUDA; its `output` is the folder of the bundle
  std::vector<bench::GivenInput> inputs; // inputs from the user; the others are random
  std::uint64_t seed = 1;
  std::chrono::milliseconds referenceTimeout{600'000};
};

// A bundle together with its reference outputs. They come from runs of the pipeline on the CPU,
// with every func in memory of its own. `gpu` is a tessera-gpu process on this machine, which does
// these runs and needs no GPU for it.
struct BenchBundle {
  report::CompileReport report;
  std::string reference;            // folder of the reference; empty: none
  std::vector<std::string> remarks; // why there is no reference
};
Result<BenchBundle> makeBenchBundle(ScheduleCompiler &compiler, bench::GpuClient &gpu,
                                    const BenchBundleRequest &request, std::stop_token stop = {},
                                    const job::ProgressCallback &progress = {});

// Makes only the reference, in `folder`, together with the user's inputs. The schedule, the target
// and the output of `request.compile` are replaced.
Status makeReference(ScheduleCompiler &compiler, bench::GpuClient &gpu,
                     const BenchBundleRequest &request, const std::string &folder,
                     const std::stop_token &stop = {});

// A remark for the user that says why the outputs of a measurement were not checked.
std::string withoutReference(const Error &why);

} // namespace tessera::measure
