// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

// Helpers shared by the samples from neural networks. The channel is the fastest dimension of a
// layer: (c, x, y, image).
namespace tessera::samples {

// Promises that a buffer is dense, starts at 0, has exactly this size, and is aligned for vector
// loads.
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

// The largest divisor of `extent` that is at most `limit`. A tile of this size has no ragged edge.
inline int exactTile(int extent, int limit) {
  int best = 1;
  for (int tile = 2; tile <= limit && tile <= extent; ++tile)
    if (extent % tile == 0) best = tile;
  return best;
}

// A convolution or a matrix product:
//
//   sum(c, pixel …) += weights(c, …, k) * pixels(k, pixel …)
//
// At `level` of `consumer`, a few channels and pixels are left to compute. Their sums stay in a
// thread's registers while the loops over k and the window run. The weights are loaded as vectors
// of those channels. Of each pixel, `deep` values of k are loaded together, as vectors where `deep`
// allows it. Both are copied to registers just before use.
struct RegisterProduct {
  Halide::Func sum, weights, pixels;
  std::vector<Halide::RVar> window; // innermost first; empty for 1x1
  Halide::RVar k;
  int deep = 4;
  int chunk = 0;          // values of k for each pass over the window; 0: one pass for all k
  bool unrollRow = false; // unrolls a row of the window; a pixel is read once for the row

  void computeAt(Halide::Func consumer, const Halide::Var &level) const;
};

inline void RegisterProduct::computeAt(Halide::Func consumer, const Halide::Var &level) const {
  using namespace Halide;
  const MemoryType registers = MemoryType::Register;
  const std::vector<Var> dims = Func(sum).args();
  const std::vector<Var> pixel(dims.begin() + 1, dims.end());
  RVar rest("k_rest"), outer("k_outer"), inner("k_inner");
  std::vector<VarOrRVar> order{dims[0], inner};
  order.insert(order.end(), pixel.begin(), pixel.end());
  order.push_back(outer);
  order.insert(order.end(), window.begin(), window.end());
  if (unrollRow)
    std::swap(order[order.size() - window.size()], order[order.size() - window.size() - 1]);

  Func(sum).compute_at(consumer, level).store_in(registers).vectorize(dims[0]);
  Stage update = Func(sum).update();
  if (chunk > 0) {
    update.split(k, rest, outer, chunk).split(outer, outer, inner, deep);
    order.push_back(rest);
  } else {
    update.split(k, outer, inner, deep);
  }
  update.reorder(order).vectorize(dims[0]).unroll(inner);
  if (unrollRow) update.unroll(window.front());
  for (const Var &dim : pixel) {
    Func(sum).unroll(dim);
    update.unroll(dim);
  }
  Func weightsHere = Func(weights).in(sum), pixelsHere = Func(pixels).in(sum);
  LoopLevel weightsLevel(sum, unrollRow ? VarOrRVar(window.front()) : VarOrRVar(outer));
  weightsHere.compute_at(weightsLevel).store_in(registers);
  pixelsHere.compute_at(sum, pixel.front()).store_in(registers);
  weightsHere.vectorize(weightsHere.args().front());
  // Vectors of four are one load. Vectors of three gave wrong numbers through OpenCL.
  const Var depth = pixelsHere.args().front();
  Var four("four");
  if (deep % 4 == 0)
    pixelsHere.split(depth, depth, four, 4).vectorize(four).unroll(depth);
  else if (deep == 2)
    pixelsHere.vectorize(depth);
  else
    pixelsHere.unroll(depth);
  for (Func f : {weightsHere, pixelsHere})
    for (std::size_t i = 1; i < f.args().size(); ++i)
      f.unroll(f.args()[i]);
}

// Cuts a layer f(c, x, y, n, …) into blocks of at most `threads` threads, of which `across` lie
// side by side along the channels. Each thread has at most four channels of at most `pixels`
// pixels. There are no ragged edges.
struct LayerTile {
  int channels, width, height; // size of the layer
  int pixels = 1, threads = 128;
  int across = 32; // threads along the channels

  int wide() const { return exactTile(width, pixels); }
  int tall() const { return exactTile(height, pixels / wide()); }
  int threadsPerImage() const {
    return channels / exactTile(channels, 4) * (width / wide()) * (height / tall());
  }
  // Returns the Var of the threads. A func computed at this Var is computed for one thread.
  Halide::Var apply(Halide::Func f) const;
};

inline Halide::Var LayerTile::apply(Halide::Func f) const {
  using namespace Halide;
  const std::vector<Var> dims = f.args();
  const Var c = dims[0], x = dims[1], y = dims[2];
  Var n = dims[3];
  Var co("co"), ct("ct"), ci("ci"), xo("xo"), xt("xt"), xi("xi"), yo("yo"), yt("yt"), yi("yi");
  const int each = exactTile(channels, 4);
  const int threadsC = exactTile(channels / each, across);
  const int threadsX = exactTile(width / wide(), std::max(threads / threadsC / 2, 1));
  const int threadsY = exactTile(height / tall(), std::max(threads / threadsC / threadsX, 1));
  if (dims.size() > 4) f.fuse(n, dims[4], n);
  f.split(c, co, ci, each * threadsC)
      .split(ci, ct, ci, each)
      .split(x, xo, xi, wide() * threadsX)
      .split(xi, xt, xi, wide())
      .split(y, yo, yi, tall() * threadsY)
      .split(yi, yt, yi, tall())
      .reorder(ci, xi, yi, ct, xt, yt, co, xo, yo, n)
      .vectorize(ci)
      .unroll(xi)
      .unroll(yi)
      .fuse(co, xo, xo)
      .gpu_threads(ct, xt, yt)
      .gpu_blocks(xo, yo, n);
  return ct;
}

} // namespace tessera::samples
