// SPDX-License-Identifier: MIT
#include "engine/bench/device/bundle_run.h"

#include <cstdlib>
#include <string_view>

namespace tessera::bench {

namespace {

// The number after a word in Halide's name of a target: 86 of "…cuda_capability_86…".
std::optional<int> capabilityOf(const std::string &target) {
  static constexpr std::string_view kWord = "cuda_capability_";
  const std::size_t at = target.find(kWord);
  if (at == std::string::npos) return std::nullopt;
  return std::atoi(target.c_str() + at + kWord.size());
}

} // namespace

BundleRun::BundleRun(const Device &device, const std::string &path)
    : m_device(device), m_folder(readBundle(path)),
      m_hooks(device.driver(), device.context(), m_folder.report.registerCap) {}

void BundleRun::load(std::uint64_t seed) {
  checkTarget(m_device, m_folder);
  m_bundle.emplace(m_folder, &m_hooks, seed);
  m_bundle->keepAllocations(true);
}

// The driver's own code tells more than Halide's.
void BundleRun::failAfter(int code) {
  const Driver &cuda = m_device.driver();
  const CUresult noted = m_hooks.failure();
  if (noted != CUDA_SUCCESS) {
    std::string message = cuda.describe(noted, m_hooks.failedCall()) + ".";
    if (!m_hooks.compilerLog().empty())
      message += " The driver's compiler says:\n" + m_hooks.compilerLog();
    fail(outcomeOf(noted), std::move(message), hintFor(noted));
  }
  m_device.synchronize(); // an error that sticks to the context is the cause
  fail(Outcome::LaunchError,
       "The pipeline stopped: " + (m_hooks.complaint().empty()
                                       ? "Halide's error " + std::to_string(code)
                                       : m_hooks.complaint()));
}

void BundleRun::once() {
  if (const int code = m_bundle->run(); code != 0) failAfter(code);
}

void checkTarget(const Device &device, const BundleFolder &folder) {
  const std::string &target = folder.report.target;
  if (target.find("cuda") == std::string::npos)
    refuse("The bundle '" + folder.path + "' is for " + target + "; only CUDA is measured.",
           "Compile it with --target cuda.");
  const auto capability = capabilityOf(target);
  const int here = 10 * device.major() + device.minor();
  if (!capability || *capability <= here) return;
  const auto text = [](int c) { return std::to_string(c / 10) + "." + std::to_string(c % 10); };
  refuse("The bundle is for another architecture: it needs compute capability " +
             text(*capability) + ", and " + device.name() + " has " + text(here) + ".",
         "Compile it for this GPU's capability.");
}

} // namespace tessera::bench
