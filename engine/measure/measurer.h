// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/compile.h"
#include "engine/measure/gpu_bench.h"
#include "engine/measure/kept_measurement.h"
#include "engine/bench/gpu_client.h"
#include "engine/bench/input_folder.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::file {
class ScratchFolder;
}

namespace tessera::measure {

struct MeasureRequest {
  open::PipelineFiles file; // the pipeline without a schedule
  schedule::Schedule schedule;
  std::string contentSha256;     // of `file` (PipelineCopy); identifies the reference
  bench::MeasureOptions options; // the folders in it are ignored
  bool counts = false;           // also count with NVIDIA's profiler, if the driver permits
  std::chrono::milliseconds timeout{60'000};
  std::vector<bench::GivenInput> inputs; // inputs from the user; the others are random
};

// `measurement` is valid only if the outcome is Ok; otherwise `error` tells what happened.
struct MeasureAnswer {
  Outcome outcome = Outcome::ProtocolError;
  KeptMeasurement measurement;
  Error error;
  // The outcome of counting, which runs after the timing and does not affect it. If this outcome is
  // not Ok, a remark gives the reason.
  Outcome counted = Outcome::Ok;
};

// Measures schedules one after the other, on the GPU of this machine or of another one through ssh:
// compiles, checks the outputs and measures times. The reference is computed on this machine, once
// for each pipeline, inputs and seed. The first request connects; after a lost connection, the next
// request connects again. Calls block, so run them as a job. Thread-safe; handles one request at a
// time.
class Measurer {
public:
  Measurer(host::ToolPaths tools, job::ProcessOptions gpuWorker); // GPU of this machine
  Measurer(host::ToolPaths tools, std::string host); // GPU of `host`, as in gpuWorkerProcess()
  ~Measurer();

  bench::GpuAnswer<bench::DeviceDescription> describe(const std::stop_token &stop = {},
                                                      const job::ProgressCallback &progress = {});
  MeasureAnswer measure(const MeasureRequest &request, const std::stop_token &stop = {},
                        const job::ProgressCallback &progress = {});

private:
  struct Connection { // `error` is valid if the outcome is not Ok
    Outcome outcome = Outcome::Ok;
    Error error;
  };
  Connection connect(const std::stop_token &stop, const job::ProgressCallback &progress);
  void disconnect();
  void count(const MeasureRequest &request, const BenchFolders &placed, MeasureAnswer &answer,
             const std::stop_token &stop, const job::ProgressCallback &progress);
  MeasureAnswer measureOn(const MeasureRequest &request, const std::stop_token &stop,
                          const job::ProgressCallback &progress);
  Result<std::string> referenceOf(const MeasureRequest &request, const CompileRequest &compiled,
                                  const std::stop_token &stop,
                                  const job::ProgressCallback &progress);

  host::ToolPaths m_tools;
  std::string m_host;           // empty: this machine
  job::ProcessOptions m_worker; // the worker on this machine
  std::mutex m_mutex;
  ScheduleCompiler m_compiler;
  std::optional<bench::GpuClient> m_gpu;             // nullopt: not connected
  std::optional<GpuBench> m_bench;                   // uses m_gpu
  std::unique_ptr<file::ScratchFolder> m_references; // contains a folder per reference
};

// Whether a schedule computes the right result, tested without a CUDA GPU. The schedule runs with
// OpenCL, possibly on the CPU. If OpenCL fails, the schedule runs as plain loops on the CPU, and a
// remark gives the reason.
struct VerifiedHere {
  GpuApi api = GpuApi::OpenCl;
  VerifyAnswer answer;
  std::shared_ptr<const file::ScratchFolder> outputs; // contains the outputs; null: not kept
};
VerifiedHere verifyHere(ScheduleCompiler &compiler, VerifyRequest request,
                        const std::stop_token &stop = {},
                        const job::ProgressCallback &progress = {});

} // namespace tessera::measure
