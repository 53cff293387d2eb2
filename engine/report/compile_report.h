// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/element_rule.h"
#include "engine/base/result.h"
#include "engine/pipeline/stage.h"
#include "engine/schedule/words/directive.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::report {

// What compiling a schedule shows, before it runs on a GPU: the document `bundle.json` beside the
// compiled files, and the reply of the worker. engine/halide writes it. The code that predicts,
// measures or shows a candidate reads it.
//
// Counts are those of the lowered code under the estimates, before LLVM, so they include address
// arithmetic as Halide writes it. They are for one run of the pipeline, over all threads. If a
// condition depends on the place in the grid, a count is an average over sampled places. If a
// condition depends on data, both of its branches count.

struct OperationTotal {
  pipeline::OpKind kind = pipeline::OpKind::Add;
  pipeline::ScalarType type;
  double count = 0; // scalar operations: a vector of four counts as four

  friend bool operator==(const OperationTotal &, const OperationTotal &) = default;
};

struct MemoryTraffic {
  double loads = 0, stores = 0; // a dense vector counts as one; an atomic counts as one store
  double loadBytes = 0, storeBytes = 0;
  double atomics = 0; // number of atomics, which `stores` includes

  friend bool operator==(const MemoryTraffic &, const MemoryTraffic &) = default;
};

// What ptxas reports about a kernel, per thread.
struct AssemblerReport {
  int registers = 0;
  int stackBytes = 0;
  int spillStoreBytes = 0, spillLoadBytes = 0;

  friend bool operator==(const AssemblerReport &, const AssemblerReport &) = default;
};

struct KernelStage {
  std::string func; // the name that the directives use
  std::uint32_t stage = 0;

  friend bool operator==(const KernelStage &, const KernelStage &) = default;
};

std::string nameOf(const KernelStage &stage); // "f", "f.update(0)", as pipelines name it

struct KernelReport {
  std::string name;                             // the entry in the PTX
  double launches = 1;                          // per run of the pipeline
  std::array<std::int64_t, 3> blocks{1, 1, 1};  // x, y, z
  std::array<std::int64_t, 3> threads{1, 1, 1}; // x, y, z of a block
  std::int64_t sharedBytes = 0;                 // per block
  std::vector<KernelStage> stages;              // stages that it computes, without inlined ones
  std::vector<OperationTotal> operations;       // by kind, then type
  MemoryTraffic global, shared, local; // local: arrays of a thread, including those in registers
  std::optional<AssemblerReport> assembler;           // none: ptxas did not run or failed
  std::uint32_t firstLine = 0, lineCount = 0;         // place of its code in `files.device`
  std::uint32_t sassFirstLine = 0, sassLineCount = 0; // place of its code in `files.sass`, if any
  // The line in the file of device code, from 1, that ptxas compiles wrongly; 0: none.
  std::uint32_t wrongLine = 0;

  friend bool operator==(const KernelReport &, const KernelReport &) = default;
};

// The lines of the lowered loops, counted from 1, that compute a stage.
struct StageLines {
  std::uint32_t first = 0, last = 0;
  KernelStage stage;

  friend bool operator==(const StageLines &, const StageLines &) = default;
};

struct PipelineArgument {
  enum class Kind : std::uint8_t { Input, Scalar, Output };
  std::string name;
  Kind kind = Kind::Input;
  pipeline::ScalarType type;
  pipeline::Box region; // under the estimates; empty for a scalar
  std::string value;    // estimated value of a scalar; empty: no estimate
  // How floats get into an output; nullopt: not known, since this is not a reference's bundle.
  std::optional<FloatInfluence> floats = {};

  friend bool operator==(const PipelineArgument &, const PipelineArgument &) = default;
};

struct DeviceAllocation {
  // What a report says of more than any machine has. A schedule whose fused loops Halide bounds
  // badly can ask for that.
  static constexpr std::int64_t kMost = (std::int64_t{1} << 52) - 1;

  std::string func;
  std::int64_t bytes = 0;
  double times = 1; // allocations per run of the pipeline

  friend bool operator==(const DeviceAllocation &, const DeviceAllocation &) = default;
};

// Names of files in the bundle's folder; empty where there is no such file.
struct BundleFiles {
  std::string object;  // the pipeline without the runtime
  std::string library; // for dlopen, with the runtime inside
  std::string device;  // PTX, or OpenCL source
  std::string lowered; // Halide's loops, as text
  std::string sass;
  std::string assembled; // output of ptxas for `architecture`; empty: none

  friend bool operator==(const BundleFiles &, const BundleFiles &) = default;
};

struct CompileReport {
  std::string pipeline, pipelineSha256;
  std::string halideVersion;
  std::string target; // as Halide writes it
  int registerCap = 64;
  std::string architecture; // the one that ptxas assembled for; empty: it did not run or failed
  std::string entryPoint;   // int f(arguments…); f_argv and f_metadata exist, too
  std::vector<PipelineArgument> arguments; // in the order of the call
  std::vector<KernelReport> kernels;       // in the order of their launches
  std::vector<DeviceAllocation> allocations;
  std::vector<StageLines> loweredLines; // in order; only where there are lowered loops as text
  std::vector<schedule::Directive> directives;
  std::vector<std::string> promises; // what callers have to guarantee (promise.h)
  // Functions of the user's that the library is linked with: it runs in the sandbox alone.
  std::vector<std::string> functions;
  BundleFiles files;
  std::string librarySha256;
  std::vector<std::string> remarks; // what could not be done, in words

  friend bool operator==(const CompileReport &, const CompileReport &) = default;
};

inline constexpr int kBundleVersion = 1;

nlohmann::ordered_json toJson(const CompileReport &report);
// Checks every member. The error for an unknown version names that version.
Result<CompileReport> compileReportFromJson(const nlohmann::json &document);

} // namespace tessera::report
