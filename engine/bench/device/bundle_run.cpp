// SPDX-License-Identifier: MIT
#include "engine/bench/device/bundle_run.h"

#include "engine/bench/device/whole_file.h"
#include "engine/base/sha256.h"
#include "engine/base/utc_now.h"
#include "engine/machine/architecture.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint8_t kUnwritten = 0x7e; // fills the outputs before a check
constexpr int kMostRuns = 1000;           // the limit for one batch

// The compute capability in the name of a Halide target: 86 in "…cuda_capability_86…".
std::optional<int> capabilityOf(const std::string &target) {
  static constexpr std::string_view kWord = "cuda_capability_";
  const std::size_t at = target.find(kWord);
  if (at == std::string::npos) return std::nullopt;
  return std::atoi(target.c_str() + at + kWord.size());
}

} // namespace

void checkTarget(const Device &device, const BundleFolder &folder) {
  const std::string &target = folder.report.target;
  if (target.find("cuda") == std::string::npos)
    refuse("The bundle '" + folder.path + "' is for " + target +
               "; only CUDA bundles are measured.",
           "Compile it with --target cuda.");
  const auto capability = capabilityOf(target);
  const int here = 10 * device.major() + device.minor();
  if (!capability || *capability <= here) return;
  const auto text = [](int c) { return std::to_string(c / 10) + "." + std::to_string(c % 10); };
  refuse("The bundle is for another GPU: it needs compute capability " + text(*capability) +
             ", but " + device.name() + " has " + text(here) + ".",
         "Compile it for this GPU's compute capability.");
}

BundleRun::BundleRun(const Workbench &bench, const std::string &bundle)
    : m_device(bench.device), m_kept(bench.kept), m_folder(readBundle(bundle)),
      m_hooks(m_device.driver(), m_device.context(), m_folder.report.registerCap) {}

BundleRun::~BundleRun() {
  m_hooks.activate(); // the runtime's destructor frees memory through the hooks
  m_bundle.reset();
}

void BundleRun::useAssembled() {
  const report::CompileReport &report = m_folder.report;
  const std::string here = machine::architectureName(m_device.major(), m_device.minor());
  if (report.files.assembled.empty() || report.architecture != here) return;
  m_hooks.replaceCode(readWholeFile(m_folder.path + "/" + report.files.assembled));
}

void BundleRun::load(PipelineInputs inputs, const std::string &reference,
                     const report::GivenTolerance &given) {
  checkTarget(m_device, m_folder);
  m_given = given;
  m_kept.keepFor(m_folder.report.pipelineSha256, inputs);
  if (!reference.empty())
    m_reference = m_kept.reference(reference, m_folder.report.pipelineSha256, inputs);
  if (m_reference) inputs.draw(m_reference->drawing());
  m_kept.keepDrawn(inputs.drawing());
  m_hooks.activate();
  m_bundle.emplace(m_folder, &m_hooks, inputs, m_kept);
  m_bundle->keepAllocations(true);
}

// Throws the error of a failed run. The driver's error code, if there is one, is reported instead
// of Halide's `code`, because it is more specific.
void BundleRun::failAfter(int code) {
  const Driver &cuda = m_device.driver();
  const CUresult noted = m_hooks.failure();
  if (noted != CUDA_SUCCESS) {
    std::string message = cuda.describe(noted, m_hooks.failedCall()) + ".";
    if (!m_hooks.compilerLog().empty())
      message += " The driver's compiler says:\n" + m_hooks.compilerLog();
    fail(outcomeOf(noted), std::move(message), hintFor(noted));
  }
  m_device.synchronize(); // throws if the context has a sticky error, which is then the cause
  fail(Outcome::LaunchError,
       "The pipeline stopped: " + (m_hooks.complaint().empty()
                                       ? "Halide's error " + std::to_string(code)
                                       : m_hooks.complaint()));
}

void BundleRun::once() {
  m_hooks.activate();
  if (const int code = m_bundle->run(); code != 0) failAfter(code);
}

