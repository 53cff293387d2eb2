// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/worker_client.h"

namespace tessera::halide {

// What `tessera-halide` answers to:
//
//   "import"  {path, name?, sidecar?, estimates?: [{name, dims:[{min,extent}…]} | {name, value}],
//              definitionLimit?}            → {"pipeline": as pipeline::toJson()}
//   "boxes"   {the same, tiles:[{stage, loops:[[min,max]…]}…]}
//              → {"boxes":[{stage, required:{producer:[[min,max]…]}}…]}: Halide's own answer, an
//              end is null where Halide finds no constant. `stage` is an index or a name,
//              "f.update(0)".
//   "schedule" {path, sidecar?}            → {"directives":[…], "others":[text…]}: what the file
//              says about how it is computed; `others` are calls that no directive stands for.
//   "compile" {import's, directives, target: "cuda" | "opencl" | "host", capability = 86,
//              register_cap = 64, sm = "sm_90", output: folder, scratch?, cache?: folders,
//              ptxas?, linker?, disassembler?: programs, want?: ["lowered", "ptx", "sass"],
//              small = false: at the narrowest sizes that its tiles fit in}
//              → {"report": as schedule::toJson(CompileReport), "seconds": {phase: time}}, and the
//              bundle in `output`: bundle.json (the report), pipeline.so, pipeline.o, kernels.ptx …
//   "verify"  {import's, directives, target: "opencl" | "host" | "cuda", seed = 1, small = false,
//              driver_optimizes = true, tolerance?: of floats}
//              → as schedule::toJson(VerifyReport), also where the
//              outputs differ. A schedule that does not run is a launch error.
//
// Nothing that Halide throws leaves a handler.
job::WorkerHandlers workerHandlers();

} // namespace tessera::halide
