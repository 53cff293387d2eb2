// SPDX-License-Identifier: MIT
// A layer of a convolutional network: 3x3, as many channels out as in, bias and ReLU. The channel
// is the fastest dimension.
#include <Halide.h>

#include <vector>

namespace {

using namespace Halide;

class ConvLayer : public Generator<ConvLayer> {
public:
  GeneratorParam<int> channels{"channels", 128};
  GeneratorParam<int> width{"width", 100};
  GeneratorParam<int> height{"height", 80};
  GeneratorParam<int> images{"images", 5};
  GeneratorParam<int> threadsC{"threads_c", 32};
  GeneratorParam<int> threadsX{"threads_x", 4};
  GeneratorParam<int> wide{"wide", 5};
  GeneratorParam<int> tall{"tall", 2};
  GeneratorParam<int> deep{"deep", 4};

  Input<Buffer<float, 4>> input{"input"};   // channel, x, y, image; a pixel wider on each side
  Input<Buffer<float, 4>> filter{"filter"}; // channel out, x, y, channel in
  Input<Buffer<float, 1>> bias{"bias"};
  Output<Buffer<float, 4>> output{"output"};

  void generate() {
    const int depth = channels, columns = width, rows = height, count = images;
    r = RDom(0, 3, 0, 3, 0, depth, "r");
    conv(c, x, y, n) = bias(c);
    conv(c, x, y, n) += filter(c, r.x, r.y, r.z) * input(r.z, x + r.x, y + r.y, n);
    output(c, x, y, n) = max(conv(c, x, y, n), 0.0f);

    promise(input, {depth, columns + 2, rows + 2, count});
    promise(filter, {depth, 3, 3, depth});
    promise(output, {depth, columns, rows, count});
    bias.dim(0).set_bounds(0, depth);
    bias.set_estimates({{0, depth}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  // Dense, from 0, and of this size.
  template <typename Port>
  static void promise(Port &port, const std::vector<int> &extents) {
    Region region;
    int stride = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      port.dim(static_cast<int>(i)).set_bounds(0, extents[i]).set_stride(stride);
      region.push_back({0, extents[i]});
      stride *= extents[i];
    }
    port.set_estimates(region);
  }

  // One kernel, with no shared memory. A thread keeps 4 channels of `wide` by `tall` pixels in
  // registers; a warp shares the input's pixels by broadcast and reads the filter side by side.
  void scheduleForGpu() {
    input.set_host_alignment(16);
    filter.set_host_alignment(16);
    output.set_host_alignment(16);

    Var xo("xo"), yo("yo"), co("co"), ct("ct"), xt("xt"), ci("ci"), xi("xi"), yi("yi");
    RVar zo("zo"), zi("zi");
    Func(output)
        .split(c, co, ci, 4 * threadsC)
        .split(ci, ct, ci, 4)
        .split(x, xo, xi, threadsX * wide.value())
        .split(xi, xt, xi, wide)
        .split(y, yo, yi, tall)
        .fuse(xo, co, xo)
        .reorder(ci, xi, yi, ct, xt, xo, yo, n)
        .vectorize(ci)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(ct, xt)
        .gpu_blocks(xo, yo, n);
    conv.compute_at(output, ct).store_in(MemoryType::Register).vectorize(c).unroll(x).unroll(y);
    conv.update()
        .split(r.z, zo, zi, deep)
        .reorder(c, x, y, zi, r.x, r.y, zo)
        .vectorize(c)
        .unroll(x)
        .unroll(y)
        .unroll(zi);
    Func pixels = input.in(), weights = filter.in();
    pixels.compute_at(conv, r.x).store_in(MemoryType::Register);
    pixels.vectorize(pixels.args()[0]).unroll(pixels.args()[1]).unroll(pixels.args()[2]);
    weights.compute_at(conv, r.x).store_in(MemoryType::Register);
    weights.vectorize(weights.args()[0]).unroll(weights.args()[3]);
  }

  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  RDom r;
  Func conv{"conv"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(ConvLayer, conv_layer)
