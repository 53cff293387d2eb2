// SPDX-License-Identifier: MIT
// A small network that demosaics, in the manner of Gharbi et al. 2016, "Deep Joint Demosaicking and
// Denoising". The Bayer mosaic is packed into four channels of half the size, goes through 3x3
// convolutions there, and is unpacked into three colours. These join the masked mosaic in a last
// 3x3 convolution at full size.
#include "samples/common/network.h"

#include <Halide.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace Halide;
using tessera::samples::exactTile;
using tessera::samples::promiseDense;

class LearnedDemosaic : public Generator<LearnedDemosaic> {
public:
  GeneratorParam<int> width{"width", 1536};
  GeneratorParam<int> height{"height", 1024};
  GeneratorParam<int> layers{"layers", 5}; // half-size layers, besides the last one (unpacked)
  GeneratorParam<int> features{"features", 16};

  // A thread makes `wide` features of `tall` pixels. At full size, it makes two by two pixels.
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 2};
  GeneratorParam<int> tall{"tall", 4};
  GeneratorParam<int> wide{"wide", 8};
  GeneratorParam<int> wideLast{"wide_last", 4};

  Input<Buffer<float, 2>> mosaic{"mosaic"}; // red, green in even rows; green, blue in odd rows
  Output<Buffer<float, 3>> output{"output"};

  void configure() {
    for (int i = 0; i <= layers; ++i)
      addWeights(std::to_string(i + 1));
    addWeights("_join");
    colors = add_input<Buffer<float, 2>>("filter_colors"); // channel out, channel in
  }

  void generate() {
    // Outside of the picture, its outermost blocks of two by two pixels repeat.
    const Expr column = clamp(x, 0, width / 2 - 1), row = clamp(y, 0, height / 2 - 1);
    packed(x, y, f) = mosaic(2 * column + f % 2, 2 * row + f / 2);

    Func last = packed;
    int from = 4;
    for (int i = 0; i <= layers; ++i) {
      const std::string name = std::to_string(i + 1);
      const int to = i < layers ? int(features) : 12;
      sums.push_back(convolved("conv" + name, i, last, from, to));
      last = sums.back();
      if (i < layers) {
        last = Func("relu" + name);
        last(x, y, f) = max(sums.back()(x, y, f), 0.0f);
      }
      stored.push_back(last);
      from = to;
    }

    const Expr place = x % 2 + 2 * (y % 2);
    unpacked(x, y, c) = last(x / 2, y / 2, 4 * c + place);
    masked(x, y, c) = select((place + 1) / 2 == c, packed(x / 2, y / 2, place), 0.0f);
    joined(x, y, f) = select(f < 3, unpacked(x, y, min(f, 2)), masked(x, y, max(f - 3, 0)));
    sums.push_back(convolved("conv_join", layers + 1, joined, 6, features));
    relu(x, y, f) = max(sums.back()(x, y, f), 0.0f);
    all = RDom(0, features, "all");
    mixed(x, y, c) = 0.0f;
    mixed(x, y, c) += (*colors)(c, all) * relu(x, y, all);
    output(x, y, c) = mixed(x, y, c);

    promiseDense(mosaic, {width, height});
    promiseDense(*colors, {3, features});
    promiseDense(output, {width, height, 3});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  void addWeights(const std::string &name) {
    filters.push_back(add_input<Buffer<float, 4>>("filter" + name)); // out, x, y, in
    biases.push_back(add_input<Buffer<float, 1>>("bias" + name));
  }

  Func convolved(const std::string &name, int i, Func in, int from, int to) {
    promiseDense(*filters[i], {to, 3, 3, from});
    promiseDense(*biases[i], {to});
    windows.emplace_back(0, 3, 0, 3, 0, from, "r");
    const RDom &r = windows.back();
    Func sum(name);
    sum(x, y, f) = (*biases[i])(f);
    sum(x, y, f) += (*filters[i])(f, r.x, r.y, r.z) * in(x + r.x - 1, y + r.y - 1, r.z);
    return sum;
  }

  // Four or a multiple of four where possible, so that the weights are read as vectors.
  int featuresOfAThread(int to) const {
    return to % 4 == 0 ? 4 * exactTile(to / 4, std::max(wide / 4, 1)) : exactTile(to, wide);
  }

  // Each layer has a kernel. A thread keeps a few features of a column of pixels in registers.
  // Neighbouring threads read neighbouring pixels, and all threads read the same weights.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), yt("yt"), yi("yi"), fo("fo"), fi("fi");
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const int to = i + 1 < stored.size() ? int(features) : 12;
      const TailStrategy tail = TailStrategy::ShiftInwards;
      Func layer = i + 1 < stored.size() ? stored[i] : stored[i].in();
      layer.compute_root()
          .split(f, fo, fi, featuresOfAThread(to))
          .split(x, xo, x, threadsX, tail)
          .split(y, yo, yt, threadsY * tall.value(), tail)
          .split(yt, yt, yi, tall)
          .reorder(fi, yi, x, yt, fo, xo, yo)
          .unroll(fi)
          .unroll(yi)
          .gpu_threads(x, yt, fo)
          .gpu_blocks(xo, yo);
      keepInRegisters(sums[i], *filters[i], windows[i], layer, x, featuresOfAThread(to));
    }
    scheduleLast();
  }

  // A thread makes two by two pixels, so that the compiler knows which are red, green and blue. It
  // makes `wide_last` features at a time and mixes the three colours from them at once.
  void scheduleLast() {
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
    RVar some("some"), one("one");
    Func(output)
        .tile(x, y, xo, yo, xt, yt, 2 * exactTile(width / 2, threadsX),
              2 * exactTile(height / 2, 4))
        .tile(xt, yt, xt, yt, xi, yi, 2, 2)
        .reorder(xi, yi, c, xt, yt, xo, yo)
        .unroll(xi)
        .unroll(yi)
        .unroll(c)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    mixed.compute_at(output, xt).store_in(MemoryType::Register).unroll(x).unroll(y).unroll(c);
    mixed.update()
        .split(all, some, one, wideLast)
        .reorder(x, y, c, one, some)
        .unroll(x)
        .unroll(y)
        .unroll(c)
        .unroll(one);
    keepInRegisters(sums.back(), *filters.back(), windows.back(), mixed, some, wideLast);
    sums.back().unroll(x);
    sums.back().update().unroll(x).unroll(windows.back().z);
  }

  void keepInRegisters(Func sum, Func filter, const RDom &r, Func consumer, const VarOrRVar &level,
                       int count) {
    const LoopLevel at(consumer, level);
    Var outer("outer"), inner("inner");
    sum.compute_at(at).store_in(MemoryType::Register).unroll(f).unroll(y);
    sum.update().reorder(f, x, y, r.x, r.y, r.z).unroll(f).unroll(y).unroll(r.x).unroll(r.y);
    Func weights = filter.in(sum);
    const Var to = weights.args().front();
    weights.compute_at(sum, r.x).store_in(MemoryType::Register);
    if (count % 4 == 0)
      weights.split(to, outer, inner, 4, TailStrategy::RoundUp).vectorize(inner).unroll(outer);
    else
      weights.unroll(to);
  }

  Var x{"x"}, y{"y"}, f{"f"}, c{"c"};
  std::vector<Input<Buffer<float, 4>> *> filters;
  std::vector<Input<Buffer<float, 1>> *> biases;
  Input<Buffer<float, 2>> *colors = nullptr;
  Func packed{"packed"}, unpacked{"unpacked"}, masked{"masked"}, joined{"joined"};
  Func relu{"relu_join"}, mixed{"mixed"};
  std::vector<Func> sums, stored;
  std::vector<RDom> windows;
  RDom all;
};

} // namespace

HALIDE_REGISTER_GENERATOR(LearnedDemosaic, learned_demosaic)