std::optional<std::string> BundleRun::onceInto(CUstream stream) {
  m_hooks.activate();
  m_hooks.divertTo(stream);
  const int code = m_bundle->run();
  m_hooks.divertTo(nullptr);
  const CUresult noted = m_hooks.failure();
  const std::string call = m_hooks.failedCall(), complaint = m_hooks.complaint();
  m_hooks.clearFailure(); // an operation forbidden during capture is not an error of the bundle
  if (code == 0 && noted == CUDA_SUCCESS) return std::nullopt;
  if (noted != CUDA_SUCCESS) return m_device.driver().describe(noted, call);
  return complaint.empty() ? "Halide's error " + std::to_string(code) : complaint;
}

double BundleRun::batchSeconds(int runs) {
  const auto start = Clock::now();
  for (int i = 0; i < runs; ++i)
    once();
  m_device.synchronize();
  return std::chrono::duration<double>(Clock::now() - start).count() / runs;
}

int BundleRun::runsFor(double seconds, double once) {
  return static_cast<int>(std::clamp(seconds / std::max(once, 1e-7), 1.0, double{kMostRuns}));
}

void BundleRun::overwriteOutputs() {
  for (PipelineBuffer *output : m_bundle->outputs()) {
    HalideBuffer &raw = *output->raw();
    if (raw.device != 0)
      m_device.driver().check(m_device.driver().cuMemsetD8(raw.device, kUnwritten, output->bytes()),
                              "overwriting an output");
    else
      output->fillWith(kUnwritten);
  }
}

void BundleRun::fetchOutputs() {
  m_hooks.activate();
  m_device.synchronize();
  for (PipelineBuffer *output : m_bundle->outputs()) {
    if (const int code = m_bundle->copyToHost(*output); code != 0) failAfter(code);
  }
}

std::optional<report::VerifyReport> BundleRun::compareOutputs(const char *when) {
  if (!m_reference) return std::nullopt;
  report::VerifyReport report;
  report.given = m_given;
  for (PipelineBuffer *output : m_bundle->outputs()) {
    const report::OutputComparison one = m_reference->compare(*output, m_given);
    report.outputs.push_back(one);
    if (one.verdict() != report::Verdict::Different) continue;
    std::string at;
    for (const std::int64_t place : one.worstAt)
      at += (at.empty() ? "" : ", ") + std::to_string(place);
    const std::int64_t wrong = one.wrong();
    fail(Outcome::WrongOutput, std::string(when) + ", the output '" + one.name +
                                   "' is wrong: " + std::to_string(wrong) + " of " +
                                   std::to_string(one.elements) + " elements, at (" + at +
                                   ") expected " + one.expected + ", found " + one.found + ".");
  }
  return report;
}

Measurement BundleRun::described(const std::string &program) const {
  Measurement m;
  m.machine = m_device.name();
  m.driver = m_device.driverVersion();
  m.cudaVersion = m_device.cudaVersion();
  m.date = utcNow();
  m.program = program;
  m.pipeline = m_folder.report.pipeline;
  m.librarySha256 = m_folder.report.librarySha256;
  m.registerCap = m_folder.report.registerCap;
  if (!m_device.nvml())
    m.remarks.push_back("clocks and throttling are unknown: NVML was not found");
  return m;
}

std::vector<KernelTime> BundleRun::kernels() const {
  std::vector<KernelTime> kernels;
  for (const auto &[function, kernel] : m_hooks.kernels())
    kernels.push_back({kernel.name, 0, {}, kernel.registers, kernel.localBytes});
  std::ranges::stable_sort(kernels, {}, [&](const KernelTime &kernel) {
    return std::ranges::find(m_folder.report.kernels, kernel.name, &report::KernelReport::name);
  });
  return kernels;
}

std::vector<OutputHash> BundleRun::hashes() {
  std::vector<OutputHash> hashes;
  for (PipelineBuffer *output : m_bundle->outputs()) {
    const std::vector<std::uint8_t> elements = output->elements();
    hashes.push_back({output->name(), sha256Hex(std::as_bytes(std::span(elements)))});
  }
  return hashes;
}

} // namespace tessera::bench
