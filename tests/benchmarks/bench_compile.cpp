// SPDX-License-Identifier: MIT
// Measures how long a warm worker takes from directives to a bundle with its report, and how long
// to a verdict. The goal: harris is compiled for CUDA in under 0.4 s.
#include "engine/host/files.h"
#include "engine/measure/compile.h"
#include "tests/engine/schedule/sketch.h"
#include "tests/support/build_paths.h"

#include <benchmark/benchmark.h>

namespace tessera::measure {
namespace {

constexpr std::string_view kHarris =
    "output split x xo xt 32 guard_with_if | split y yo yt 8 guard_with_if"
    " | reorder xt yt xo yo | gpu_threads xt yt | gpu_blocks xo yo\n"
    "gray   compute_at output:xo | store_in shared | gpu_threads x y\n"
    "dx     compute_at output:xt | unroll x | unroll y\n"
    "dy     compute_at output:xt | unroll x | unroll y";

struct Bench {
  Result<host::ScratchFolder> folder = host::ScratchFolder::create("/tmp");
  host::ToolPaths tools = host::findTools({.programPath = tessera::test::binPath("tessera-cli"),
                                           .searchPath = "/usr/local/bin:/usr/bin:/bin",
                                           .compiler = "",
                                           .home = folder->path(),
                                           .cacheHome = "",
                                           .configHome = "",
                                           .halideRoot = ""});
  ScheduleCompiler compiler{tools, 1};

  ScheduledPipeline harris() const {
    ScheduledPipeline pipeline;
    pipeline.file = tools.samples + "/harris.hlpipe";
    pipeline.directives = schedule::sketch(kHarris);
    return pipeline;
  }
};

void compileHarris(benchmark::State &state) {
  Bench bench;
  CompileRequest request;
  request.pipeline = bench.harris();
  request.output = bench.folder->path() + "/bundle";
  if (bench.compiler.compile(request).outcome != Outcome::Ok) state.SkipWithError("it fails");
  for (auto _ : state) {
    const CompileAnswer answer = bench.compiler.compile(request);
    benchmark::DoNotOptimize(answer.report.kernels.data());
  }
}
BENCHMARK(compileHarris)->Unit(benchmark::kMillisecond)->UseRealTime();

void verifyHarrisOnTheHost(benchmark::State &state) {
  Bench bench;
  VerifyRequest request;
  request.pipeline = bench.harris();
  request.pipeline.directives = schedule::sketch("gray compute_root");
  request.target = GpuApi::Host;
  request.small = true;
  if (bench.compiler.verify(request).outcome != Outcome::Ok) state.SkipWithError("it fails");
  for (auto _ : state) {
    const VerifyAnswer answer = bench.compiler.verify(request);
    benchmark::DoNotOptimize(answer.report.outputs.data());
  }
}
BENCHMARK(verifyHarrisOnTheHost)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace tessera::measure
