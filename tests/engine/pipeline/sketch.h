// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::pipeline::test {

// Reads a pipeline in a short notation, such as:
//
//   input in 64 64
//   func blur_x(x y) 64 62 = in(x+[0,2]; y)
//   func blur_y(x y) 64 60 = blur_x(x; y+[0,2])
//   update blur_y(x y) r:0:3 = blur_y(x; y) in(x; r)
//   output blur_y
//
// An index is a sum of terms (x, 2*x, r) and [low,high] or a number. "/d" divides all before it,
// and constants may follow. All of it may be inside clamp(…,low,high). "?" is an index that depends
// on data: "x+[-8,8]?" if its bounds are known, "[0,15]!" if they hold for every size, "?r" if the
// loop r decides it. A line "folded r = in(x; y)" after a stage lists the loads of the stage (but
// not its operations) for a constant r. Every dimension starts at 0. The extents of a func may be
// followed by its types ("uint8", several for a tuple; default float32), by "sine" if the func
// computes a sine, by "narrows" if it converts a float32 to float16, by "bytes" if it adds bytes,
// by "bounded" if the algorithm bounds the func, by "bounds_indices", and by "extern" if the func
// is an extern stage, which calls NAME_call. Inputs have bytes. The loops of an update may be
// followed by "commutative" or "associative", the name of an output by "fixed", and a reduction
// loop by ":fixed" and
// ":independent". A malformed line fails the running test.
PipelineParts sketchParts(std::string_view text);
PipelinePtr sketch(std::string_view text);

IndexMap indexMap(std::string_view text, const std::vector<std::string> &loops);

} // namespace tessera::pipeline::test
