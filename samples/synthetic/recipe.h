// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::samples::synthetic {

// What a node computes. Values stay bounded: integers in [0, 255], floats in [0, 1], and no float
// becomes an index or an integer, so that another rounding never jumps.
enum class Kind {
  // pointwise
  Blend,      // (weight a + (16 - weight) b) / 16
  Difference, // |a - b|
  Larger,     // max(a, b)
  Mask,       // integer: a where b is even, else a / 2
  Curve,      // one of four smooth functions of a; integer: one of three
  // stencils
  Rows,     // 3 x 1 mean, taps `distance` apart
  Columns,  // 1 x 3 mean
  Binomial, // 1 4 6 4 1 along x or y
  Cross,    // mean of the pixel and twice its four neighbours' mean
  Gradient, // half of |right - left| or |below - above|
  // resampling
  Shrink,  // 2 x 2 mean of the next finer level
  Enlarge, // bilinear from the next coarser level
  // reductions, two definitions each
  BoxSum, // float: mean over a square by a sum
  Dilate, // integer: maximum over a square
  // indirect
  Table,     // table(a), the table being a func of its own; two definitions
  Histogram, // share of pixels of b that have the value of a: scatter; three definitions
  Gather     // a at a place that b shifts
};

enum class Type { U8, I32, F32 };

struct Node {
  Kind kind = Kind::Blend;
  Type type = Type::F32;
  int level = 0;             // the image is (size + 2^level - 1) >> level pixels wide and high
  std::vector<int> inputs{}; // earlier nodes, or kInput
  int weight = 8;            // sixteenths
  int variant = 0;           // which function, axis or distance
};

inline constexpr int kInput = -1;

// Definitions (pure and update) that a node of this kind adds to the pipeline.
int definitionsOf(Kind kind);
bool isPointwise(Kind kind);

struct Options {
  int stages = 100; // definitions in all, met exactly
  int layers = 10;
  std::uint64_t seed = 1;
};

// The same options give the same nodes on every machine. Every node has a consumer but the last,
// which is the output: a float at level 0.
std::vector<Node> makeRecipe(const Options &options);

} // namespace tessera::samples::synthetic
