// SPDX-License-Identifier: MIT
#include "engine/measure/gpu_bench.h"

#include "engine/measure/bench.h"
#include "engine/bench/deliver.h"
#include "engine/bench/input_folder.h"

#include <filesystem>
#include <utility>

namespace tessera::measure {

namespace {

constexpr std::chrono::minutes kDeliveryTime{10}; // deadline for one piece of a bundle
// Uses after which a shared reference is sent again: half the number of folders that the worker
// keeps.
constexpr int kSentAgain = 16;

std::string absolute(const std::string &folder) {
  return folder.empty() ? folder : std::filesystem::absolute(folder).string();
}

// The folders with their paths on this machine.
BenchFolders foldersHere(const std::string &bundle, const std::string &reference) {
  const std::string folder = absolute(reference);
  return {absolute(bundle), isReference(folder) ? folder : std::string(), bench::inputsIn(folder)};
}

} // namespace

bench::GpuAnswer<CompileTarget> GpuBench::target(std::chrono::milliseconds timeout,
                                                 const std::stop_token &stop) {
  const auto device = m_gpu.describe(timeout, stop);
  return {device.outcome, targetOf(device.value), device.error};
}

bench::GpuAnswer<std::string> GpuBench::send(const std::string &folder, const std::stop_token &stop,
                                             const job::ProgressCallback &progress) {
  return bench::deliverBundle(m_gpu, folder, kDeliveryTime, stop, progress);
}

bench::GpuAnswer<BenchFolders> GpuBench::place(const std::string &bundle,
                                               const std::string &reference,
                                               const std::stop_token &stop,
                                               const job::ProgressCallback &progress) {
  BenchFolders folders = foldersHere(bundle, reference);
  if (m_where == Where::Here) return {Outcome::Ok, std::move(folders), {}};
  auto there = send(folders.bundle, stop, progress);
  if (there.outcome != Outcome::Ok) return {there.outcome, {}, std::move(there.error)};
  folders.bundle = there.value;
  if (!folders.reference.empty() || !folders.inputs.empty()) {
    const bool isInBundle = reference == referenceFolderOf(bundle);
    if (isInBundle)
      there.value = referenceFolderOf(there.value);
    else
      there = send(absolute(reference), stop, progress);
    if (there.outcome != Outcome::Ok) return {there.outcome, {}, std::move(there.error)};
  }
  if (!folders.reference.empty()) folders.reference = there.value;
  if (!folders.inputs.empty()) folders.inputs = there.value;
  return {Outcome::Ok, std::move(folders), {}};
}

bench::GpuAnswer<BenchFolders> GpuBench::placeShared(const std::string &reference,
                                                     const std::stop_token &stop,
                                                     const job::ProgressCallback &progress) {
  BenchFolders folders = foldersHere({}, reference);
  const bool isNothing = folders.reference.empty() && folders.inputs.empty();
  if (m_where == Where::Here || isNothing) return {Outcome::Ok, std::move(folders), {}};
  const bool isKnown = m_shared == reference && m_sharedStart == m_gpu.starts();
  if (!isKnown || ++m_sharedUses >= kSentAgain) {
    auto there = send(absolute(reference), stop, progress);
    if (there.outcome != Outcome::Ok) return {there.outcome, {}, std::move(there.error)};
    m_shared = reference;
    m_sharedThere = std::move(there.value);
    m_sharedStart = m_gpu.starts();
    m_sharedUses = 0;
  }
  if (!folders.reference.empty()) folders.reference = m_sharedThere;
  if (!folders.inputs.empty()) folders.inputs = m_sharedThere;
  return {Outcome::Ok, std::move(folders), {}};
}

bench::GpuAnswer<bench::Measurement> GpuBench::measure(bench::MeasureOptions options,
                                                       const BenchFolders &placed,
                                                       std::chrono::milliseconds timeout,
                                                       const std::stop_token &stop,
                                                       const job::ProgressCallback &progress) {
  options.bundle = placed.bundle;
  options.reference = placed.reference;
  options.inputs = placed.inputs;
  return m_gpu.measure(options, timeout, stop, progress);
}

bench::GpuAnswer<std::vector<bench::Measurement>>
GpuBench::measureInTurns(bench::InterleaveOptions options, const std::vector<BenchFolders> &placed,
                         const BenchFolders &shared, std::chrono::milliseconds timeout,
                         const std::stop_token &stop, const job::ProgressCallback &progress) {
  for (const BenchFolders &folders : placed)
    options.bundles.push_back(folders.bundle);
  options.reference = shared.reference;
  options.inputs = shared.inputs;
  return m_gpu.interleave(options, timeout, stop, progress);
}

bench::GpuAnswer<bench::CounterReport>
GpuBench::count(std::uint64_t seed, const BenchFolders &placed, std::chrono::milliseconds timeout,
                const std::stop_token &stop, const job::ProgressCallback &progress) {
  return m_gpu.count({placed.bundle, placed.inputs, seed}, timeout, stop, progress);
}

} // namespace tessera::measure
