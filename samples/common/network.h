// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstddef>
#include <vector>

// What the samples from neural networks share. Layers have the channel as their fastest dimension:
// (c, x, y, image).
namespace tessera::samples {

// Dense, from 0, of exactly this size, and aligned for vector loads.
template <typename Port>
void promiseDense(Port &port, const std::vector<int> &extents) {
  Halide::Region region;
  int stride = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    port.dim(static_cast<int>(i)).set_bounds(0, extents[i]).set_stride(stride);
    region.push_back({0, extents[i]});
    stride *= extents[i];
  }
  port.set_estimates(region);
  port.set_host_alignment(16);
}

// The largest divisor of `extent` that is at most `limit`: a tile without a ragged edge.
inline int exactTile(int extent, int limit) {
  int best = 1;
  for (int tile = 2; tile <= limit && tile <= extent; ++tile)
    if (extent % tile == 0) best = tile;
  return best;
}

// A convolution as a matrix product:
//
//   sum(c, x, y, n) += weights(c, …, k) * pixels(k, x …, y …, n)
//
// At `level` of `consumer`, where a few channels and pixels are left to compute, they stay in a
// thread's registers while k and the window run. The weights come as vectors of those channels,
// the pixels as vectors of `deep` values of k; both are copied to registers just before use.
struct RegisterProduct {
  Halide::Func sum, weights, pixels;
  std::vector<Halide::RVar> window; // from the inside out; none for 1x1
  Halide::RVar k;
  int deep = 4;

  void computeAt(Halide::Func consumer, const Halide::Var &level) const;
};

inline void RegisterProduct::computeAt(Halide::Func consumer, const Halide::Var &level) const {
  using namespace Halide;
  const MemoryType registers = MemoryType::Register;
  const std::vector<Var> dims = Func(sum).args();
  const Var c = dims[0], x = dims[1], y = dims[2];
  RVar outer("k_outer"), inner("k_inner");
  std::vector<VarOrRVar> order{c, inner, x, y, outer};
  order.insert(order.end(), window.begin(), window.end());

  Func(sum).compute_at(consumer, level).store_in(registers).vectorize(c).unroll(x).unroll(y);
  Func(sum)
      .update()
      .split(k, outer, inner, deep)
      .reorder(order)
      .vectorize(c)
      .unroll(inner)
      .unroll(x)
      .unroll(y);
  Func weightsHere = Func(weights).in(sum), pixelsHere = Func(pixels).in(sum);
  weightsHere.compute_at(sum, outer).store_in(registers).vectorize(weightsHere.args().front());
  weightsHere.unroll(weightsHere.args().back());
  pixelsHere.compute_at(sum, x).store_in(registers).vectorize(pixelsHere.args().front());
}

} // namespace tessera::samples
