// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::samples::synthetic {

// What a node computes. Values stay bounded: integers in [0, 255], floats in [0, 1]. No float
// becomes an index or an integer, so that a difference in rounding stays a small difference.
enum class Kind {
  // pointwise
  Blend,      // (weight a + (16 - weight) b) / 16
  Difference, // |a - b|
  Larger,     // max(a, b)
  Mask,       // integer: a where b is even, else a / 2
  Curve,      // one of four smooth functions of a; integer: one of three
  // stencils
  Rows,     // 3 x 1 mean of taps that are 1 to 3 pixels apart
  Columns,  // 1 x 3 mean of such taps
  Binomial, // 1 4 6 4 1 along x or y
  Cross,    // (4 x pixel + its four neighbours) / 8
  Gradient, // half of |right - left| or |below - above|, 1 to 3 pixels away
  // resampling
  Shrink,  // 2 x 2 mean of the next finer level
  Enlarge, // bilinear from the next coarser level
  // reductions, two definitions each
  BoxSum, // float: mean over a square: an update sums its pixels
  Dilate, // integer: maximum over a square
  // indirect
  Table,     // table(a), where the table is a func of its own; two definitions
  Histogram, // share of the pixels of b that equal a, by a scatter; three definitions
  Gather     // a at a place that is shifted by b
};

enum class Type { U8, I32, F32 };

struct Node {
  Kind kind = Kind::Blend;
  Type type = Type::F32;
  int level = 0;             // the image is (size + 2^level - 1) >> level pixels wide and high
  std::vector<int> inputs{}; // indices of earlier nodes, or kInput
  int weight = 8;            // in sixteenths
  int variant = 0;           // selects the function, axis or distance
};

inline constexpr int kInput = -1;

// The number of definitions (pure and update) that a node of this kind adds to the pipeline.
int definitionsOf(Kind kind);
bool isPointwise(Kind kind);

struct Options {
  int stages = 100; // the exact number of definitions in the recipe
  int layers = 10;
  std::uint64_t seed = 1;
};

// The same options give the same nodes on every machine. Every node but the last has a consumer.
// The last node is the output, a float at level 0.
std::vector<Node> makeRecipe(const Options &options);

} // namespace tessera::samples::synthetic
