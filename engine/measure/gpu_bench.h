// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

// What code for a GPU is compiled for: the PTX by Halide, which knows few compute capabilities, and
// the machine code by ptxas, which knows more.
struct CompileTarget {
  int capability = 86;                // 86 for 8.6
  std::string architecture = "sm_90"; // for ptxas

  friend bool operator==(const CompileTarget &, const CompileTarget &) = default;
};
CompileTarget targetOf(const bench::DeviceDescription &device);
CompileTarget targetOf(const machine::Machine &machine);

// Asks for a bundle in this folder, to be measured on such a GPU.
CompileRequest bundleRequest(ScheduledPipeline pipeline, int registerCap,
                             const CompileTarget &target, std::string folder);

// Where the worker of the GPU finds a bundle, the reference for its outputs and the inputs that the
// user gave; each is empty where there is none.
struct BenchFolders {
  std::string bundle, reference, inputs;

  friend bool operator==(const BenchFolders &, const BenchFolders &) = default;
};

// Why a measurement was compared with nothing: a remark for a person.
std::string withoutReference(const Error &why);

// One GPU, here or on another machine, on which bundles are measured: the only path from a bundle
// in a folder of this machine to its times. Bundles and references are made here (bench.h), are
// sent where the GPU is if that is elsewhere, and are measured there. One request at a time.
//
//   target() ─ ScheduleCompiler::compile() ─ makeReference() ─ place() ─ measure() ─ count()
class GpuBench {
public:
  enum class Where : std::uint8_t { Here, Elsewhere };

  // The client has to outlive the bench.
  GpuBench(bench::GpuClient &gpu, Where where) : m_gpu(gpu), m_where(where) {}

  bench::GpuAnswer<CompileTarget> target(std::chrono::milliseconds timeout,
                                         const std::stop_token &stop = {});

  // `reference` is a folder as makeReference() leaves it, in the bundle or not; what is in the
  // bundle is sent with it.
  Result<BenchFolders> place(const std::string &bundle, const std::string &reference,
                             const std::stop_token &stop = {},
                             const job::ProgressCallback &progress = {});
  // A reference that several bundles share. Reading and hashing it takes longer than most
  // measurements, so where it was sent before, the worker is asked for it only now and then, in
  // order that it stays one of the folders used last.
  Result<BenchFolders> placeShared(const std::string &reference, const std::stop_token &stop = {},
                                   const job::ProgressCallback &progress = {});

  // Of the options all but the folders.
  bench::GpuAnswer<bench::Measurement> measure(bench::MeasureOptions options,
                                               const BenchFolders &placed,
                                               std::chrono::milliseconds timeout,
                                               const std::stop_token &stop = {},
                                               const job::ProgressCallback &progress = {});
  // In turns; all with the reference and the inputs of `shared`.
  bench::GpuAnswer<std::vector<bench::Measurement>>
  measureInTurns(bench::InterleaveOptions options, const std::vector<BenchFolders> &placed,
                 const BenchFolders &shared, std::chrono::milliseconds timeout,
                 const std::stop_token &stop = {}, const job::ProgressCallback &progress = {});
  bench::GpuAnswer<bench::CounterReport> count(std::uint64_t seed, const BenchFolders &placed,
                                               std::chrono::milliseconds timeout,
                                               const std::stop_token &stop = {},
                                               const job::ProgressCallback &progress = {});

private:
  Result<std::string> send(const std::string &folder, const std::stop_token &stop,
                           const job::ProgressCallback &progress);

  bench::GpuClient &m_gpu;
  Where m_where;
  // The shared reference that was sent last, and by which process of the worker it was taken.
  std::string m_shared, m_sharedThere;
  int m_sharedStart = 0, m_sharedUses = 0;
};

} // namespace tessera::measure
