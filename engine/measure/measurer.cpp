// SPDX-License-Identifier: MIT
#include "engine/measure/measurer.h"

#include "engine/measure/bench.h"
#include "engine/base/sha256.h"
#include "engine/host/files.h"
#include "engine/host/gpu_host.h"

#include <span>
#include <utility>

namespace tessera::measure {

namespace {

constexpr std::chrono::seconds kDescribeTime{20};

// A name for the reference of this pipeline, these inputs and this seed. If the checksum of the
// pipeline is unknown, the name does not identify the reference.
std::string referenceName(const MeasureRequest &request) {
  Sha256 inputs;
  for (const bench::GivenInput &input : request.inputs) {
    inputs.append(std::as_bytes(std::span(input.name)));
    inputs.append(std::as_bytes(std::span(input.array.data)));
  }
  return (request.contentSha256.empty() ? "unknown" : request.contentSha256) + "-" + inputs.hex() +
         "-" + std::to_string(request.options.seed);
}

// The outcome of a measurement whose bundle could not be sent. That is not the schedule's fault, so
// the outcome must not be one that counts against the schedule.
Outcome whenNotSent(Outcome sending) {
  const bool isKept = sending == Outcome::ConnectionLost || sending == Outcome::Cancelled;
  return isKept ? sending : Outcome::ProtocolError;
}

} // namespace

Measurer::Measurer(host::ToolPaths tools, job::ProcessOptions gpuWorker)
    : m_tools(std::move(tools)), m_worker(std::move(gpuWorker)), m_compiler(m_tools, 1) {}

Measurer::Measurer(host::ToolPaths tools, std::string host)
    : m_tools(std::move(tools)), m_host(std::move(host)), m_compiler(m_tools, 1) {
  m_worker.program = m_tools.gpuWorker;
}

Measurer::~Measurer() = default;

// A machine that cannot be reached counts as ConnectionLost.
Measurer::Connection Measurer::connect(const std::stop_token &stop,
                                       const job::ProgressCallback &progress) {
  if (m_gpu) return {};
  if (m_host.empty()) {
    m_gpu.emplace(m_worker);
    m_bench.emplace(*m_gpu, GpuBench::Where::Here);
    return {};
  }
  const auto worker = host::gpuWorkerProcess(m_tools, m_host, stop, progress);
  if (!worker)
    return {worker.error().code == ErrorCode::Cancelled ? Outcome::Cancelled
                                                        : Outcome::ConnectionLost,
            worker.error()};
  m_gpu.emplace(*worker);
  m_bench.emplace(*m_gpu, GpuBench::Where::Elsewhere);
  return {};
}

void Measurer::disconnect() {
  m_bench.reset();
  m_gpu.reset();
}

bench::GpuAnswer<bench::DeviceDescription>
Measurer::describe(const std::stop_token &stop, const job::ProgressCallback &progress) {
  const std::scoped_lock lock(m_mutex);
  if (const Connection made = connect(stop, progress); made.outcome != Outcome::Ok)
    return {made.outcome, {}, made.error};
  auto device = m_gpu->describe(kDescribeTime, stop);
  if (device.outcome == Outcome::ConnectionLost) disconnect();
  return device;
}

MeasureAnswer Measurer::measure(const MeasureRequest &request, const std::stop_token &stop,
                                const job::ProgressCallback &progress) {
  const std::scoped_lock lock(m_mutex);
  if (const Connection made = connect(stop, progress); made.outcome != Outcome::Ok)
    return {made.outcome, {}, made.error};
  MeasureAnswer answer = measureOn(request, stop, progress);
  if (answer.outcome == Outcome::ConnectionLost) disconnect();
  return answer;
}

MeasureAnswer Measurer::measureOn(const MeasureRequest &request, const std::stop_token &stop,
                                  const job::ProgressCallback &progress) {
  if (progress) progress({"asking the GPU", -1});
  const auto target = m_bench->target(kDescribeTime, stop);
  if (target.outcome != Outcome::Ok) return {target.outcome, {}, target.error};
  const auto scratch = host::ScratchFolder::create(m_tools.cacheDir);
  if (!scratch) return {Outcome::CompileError, {}, scratch.error()};
  const CompileRequest compile = bundleRequest(scheduledPipeline(request.file, request.schedule),
                                               request.schedule.settings().registerCap,
                                               target.value, scratch->path() + "/bundle");
  if (progress) progress({"compiling", -1});
  const CompileAnswer compiled = m_compiler.compile(compile, stop, progress);
  if (compiled.outcome != Outcome::Ok) return {compiled.outcome, {}, compiled.error};
  const auto reference = referenceOf(request, compile, stop, progress);
  if (stop.stop_requested()) return {Outcome::Cancelled, {}, {ErrorCode::Cancelled, "", ""}};
  if (!reference && !request.inputs.empty()) // the inputs are stored beside the reference
    return {Outcome::CompileError, {}, reference.error()};
  const auto placed =
      m_bench->place(compile.output, reference ? *reference : std::string(), stop, progress);
  if (placed.outcome != Outcome::Ok)
    return {
        stop.stop_requested() ? Outcome::Cancelled : whenNotSent(placed.outcome), {}, placed.error};
  auto measured = m_bench->measure(request.options, placed.value, request.timeout, stop, progress);
  if (measured.outcome != Outcome::Ok) return {measured.outcome, {}, measured.error};
  if (!reference) measured.value.remarks.push_back(withoutReference(reference.error()));
  MeasureAnswer answer{Outcome::Ok,
                       {std::move(measured.value),
                        {request.schedule.hash(), request.contentSha256, {}},
                        withoutTexts(compiled.report),
                        {}},
                       {}};
  if (request.counts) count(request, placed.value, answer, stop, progress);
  if (stop.stop_requested()) return {Outcome::Cancelled, {}, {ErrorCode::Cancelled, "", ""}};
  return answer;
}

// If counting fails, a remark gives the reason. If the driver refuses to count, the reason is in
// CounterReport::refused.
void Measurer::count(const MeasureRequest &request, const BenchFolders &placed,
                     MeasureAnswer &answer, const std::stop_token &stop,
                     const job::ProgressCallback &progress) {
  if (progress) progress({"counting", -1});
  auto counted = m_bench->count(request.options.seed, placed, request.timeout, stop, progress);
  answer.counted = counted.outcome;
  if (counted.outcome == Outcome::Ok)
    answer.measurement.counters = std::move(counted.value);
  else
    answer.measurement.times.remarks.push_back("The kernels were not counted: " +
                                               counted.error.message);
}

// If the checksum of the pipeline is unknown, the reference is computed again each time.
Result<std::string> Measurer::referenceOf(const MeasureRequest &request,
                                          const CompileRequest &compiled,
                                          const std::stop_token &stop,
                                          const job::ProgressCallback &progress) {
  if (!m_references) {
    auto folder = host::ScratchFolder::create(m_tools.cacheDir);
    if (!folder) return folder.error();
    m_references = std::make_unique<host::ScratchFolder>(std::move(*folder));
  }
  const std::string home = m_references->path() + "/" + referenceName(request);
  if (const std::string known = referenceIn(home); !known.empty() && !request.contentSha256.empty())
    return known;
  if (progress) progress({"computing the reference", -1});
  BenchBundleRequest wanted;
  wanted.compile = compiled;
  wanted.inputs = request.inputs;
  wanted.seed = request.options.seed;
  bench::GpuClient host(m_worker); // a separate process, since the pipeline may crash it
  if (const Status made = makeReference(m_compiler, host, wanted, referenceFolderOf(home), stop);
      !made)
    return made.error();
  return referenceIn(home);
}

VerifiedHere verifyHere(ScheduleCompiler &compiler, VerifyRequest request,
                        const std::stop_token &stop, const job::ProgressCallback &progress) {
  request.target = GpuApi::OpenCl;
  VerifiedHere verified{request.target, compiler.verify(request, stop, progress), {}};
  const Outcome outcome = verified.answer.outcome;
  if (outcome == Outcome::Ok || outcome == Outcome::WrongOutput || outcome == Outcome::Cancelled)
    return verified;
  const std::string why = verified.answer.error.message;
  request.target = GpuApi::Host;
  verified = {request.target, compiler.verify(request, stop, progress), {}};
  verified.answer.report.remarks.push_back(
      "The schedule ran on the CPU, with its GPU loops as plain loops, because OpenCL failed: " +
      why);
  return verified;
}

} // namespace tessera::measure
