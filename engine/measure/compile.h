// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/kernel_alone.h"
#include "engine/base/outcome.h"
#include "engine/host/tools.h"
#include "engine/job/worker_client.h"
#include "engine/machine/machine.h"
#include "engine/open/open.h"
#include "engine/report/compile_report.h"
#include "engine/report/verify_report.h"
#include "engine/schedule/schedule.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::bench {
struct DeviceDescription;
}

namespace tessera::measure {

// Lowered: the code for CUDA, interpreted thread by thread; it can be verified, but not compiled.
enum class GpuApi : std::uint8_t { Cuda, OpenCl, Host, Lowered };
std::string_view name(GpuApi api); // "cuda", "opencl", "host", "lowered"

// The pipeline and its schedule: the common part of CompileRequest and VerifyRequest.
struct ScheduledPipeline {
  std::string file;    // serialized
  std::string sidecar; // empty: the file beside the pipeline
  std::string name;    // empty: the file's stem
  std::vector<open::EstimateOverride> estimates;
  std::vector<schedule::Directive> directives;
  std::vector<report::Promise> promises;
  // If `file` contains a schedule: the checksum of the file that has the same algorithm without a
  // schedule. Empty otherwise.
  std::string algorithmSha256;
  open::FunctionSource functions = {}; // of extern stages
  // Keeps the scratch folder that `file` is in, if it is in one.
  std::shared_ptr<const file::ScratchFolder> kept = {};
};

// The algorithm alone, to which candidates of a search are added.
ScheduledPipeline plainPipeline(const open::OpenedPipeline &opened);

// For a schedule of an opened pipeline. The file of the pipeline must contain no schedule.
ScheduledPipeline scheduledPipeline(const open::PipelineFiles &file,
                                    const schedule::Schedule &schedule);

// For a schedule that stands in a file of its own, `written`. The file of `algorithm` has none.
ScheduledPipeline writtenPipeline(const open::PipelineFiles &written,
                                  const open::OpenedPipeline &algorithm);

// The newest compute capability (86 for 8.6) that Halide compiles for and this GPU can run.
int compiledCapability(int major, int minor);

// The GPU for which code is compiled. Halide, which writes the PTX, knows few compute capabilities;
// ptxas, which makes the machine code, knows more.
struct CompileTarget {
  int capability = 86;                // compute capability; 86 is 8.6
  std::string architecture = "sm_90"; // the architecture for ptxas
  machine::Limits limits;             // of a launch

  friend bool operator==(const CompileTarget &, const CompileTarget &) = default;
};
CompileTarget targetOf(const bench::DeviceDescription &device);
CompileTarget targetOf(const machine::Machine &machine);

struct CompileRequest {
  ScheduledPipeline pipeline;
  GpuApi target = GpuApi::Cuda;
  CompileTarget gpu; // matters for CUDA only
  int registerCap = 64;
  std::string output; // folder of the bundle
  bool wantLowered = false, wantSass = false;
  bool small = false; // true: compile for a small size, at which a run is short
  // "strict" or "loose": a reference of that form, for the host, and no schedule. Empty: none.
  std::string reference;
  std::chrono::milliseconds timeout{120'000};
};

// The request for a bundle in `folder` that will be measured on the GPU `target`.
CompileRequest bundleRequest(ScheduledPipeline pipeline, int registerCap,
                             const CompileTarget &target, std::string folder);

struct InputFile {
  std::string input, path; // path: a file of elements, as bench::writeInputs() writes it
};

struct VerifyRequest {
  ScheduledPipeline pipeline;
  GpuApi target = GpuApi::OpenCl;
  int seed = 1;
  bool small = false;
  std::vector<InputFile> inputs;    // at the size that is run; all other inputs are random
  report::GivenTolerance tolerance; // what the user allows
  std::string outputs; // folder to keep the outputs in (verified_output.h); empty: none
  std::chrono::milliseconds timeout{300'000};
};

// `report` is valid only if the outcome is Ok, or WrongOutput for a verification. Otherwise `error`
// tells what happened.
template <typename Report>
struct ScheduleAnswer {
  Outcome outcome = Outcome::ProtocolError;
  Report report;
  Error error;
};
using CompileAnswer = ScheduleAnswer<report::CompileReport>;
struct VerifyAnswer : ScheduleAnswer<report::VerifyReport> {
  // True: the outputs are right if the driver compiles without optimising. A remark of the report
  // and the hint of `error` say so.
  bool driverAtFault = false;
};

// How many workers may compile at once here beside what else runs: half of the cores, at least 2
// and at most 16, with 2 GiB of memory for each.
std::size_t compilersHere();

// Compiles and verifies schedules in workers. A worker that hangs is killed at its deadline, a
// crash is reported, and the next request gets a new worker. Calls block, so run them as a job.
// Thread-safe; there can be as many concurrent requests as workers.
class ScheduleCompiler {
public:
  explicit ScheduleCompiler(host::ToolPaths tools, std::size_t workers = 2);
  ~ScheduleCompiler();

  CompileAnswer compile(const CompileRequest &request, std::stop_token stop = {},
                        const job::ProgressCallback &progress = {});
  // If a run with CUDA crashes, fails to launch or gives wrong outputs, it is repeated without the
  // optimiser of the driver.
  VerifyAnswer verify(const VerifyRequest &request, std::stop_token stop = {},
                      const job::ProgressCallback &progress = {});

  // Writes one kernel of a scheduled pipeline to `file` (NAME.hlpipe), as a pipeline of its own.
  Result<ScheduledPipeline> excerpt(const ScheduledPipeline &whole, const KernelAlone &kernel,
                                    const std::string &file, std::chrono::milliseconds timeout,
                                    std::stop_token stop = {});

  void warmUp();

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

// An error that explains why a bundle lacks a requested text, such as its SASS: the compiler's
// remarks, and what to install.
Error missingText(const report::CompileReport &compiled);

} // namespace tessera::measure
