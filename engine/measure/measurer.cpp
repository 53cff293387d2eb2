// SPDX-License-Identifier: MIT
#include "engine/measure/measurer.h"

#include "engine/base/sha256.h"
#include "engine/bench/deliver.h"
#include "engine/measure/bench.h"
#include "engine/host/files.h"
#include "engine/host/gpu_host.h"

#include <algorithm>
#include <span>
#include <utility>

namespace tessera::measure {

namespace {

constexpr std::chrono::seconds kDescribeTime{20};
constexpr std::chrono::minutes kDeliveryTime{10}; // of a piece of a bundle
constexpr int kLeastAssembled = 75;               // that the assembler of today knows

CompileRequest compileRequest(const MeasureRequest &request, const bench::DeviceDescription &device,
                              const std::string &folder) {
  CompileRequest compile;
  compile.pipeline = scheduledPipeline(request.file, request.schedule);
  compile.registerCap = request.schedule.settings().registerCap;
  compile.capability = compiledCapability(device.major, device.minor);
  compile.architecture =
      "sm_" + std::to_string(std::max(10 * device.major + device.minor, kLeastAssembled));
  compile.output = folder;
  return compile;
}

// Whose reference it is. Nobody knows that of a content that is not known.
std::string referenceName(const MeasureRequest &request) {
  Sha256 inputs;
  for (const bench::GivenInput &input : request.inputs) {
    inputs.append(std::as_bytes(std::span(input.name)));
    inputs.append(std::as_bytes(std::span(input.array.data)));
  }
  return (request.contentSha256.empty() ? "unknown" : request.contentSha256) + "-" + inputs.hex() +
         "-" + std::to_string(request.options.seed);
}

} // namespace

Measurer::Measurer(host::ToolPaths tools, job::ProcessOptions gpuWorker)
    : m_tools(std::move(tools)), m_worker(std::move(gpuWorker)), m_compiler(m_tools, 1) {}

Measurer::Measurer(host::ToolPaths tools, std::string host)
    : m_tools(std::move(tools)), m_host(std::move(host)), m_compiler(m_tools, 1) {
  m_worker.program = m_tools.gpuWorker;
}

Measurer::~Measurer() = default;

// What could not be reached is as good as lost.
Measurer::Connection Measurer::connect(const std::stop_token &stop,
                                       const job::ProgressCallback &progress) {
  if (m_gpu) return {};
  if (m_host.empty()) {
    m_gpu.emplace(m_worker);
    return {};
  }
  const auto worker = host::gpuWorkerProcess(m_tools, m_host, stop, progress);
  if (!worker)
    return {worker.error().code == ErrorCode::Cancelled ? Outcome::Cancelled
                                                        : Outcome::ConnectionLost,
            worker.error()};
  m_gpu.emplace(*worker);
  return {};
}

bench::GpuAnswer<bench::DeviceDescription>
Measurer::describe(const std::stop_token &stop, const job::ProgressCallback &progress) {
  const std::scoped_lock lock(m_mutex);
  if (const Connection made = connect(stop, progress); made.outcome != Outcome::Ok)
    return {made.outcome, {}, made.error};
  auto device = m_gpu->describe(kDescribeTime, stop);
  if (device.outcome == Outcome::ConnectionLost) m_gpu.reset();
  return device;
}

MeasureAnswer Measurer::measure(const MeasureRequest &request, const std::stop_token &stop,
                                const job::ProgressCallback &progress) {
  const std::scoped_lock lock(m_mutex);
  if (const Connection made = connect(stop, progress); made.outcome != Outcome::Ok)
    return {made.outcome, {}, made.error};
  MeasureAnswer answer = measureOn(request, stop, progress);
  if (answer.outcome == Outcome::ConnectionLost) m_gpu.reset();
  return answer;
}

// Where the GPU is on another machine, bundle and reference are sent there.
Status Measurer::place(bench::MeasureOptions &options, const std::stop_token &stop,
                       const job::ProgressCallback &progress) {
  if (m_host.empty()) return Done{};
  for (std::string *folder : {&options.bundle, &options.reference}) {
    if (folder->empty()) continue;
    auto there = bench::deliverBundle(*m_gpu, *folder, kDeliveryTime, stop, progress);
    if (!there) return there.error();
    *folder = std::move(*there);
  }
  if (!options.inputs.empty()) options.inputs = options.reference;
  return Done{};
}

MeasureAnswer Measurer::measureOn(const MeasureRequest &request, const std::stop_token &stop,
                                  const job::ProgressCallback &progress) {
  if (progress) progress({"asking the GPU", -1});
  const auto device = m_gpu->describe(kDescribeTime, stop);
  if (device.outcome != Outcome::Ok) return {device.outcome, {}, device.error};
  const auto scratch = host::ScratchFolder::create(m_tools.cacheDir);
  if (!scratch) return {Outcome::CompileError, {}, scratch.error()};
  const CompileRequest compile = compileRequest(request, device.value, scratch->path() + "/bundle");
  if (progress) progress({"compiling", -1});
  const CompileAnswer compiled = m_compiler.compile(compile, stop, progress);
  if (compiled.outcome != Outcome::Ok) return {compiled.outcome, {}, compiled.error};
  const auto reference = referenceOf(request, compile, stop, progress);
  if (stop.stop_requested()) return {Outcome::Cancelled, {}, {ErrorCode::Cancelled, "", ""}};
  bench::MeasureOptions options = request.options;
  options.bundle = compile.output;
  if (reference) options.reference = *reference;
  if (!request.inputs.empty()) {
    if (!reference) return {Outcome::CompileError, {}, reference.error()};
    options.inputs = bench::inputsIn(*reference); // beside what they lead to
  }
  if (const Status there = place(options, stop, progress); !there)
    return {
        stop.stop_requested() ? Outcome::Cancelled : Outcome::ConnectionLost, {}, there.error()};
  auto measured = m_gpu->measure(options, request.timeout, stop, progress);
  if (measured.outcome != Outcome::Ok) return {measured.outcome, {}, measured.error};
  if (!reference)
    measured.value.remarks.push_back("There is no reference, so nobody knows whether the outputs "
                                     "are right: " +
                                     reference.error().message);
  MeasureAnswer answer{Outcome::Ok,
                       {std::move(measured.value),
                        {request.schedule.hash(), request.contentSha256, {}},
                        withoutTexts(compiled.report),
                        {}},
                       {}};
  if (request.counts) count(request, options, answer, stop, progress);
  if (stop.stop_requested()) return {Outcome::Cancelled, {}, {ErrorCode::Cancelled, "", ""}};
  return answer;
}

// A driver that refuses it has said why in the report.
void Measurer::count(const MeasureRequest &request, const bench::MeasureOptions &placed,
                     MeasureAnswer &answer, const std::stop_token &stop,
                     const job::ProgressCallback &progress) {
  if (progress) progress({"counting", -1});
  auto counted =
      m_gpu->count({placed.bundle, placed.inputs, placed.seed}, request.timeout, stop, progress);
  answer.counted = counted.outcome;
  if (counted.outcome == Outcome::Ok)
    answer.measurement.counters = std::move(counted.value);
  else
    answer.measurement.times.remarks.push_back("Its kernels were not counted: " +
                                               counted.error.message);
}

// A reference whose content nobody knows is made anew each time.
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
  wanted.pipeline = request.schedule.base();
  wanted.inputs = request.inputs;
  wanted.seed = request.options.seed;
  bench::GpuClient host(m_worker); // what the pipeline does to its worker is not the GPU's
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
  verified.answer.report.remarks.push_back("It ran as loops on the processor, because OpenCL did "
                                           "not do: " +
                                           why);
  return verified;
}

} // namespace tessera::measure
