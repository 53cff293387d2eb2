// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"
#include "engine/bench/input_folder.h"
#include "engine/measure/compile.h"
#include "engine/measure/gpu_bench.h"
#include "engine/measure/kept_measurement.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::host {
class ScratchFolder;
}

namespace tessera::measure {

struct MeasureRequest {
  open::PipelineFiles file; // of the pipeline without a schedule
  schedule::Schedule schedule;
  std::string contentSha256;     // of that file (PipelineCopy): whose reference it is
  bench::MeasureOptions options; // all but the folders
  bool counts = false;           // also by NVIDIA's profiler, where the driver allows it
  std::chrono::milliseconds timeout{60'000};
  std::vector<bench::GivenInput> inputs; // by the user; the others are random
};

// `measurement` counts only where the outcome is Ok; else `error` says what happened.
struct MeasureAnswer {
  Outcome outcome = Outcome::ProtocolError;
  KeptMeasurement measurement;
  Error error;
  // Of counting, which comes after the times and cannot cost them; a remark says the same.
  Outcome counted = Outcome::Ok;
};

// Measures schedules on the GPU of this machine, or of another through ssh, one after the other:
// compiles, has the outputs checked, and takes times. What a pipeline has to compute is found out
// once, here. A connection is made by the first request, and anew where it was lost. Blocking; run
// it as a job. Thread-safe; one request at a time.
class Measurer {
public:
  Measurer(host::ToolPaths tools, job::ProcessOptions gpuWorker); // of this machine
  Measurer(host::ToolPaths tools, std::string host);              // as for gpuWorkerProcess()
  ~Measurer();

  bench::GpuAnswer<bench::DeviceDescription> describe(const std::stop_token &stop = {},
                                                      const job::ProgressCallback &progress = {});
  MeasureAnswer measure(const MeasureRequest &request, const std::stop_token &stop = {},
                        const job::ProgressCallback &progress = {});

private:
  struct Connection { // `error` counts where the outcome is not Ok
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
  job::ProcessOptions m_worker; // of this machine
  std::mutex m_mutex;
  ScheduleCompiler m_compiler;
  std::optional<bench::GpuClient> m_gpu;             // none: not connected
  std::optional<GpuBench> m_bench;                   // of that client
  std::unique_ptr<host::ScratchFolder> m_references; // a folder for each content
};

// Whether a schedule computes what the pipeline says, where there is no GPU: by OpenCL, which may
// run on the processor, else as loops on the processor, and then it is said why.
struct VerifiedHere {
  GpuApi api = GpuApi::OpenCl;
  VerifyAnswer answer;
  std::shared_ptr<const host::ScratchFolder> outputs; // with what came out; null: it was not kept
};
VerifiedHere verifyHere(ScheduleCompiler &compiler, VerifyRequest request,
                        const std::stop_token &stop = {},
                        const job::ProgressCallback &progress = {});

} // namespace tessera::measure
