// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

namespace tessera::halide {

// The requests that `tessera-halide` answers, and its replies:
//
//   "import"  {path, name?, sidecar?, estimates?: [{name, dims:[{min,extent}…]} | {name, value}],
//              promises?: [text…], definitionLimit?} → {"pipeline": as pipeline::toJson()}
//   "boxes"   {as "import", tiles:[{stage, loops:[[min,max]…]}…]}
//              → {"boxes":[{stage, required:{producer:[[min,max]…]}}…]}: Halide's own answer. An
//              end is null if Halide finds no constant. `stage` is an index or a name such as
//              "f.update(0)".
//   "schedule" {path, sidecar?}            → {"directives":[…], "others":[text…]}: the schedule
//              in the file; `others` are calls that no directive can express.
//   "compile" {as "import", directives, target: "cuda" | "opencl" | "host", capability = 86,
//              register_cap = 64, sm = "sm_90", output: folder, scratch?, cache?: folders,
//              ptxas?, linker?, disassembler?: programs, want?: ["lowered", "ptx", "sass"],
//              small = false (true: for the narrowest size that holds the schedule's tiles),
//              reference?: "strict" | "loose": instead of the directives, for the host}
//              → {"report": as report::toJson(CompileReport), "seconds": {phase: time}}, and the
//              bundle in `output`: bundle.json (the report), pipeline.so, pipeline.o, kernels.ptx …
//   "peer"    {as "import", target: "cuda" | "host", capability = 86, library: plugin,
//              autoscheduler: name, parameters?: {name: text…}, output: file} → {"seconds"}, and
//              the pipeline with the other autoscheduler's schedule in `output`
//   "verify"  {as "import", directives, target: "opencl" | "host" | "cuda" | "lowered", seed = 1,
//              small = false, driver_optimizes = true, tolerance?: "rel=…,abs=…,share=…",
//              inputs?: [{name, file}…], outputs?: folder}
//              → as report::toJson(VerifyReport), even if the outputs differ. A schedule that
//              does not run is a launch error, or a device memory error. "lowered" interprets what
//              Halide makes for CUDA (lowered/interpret.h): a race, a stray access or memory that
//              nothing has written is a launch error, too.
//
// No exception of Halide leaves a handler.
job::WorkerHandlers workerHandlers();

} // namespace tessera::halide
