// SPDX-License-Identifier: MIT
// A layer of a convolutional network: 3x3, bias and ReLU. The channel is the fastest dimension.
#include <Halide.h>

#include <algorithm>
#include <vector>

namespace {

using namespace Halide;

class ConvLayer : public Generator<ConvLayer> {
public:
  GeneratorParam<int> channels{"channels", 128};
  GeneratorParam<int> inputs{"inputs", 0}; // channels of the input; 0: as many as of the output
  GeneratorParam<int> width{"width", 100};
  GeneratorParam<int> height{"height", 80};
  GeneratorParam<int> images{"images", 5};
  // A thread makes `each` channels, a multiple of four, of `wide` by `tall` pixels.
  GeneratorParam<int> each{"each", 4};
  GeneratorParam<int> wide{"wide", 5};
  GeneratorParam<int> tall{"tall", 1};
  GeneratorParam<int> threadsC{"threads_c", 16};
  GeneratorParam<int> threadsX{"threads_x", 4};
  GeneratorParam<int> threadsY{"threads_y", 4};
  // The number of input channels that a block takes at a time, and which buffers it copies to
  // shared memory.
  GeneratorParam<int> chunk{"chunk", 16};
  GeneratorParam<bool> sharedInput{"shared_input", true};
  GeneratorParam<bool> sharedFilter{"shared_filter", true};
  // A thread takes `deep` of these channels at a time. If a row of the filter is unrolled, the
  // thread reads a pixel once for three weights; if the whole filter is unrolled, once for nine.
  GeneratorParam<int> deep{"deep", 4};
  GeneratorParam<bool> unrollColumns{"unroll_columns", true};
  GeneratorParam<bool> unrollRows{"unroll_rows", true};

  Input<Buffer<float, 4>> input{"input"};   // channel, x, y, image; one pixel larger on each side
  Input<Buffer<float, 4>> filter{"filter"}; // channel out, x, y, channel in
  Input<Buffer<float, 1>> bias{"bias"};
  Output<Buffer<float, 4>> output{"output"};

  void generate() {
    const int depth = channels, columns = width, rows = height, count = images;
    const int from = inputs.value() > 0 ? inputs.value() : depth;
    r = RDom(0, 3, 0, 3, 0, from, "r");
    conv(c, x, y, n) = bias(c);
    conv(c, x, y, n) += filter(c, r.x, r.y, r.z) * input(r.z, x + r.x, y + r.y, n);
    output(c, x, y, n) = max(conv(c, x, y, n), 0.0f);

    promise(input, {from, columns + 2, rows + 2, count});
    promise(filter, {depth, 3, 3, from});
    promise(output, {depth, columns, rows, count});
    bias.dim(0).set_bounds(0, depth);
    bias.set_estimates({{0, depth}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  // Promises that a buffer is dense, starts at 0, and has this size.
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

  // One kernel. The sums stay in the registers of their threads while the block walks through the
  // channels of the input, a chunk at a time, by way of shared memory. If a loop over the filter is
  // not unrolled, the compiled code copies most sums in each of its iterations. Unrolling more
  // loops needs more registers.
  void scheduleForGpu() {
    input.set_host_alignment(16);
    filter.set_host_alignment(16);
    output.set_host_alignment(16);

    Func result = output;
    result.split(c, co, c, threadsC * each.value())
        .split(x, xo, x, threadsX * wide.value())
        .split(y, yo, y, threadsY * tall.value())
        .fuse(xo, co, xo);
    tile(result).reorder(ci, cg, xi, yi, ct, xt, yt, xo, yo, n).gpu_blocks(xo, yo, n);

    conv.compute_at(output, xo).store_in(MemoryType::Register);
    tile(conv).reorder(ci, cg, xi, yi, ct, xt, yt, n);
    RVar zo("zo"), zm("zm"), zi("zi");
    Stage sum = tile(conv.update().split(r.z, zo, zm, chunk).split(zm, zm, zi, deep).unroll(zi));
    if (unrollColumns)
      sum.reorder(ci, cg, xi, yi, r.x, zi, r.y, zm, ct, xt, yt, zo, n).unroll(r.x);
    else
      sum.reorder(ci, cg, xi, yi, zi, r.x, r.y, zm, ct, xt, yt, zo, n);
    if (unrollRows) sum.unroll(r.y);

    if (sharedInput) shareInput(zo);
    if (sharedFilter) shareFilter(zo);
  }

  // Distributes the tile of a block over its threads.
  template <typename Definition>
  Definition tile(Definition f) const {
    f.split(c, ct, cg, each)
        .split(cg, cg, ci, 4)
        .split(x, xt, xi, wide)
        .split(y, yt, yi, tall)
        .vectorize(ci)
        .unroll(cg)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(ct, xt, yt);
    return f;
  }

  // All threads of the block copy, four numbers at a time. Each thread issues all of its loads
  // before it waits for the first. Its place in the block says which quads of output channels,
  // which input channel and which of the nine weights it copies. All divisions are by powers of
  // two.
  void shareFilter(const RVar &at) {
    Func f = filter.in();
    const std::vector<Var> v = f.args();
    const int threads = threadsX.value() * threadsY.value();
    const int across = std::min<int>(threads, chunk);
    Var quad("quad"), group("group"), weight("weight"), w("w"), turn("turn"), t("t");
    f.compute_at(conv, at)
        .split(v[0], group, ct, threadsC * 4)
        .split(ct, ct, quad, 4)
        .split(v[3], turn, t, across)
        .fuse(v[1], v[2], weight)
        .split(weight, weight, w, threads / across, TailStrategy::GuardWithIf)
        .fuse(t, w, t)
        .split(t, yt, xt, threadsX)
        .reorder(quad, group, weight, turn, ct, xt, yt)
        .vectorize(quad)
        .unroll(group)
        .unroll(weight)
        .unroll(turn)
        .gpu_threads(ct, xt, yt);
  }

  // Copies the input to shared memory as shareFilter() copies the filter, but `threads_c` threads
  // share a row: each of them copies some of its quads.
  void shareInput(const RVar &at) {
    Func f = input.in();
    const std::vector<Var> v = f.args();
    Var quad("quad"), column("column"), row("row");
    f.compute_at(conv, at)
        .split(v[0], column, quad, 4)
        .fuse(column, v[1], column)
        .split(column, column, ct, threadsC, TailStrategy::GuardWithIf)
        .split(v[2], row, yt, threadsX.value() * threadsY.value(), TailStrategy::GuardWithIf)
        .split(yt, yt, xt, threadsX)
        .reorder(quad, column, row, ct, xt, yt)
        .vectorize(quad)
        .unroll(column)
        .unroll(row)
        .gpu_threads(ct, xt, yt);
  }

  Var co{"co"}, xo{"xo"}, yo{"yo"}, ct{"ct"}, xt{"xt"}, yt{"yt"};
  Var cg{"cg"}, ci{"ci"}, xi{"xi"}, yi{"yi"};
  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  RDom r;
  Func conv{"conv"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(ConvLayer, conv_layer)
