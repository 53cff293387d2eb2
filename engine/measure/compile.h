// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/outcome.h"
#include "engine/job/worker_client.h"
#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"
#include "engine/report/verify_report.h"
#include "engine/open/open.h"
#include "engine/host/tools.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

enum class GpuApi : std::uint8_t { Cuda, OpenCl, Host };
std::string_view name(GpuApi api); // "cuda", "opencl", "host"

// Which pipeline, and how: what both requests say.
struct ScheduledPipeline {
  std::string file;    // serialized
  std::string sidecar; // empty: beside the file
  std::string name;    // empty: the file's stem
  std::vector<open::EstimateOverride> estimates;
  std::vector<schedule::Directive> directives;
  std::vector<report::Promise> promises;
  // Of the file without a schedule, where this one has its schedule in it; empty: it has none.
  std::string algorithmSha256;
};

// A schedule of what was opened, which has none itself.
ScheduledPipeline scheduledPipeline(const open::PipelineFiles &file,
                                    const schedule::Schedule &schedule);

// The newest compute capability, 86 for 8.6, of those that Halide compiles for which such a GPU
// runs.
int compiledCapability(int major, int minor);

struct CompileRequest {
  ScheduledPipeline pipeline;
  GpuApi target = GpuApi::Cuda;
  int capability = 86;
  int registerCap = 64;
  machine::Limits limits;             // of the GPU that it is for
  std::string architecture = "sm_90"; // for ptxas
  std::string output;                 // the bundle's folder
  bool wantLowered = false, wantSass = false;
  bool small = false; // sizes at which a run is short
  std::chrono::milliseconds timeout{120'000};
};

struct InputFile {
  std::string input, path; // its elements, as bench::writeInputs() leaves them
};

struct VerifyRequest {
  ScheduledPipeline pipeline;
  GpuApi target = GpuApi::OpenCl;
  int seed = 1;
  bool small = false;
  std::vector<InputFile> inputs; // of the size that is run; the others are random
  std::optional<double> tolerance;
  std::string outputs; // a folder to leave them in (verified_output.h); empty: none
  std::chrono::milliseconds timeout{300'000};
};

// `report` counts only where the outcome is Ok, or WrongOutput for a verification; else `error`
// says what happened.
template <typename Report>
struct ScheduleAnswer {
  Outcome outcome = Outcome::ProtocolError;
  Report report;
  Error error;
};
using CompileAnswer = ScheduleAnswer<report::CompileReport>;
struct VerifyAnswer : ScheduleAnswer<report::VerifyReport> {
  // What went wrong is right where the driver does not optimise; the remarks or the hint say so.
  bool driverAtFault = false;
};

// Compiles and verifies schedules in workers: what hangs is killed at its deadline, what crashes is
// told, and the next request finds a fresh worker. Blocking; run it as a job. Thread-safe; as many
// requests at once as there are workers.
class ScheduleCompiler {
public:
  explicit ScheduleCompiler(host::ToolPaths tools, std::size_t workers = 2);
  ~ScheduleCompiler();

  CompileAnswer compile(const CompileRequest &request, std::stop_token stop = {},
                        const job::ProgressCallback &progress = {});
  // What goes wrong on a GPU is run once more, without the optimiser of its driver.
  VerifyAnswer verify(const VerifyRequest &request, std::stop_token stop = {},
                      const job::ProgressCallback &progress = {});

  void warmUp();

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

// Why a bundle has no text of this kind: the remarks of the compiler, and what to install.
Error missingText(const report::CompileReport &compiled);

} // namespace tessera::measure
