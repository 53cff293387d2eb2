// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::pipeline::test {

// A pipeline that fits five lines of a test:
//
//   input in 64 64
//   func blur_x(x y) 64 62 = in(x+[0,2]; y)
//   func blur_y(x y) 64 60 = blur_x(x; y+[0,2])
//   update blur_y(x y) r:0:3 = blur_y(x; y) in(x; r)
//   output blur_y
//
// An index is a sum of terms (x, 2*x, r) and [low,high] or a number; "/d" divides all before it,
// and constants may follow; all inside clamp(…,low,high); or "?" for an index that depends on data,
// "x+[-8,8]?" where these bounds are known, "[0,15]!" where they are so for every size, "?r" for
// one that the loop r decides. "folded r = in(x; y)" behind a stage: what it loads, with no
// operations, where r is a number. Extents start at 0. Types may follow the extents of a func
// ("uint8", several for a tuple; else float32), "sine" where it computes one and "bounded" where
// the algorithm bounds it; "commutative" or "associative" an update's name; "fixed" an output's;
// ":fixed" and ":independent" a reduction loop. Fails the running test on a malformed line.
PipelineParts sketchParts(std::string_view text);
PipelinePtr sketch(std::string_view text);

IndexMap indexMap(std::string_view text, const std::vector<std::string> &loops);

} // namespace tessera::pipeline::test
