// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/compile.h"
#include "engine/bench/gpu_client.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

// The paths at which the GPU's worker finds a bundle, the reference for its outputs, and the user's
// inputs. A path is empty if there is none.
struct BenchFolders {
  std::string bundle, reference, inputs;

  friend bool operator==(const BenchFolders &, const BenchFolders &) = default;
};

// One GPU, on this machine or another, that measures bundles. All measurements of bundles go
// through this class. Bundles and references are made on this machine (bench.h), sent to the GPU's
// machine if that is another one, and measured there. Handles one request at a time.
//
//   target() ─ ScheduleCompiler::compile() ─ makeReference() ─ place() ─ measure() ─ count()
class GpuBench {
public:
  enum class Where : std::uint8_t { Here, Elsewhere };

  // The client must outlive the bench.
  GpuBench(bench::GpuClient &gpu, Where where) : m_gpu(gpu), m_where(where) {}

  bench::GpuAnswer<CompileTarget> target(std::chrono::milliseconds timeout,
                                         const std::stop_token &stop = {});

  // `reference` is a folder filled by makeReference(), inside the bundle or elsewhere. If it is
  // inside, it is sent together with the bundle.
  bench::GpuAnswer<BenchFolders> place(const std::string &bundle, const std::string &reference,
                                       const std::stop_token &stop = {},
                                       const job::ProgressCallback &progress = {});
  // Places a reference that several bundles share. Reading and hashing it takes longer than most
  // measurements, so a reference that was sent before is sent again only now and then, to keep it
  // among the worker's recently used folders.
  bench::GpuAnswer<BenchFolders> placeShared(const std::string &reference,
                                             const std::stop_token &stop = {},
                                             const job::ProgressCallback &progress = {});

  // The folders in `options` are ignored.
  bench::GpuAnswer<bench::Measurement> measure(bench::MeasureOptions options,
                                               const BenchFolders &placed,
                                               std::chrono::milliseconds timeout,
                                               const std::stop_token &stop = {},
                                               const job::ProgressCallback &progress = {});
  // Measures several bundles in rounds, with one batch of runs of each bundle per round. All use
  // the reference and the inputs of `shared`.
  bench::GpuAnswer<std::vector<bench::Measurement>>
  measureInTurns(bench::InterleaveOptions options, const std::vector<BenchFolders> &placed,
                 const BenchFolders &shared, std::chrono::milliseconds timeout,
                 const std::stop_token &stop = {}, const job::ProgressCallback &progress = {});
  bench::GpuAnswer<bench::CounterReport> count(std::uint64_t seed, const BenchFolders &placed,
                                               std::chrono::milliseconds timeout,
                                               const std::stop_token &stop = {},
                                               const job::ProgressCallback &progress = {});

private:
  bench::GpuAnswer<std::string> send(const std::string &folder, const std::stop_token &stop,
                                     const job::ProgressCallback &progress);

  bench::GpuClient &m_gpu;
  Where m_where;
  // The last shared reference that was sent, and its path on the GPU's machine. The worker is a new
  // process after each start: m_sharedStart is the number of the start after which it received the
  // reference, m_sharedUses counts the uses since the reference was sent.
  std::string m_shared, m_sharedThere;
  int m_sharedStart = 0, m_sharedUses = 0;
};

} // namespace tessera::measure
