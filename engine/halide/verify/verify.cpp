// SPDX-License-Identifier: MIT
#include "engine/halide/verify/verify.h"

#include "engine/halide/verify/driver_compiler.h"
#include "engine/halide/verify/interpreted.h"
#include "engine/halide/verify/kept_outputs.h"
#include "engine/halide/verify/opencl_device.h"
#include "engine/halide/verify/opencl_doubles.h"
#include "engine/halide/verify/opencl_log.h"
#include "engine/halide/verify/realize.h"
#include "engine/halide/verify/reference_run.h"
#include "engine/halide/verify/small_size.h"
#include "engine/base/sha256.h"
#include "engine/halide/compile/apply.h"
#include "engine/halide/file_io.h"
#include "engine/halide/guard.h"
#include "engine/halide/import/cuda_types.h"
#include "engine/halide/import/promises.h"
#include "engine/report/promise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <list>
#include <pthread.h>

namespace tessera::halide {

namespace {

using Halide::Target;

constexpr std::size_t kKept = 6;           // number of references kept
constexpr int kInterpretedCapability = 86; // the newest that Halide 21 lowers for

struct KeptReference {
  std::string key;
  std::shared_ptr<ReferenceRun> run;
};

// Only the host has reciprocals that are approximations of its own.
bool isForHost(const VerifyOptions &options) { return options.target == CompileTarget::Host; }

Result<std::string> keyOf(const PreparedPipeline &prepared, const VerifyOptions &options) {
  nlohmann::json sizes = nlohmann::json::array();
  const auto add = [&](const std::vector<pipeline::Estimate> &dims) {
    for (const pipeline::Estimate &dim : dims)
      sizes.push_back({dim.range.min, dim.range.max});
  };
  for (const Estimates::Input &input : prepared.estimates.inputs) {
    add(input.dims);
    sizes.push_back(input.scalar);
  }
  for (const auto &output : prepared.estimates.outputs)
    add(output);
  nlohmann::json promises = nlohmann::json::array(); // promises determine the layout of buffers
  for (const report::Promise &promise : options.import.promises)
    promises.push_back(textOf(promise));
  nlohmann::json inputs = nlohmann::json::array();
  for (const auto &[input, file] : options.inputs) {
    const auto bytes = readFile(file, std::size_t{4} << 30);
    if (!bytes) return bytes.error();
    inputs.push_back({input, sha256Hex(std::as_bytes(std::span(*bytes)))});
  }
  return nlohmann::json{prepared.loaded.path, prepared.loaded.sha256, sizes, promises, inputs,
                        options.seed,         isForHost(options)}
      .dump();
}

// PoCL keeps the registers of all threads of a block on the stack of one of its own threads. The
// default of 8 MiB overflows with 512 threads of a schedule that needs many registers.
void widenThreadStacks() {
  constexpr std::size_t kStackBytes = std::size_t{256} << 20;
  pthread_attr_t attributes;
  if (::pthread_getattr_default_np(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kStackBytes) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

Result<Target> runTarget(CompileTarget target) {
  const Target host = Halide::get_host_target();
  if (target == CompileTarget::Host) return host;
  const bool cuda = target == CompileTarget::Cuda;
  Target result = cuda ? host.with_feature(Target::CUDA)
                       : withTypesOfDevices(host.with_feature(Target::OpenCL));
  if (cuda) result.set_feature(Target::CUDACapability86);
  if (!Halide::host_supports_target_device(result))
    return Error{ErrorCode::WorkerFailed,
                 cuda ? "this machine has no GPU that CUDA can use"
                      : "this machine has no OpenCL device to run the schedule on",
                 cuda ? "Verify with --target opencl or host, or on a machine with a GPU."
                      : "Install one (Debian: pocl-opencl-icd), or verify with --target host."};
  return result;
}

// Whether the text is that of a failed buffer check at the start of the run: then this size is too
// small for the schedule's tiles.
bool saysTooSmall(const std::string &text) {
  return text.find("put buffer ") != std::string::npos && // matches "Input" and "Output"
         (text.find(" is accessed at ") != std::string::npos ||
          text.find("extent") != std::string::npos || text.find("bounds") != std::string::npos);
}

VerifyResult failed(Outcome outcome, Error error) { return {outcome, {}, std::move(error)}; }

// Compares the outputs with the reference's, and keeps both if a folder is given.
VerifyResult judged(ReferenceRun &reference, const VerifyOptions &options,
                    const RunOutputs &outputs) {
  auto report = reference.judge(outputs, options.tolerance);
  if (!report) return failed(Outcome::CompileError, report.error());
  if (!options.outputs.empty())
    if (const Status written = keepOutputs(reference.outputs(), outputs, options.outputs); !written)
      return failed(Outcome::CompileError, written.error());
  return VerifyResult{Outcome::Ok, std::move(*report), {}};
}

} // namespace

Outcome outcomeOfRun(std::string_view complaint) {
  return complaint.find("OUT_OF_MEMORY") == std::string_view::npos ? Outcome::LaunchError
                                                                   : Outcome::DeviceMemory;
}

struct Verifier::Impl {
  std::list<KeptReference> kept; // most recently used first
  int runs = 0;

  Result<std::shared_ptr<ReferenceRun>>
  referenceFor(const std::shared_ptr<const PreparedPipeline> &prepared,
               const VerifyOptions &options);
  // Returns nullopt if this size is too small for the schedule.
  std::optional<VerifyResult> tryAt(ReferenceRun &reference, const VerifyOptions &options,
                                    const Target &target, bool isLast);
  std::optional<VerifyResult> interpretedAt(ReferenceRun &reference, Halide::Pipeline &pipeline,
                                            const VerifyOptions &options, const Target &target,
                                            bool isLast);
};

Result<std::shared_ptr<ReferenceRun>>
Verifier::Impl::referenceFor(const std::shared_ptr<const PreparedPipeline> &prepared,
                             const VerifyOptions &options) {
  const auto key = keyOf(*prepared, options);
  if (!key) return key.error();
  for (auto at = kept.begin(); at != kept.end(); ++at)
    if (at->key == *key) {
      kept.splice(kept.begin(), kept, at);
      return kept.front().run;
    }
  auto run = ReferenceRun::make(prepared,
                                {options.import, options.seed, options.inputs, isForHost(options)});
  if (!run) return run.error();
  ++runs;
  kept.push_front({*key, std::move(*run)});
  if (kept.size() > kKept) kept.pop_back();
  return kept.front().run;
}

std::optional<VerifyResult> Verifier::Impl::tryAt(ReferenceRun &reference,
                                                  const VerifyOptions &options,
                                                  const Target &target, bool isLast) {
  auto loaded = loadPipeline(options.import.path, options.import.sidecar);
  if (!loaded) return failed(Outcome::CompileError, loaded.error());
  const auto applied = applyDirectives(loaded->pipeline, options.directives);
  if (!applied) return failed(Outcome::CompileError, applied.error());
  auto status = applyPromises(loaded->pipeline, options.import.promises);
  if (!status) return failed(Outcome::CompileError, status.error());
  if (options.isInterpreted)
    return interpretedAt(reference, loaded->pipeline, options, target, isLast);
  if (options.target == CompileTarget::Cuda) status = checkTypesForCuda(loaded->pipeline);
  if (options.target == CompileTarget::OpenCl) {
    status = checkTypesForOpenCl(loaded->pipeline, target);
    keepDoubles(loaded->pipeline);
  }
  if (!status) return failed(Outcome::CompileError, status.error());
  status = guarded("the schedule does not compile", [&]() -> Status {
    loaded->pipeline.compile_jit(target);
    return Done{};
  });
  if (!status) return failed(Outcome::CompileError, status.error());
  std::string complaint;
  Result<RunOutputs> outputs = RunOutputs{};
  try {
    outputs = runPipeline(loaded->pipeline, reference.prepared(), reference.inputs(), target);
  } catch (const Halide::Error &e) {
    complaint = textOf(e);
  }
  if (!complaint.empty()) {
    if (!isLast && saysTooSmall(complaint)) return std::nullopt;
    if (const std::string fault = openClFault(complaint); !fault.empty())
      return failed(Outcome::CompileError,
                    {ErrorCode::InputRefused, "the schedule cannot run with OpenCL: " + fault,
                     "Verify it with --target cuda on a machine with a GPU."});
    return failed(outcomeOfRun(complaint),
                  {ErrorCode::InputRefused, "the schedule does not run: " + complaint, ""});
  }
  if (!outputs) return failed(Outcome::CompileError, outputs.error());
  return judged(reference, options, *outputs);
}

std::optional<VerifyResult> Verifier::Impl::interpretedAt(ReferenceRun &reference,
                                                          Halide::Pipeline &pipeline,
                                                          const VerifyOptions &options,
                                                          const Target &target, bool isLast) {
  auto interpreted = guarded("the schedule does not compile", [&] {
    return interpretPipeline(pipeline, reference.prepared(), reference.inputs(), target);
  });
  if (!interpreted) return failed(Outcome::CompileError, interpreted.error());
  if (!isLast && saysTooSmall(interpreted->complaint)) return std::nullopt;
  if (interpreted->outcome != Outcome::Ok)
    return failed(interpreted->outcome, {ErrorCode::InputRefused, interpreted->complaint, ""});
  return judged(reference, options, interpreted->outputs);
}

Verifier::Verifier() : m_impl(std::make_unique<Impl>()) {}
Verifier::~Verifier() = default;
int Verifier::referenceRuns() const { return m_impl->runs; }

VerifyResult Verifier::verify(const std::shared_ptr<const PreparedPipeline> &full,
                              const VerifyOptions &options, const PhaseCallback &phase) {
  // The stacks are widened only for a verification: with large stacks, a worker with little memory
  // cannot start threads.
  widenThreadStacks();
  if (options.target == CompileTarget::Cuda && !options.isInterpreted)
    letDriverOptimize(options.driverOptimizes);
  const auto target = options.isInterpreted ? halideTarget(options.target, kInterpretedCapability)
                                            : runTarget(options.target);
  if (!target) return failed(Outcome::CompileError, target.error());
  constexpr int kLast = kSizeSteps - 1;
  for (int step = options.small ? firstStep(*full, options.directives) : kLast;; ++step) {
    if (phase) phase("reference", 0.1);
    auto sized = shrunk(full, options.import, options.directives, step);
    if (!sized) return failed(Outcome::CompileError, sized.error());
    const bool isLast = *sized == full;
    auto reference = m_impl->referenceFor(*sized, options);
    if (!reference && !isLast && saysTooSmall(reference.error().message)) continue;
    if (!reference) return failed(Outcome::CompileError, reference.error());
    if (phase) phase("running the schedule", 0.5);
    if (auto result = m_impl->tryAt(**reference, options, *target, isLast)) {
      if (options.small && isLast && result->outcome == Outcome::Ok)
        result->report.remarks.push_back("the schedule was run at the estimated size, because "
                                         "smaller sizes are too small for it");
      return std::move(*result);
    }
  }
}

} // namespace tessera::halide
