// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"
#include "engine/session/compile.h"
#include "engine/session/kept_measurement.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::session {

class ScratchFolder;

struct MeasureRequest {
  OpenedFile file; // of the pipeline without a schedule
  schedule::Schedule schedule;
  std::string contentSha256;     // of that file (PipelineCopy): whose reference it is
  bench::MeasureOptions options; // all but the folders
  std::chrono::milliseconds timeout{60'000};
};

// `measurement` counts only where the outcome is Ok; else `error` says what happened.
struct MeasureAnswer {
  Outcome outcome = Outcome::ProtocolError;
  KeptMeasurement measurement;
  Error error;
};

// Measures schedules on the GPU of this machine, one after the other: compiles, has the outputs
// checked, and takes times. What a pipeline has to compute is found out once. Blocking; run it as a
// job. Thread-safe; one request at a time.
class Measurer {
public:
  Measurer(ToolPaths tools, job::ProcessOptions gpuWorker);
  ~Measurer();

  bench::GpuAnswer<bench::DeviceDescription> describe(const std::stop_token &stop = {});
  MeasureAnswer measure(const MeasureRequest &request, const std::stop_token &stop = {},
                        const job::ProgressCallback &progress = {});

private:
  CompileAnswer compile(const MeasureRequest &request, const bench::DeviceDescription &device,
                        const std::string &folder, const std::stop_token &stop,
                        const job::ProgressCallback &progress);
  Result<std::string> referenceOf(const MeasureRequest &request, const CompileRequest &compiled,
                                  const std::stop_token &stop,
                                  const job::ProgressCallback &progress);

  ToolPaths m_tools;
  job::ProcessOptions m_worker;
  std::mutex m_mutex;
  ScheduleCompiler m_compiler;
  bench::GpuClient m_gpu;
  std::unique_ptr<ScratchFolder> m_references; // a folder for each content
};

// Whether a schedule computes what the pipeline says, where there is no GPU: by OpenCL, which may
// run on the processor, else as loops on the processor, and then it is said why.
struct VerifiedHere {
  GpuApi api = GpuApi::OpenCl;
  VerifyAnswer answer;
};
VerifiedHere verifyHere(ScheduleCompiler &compiler, VerifyRequest request,
                        const std::stop_token &stop = {},
                        const job::ProgressCallback &progress = {});

} // namespace tessera::session
