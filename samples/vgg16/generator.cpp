// SPDX-License-Identifier: MIT
// VGG-16 [Simonyan and Zisserman 2015], forward: thirteen 3x3 convolutions with bias and ReLU in
// five blocks, each of which ends in a 2x2 maximum; three fully connected layers; softmax. All
// weights are inputs.
#include "samples/common/network.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;
using namespace tessera::samples;

class Vgg16 : public Generator<Vgg16> {
public:
  // The size of the network; tests build a small network. `size`, the picture's width and height,
  // is a multiple of 32.
  GeneratorParam<int> size{"size", 224};
  GeneratorParam<int> channels{"channels",
                               64}; // of the first block; the last block has 8 times as many
  GeneratorParam<int> hidden{"hidden", 4096};
  GeneratorParam<int> classes{"classes", 1000};
  GeneratorParam<int> images{"images", 4};

  // A thread makes four channels of about `pixels` pixels. If a layer would have fewer threads than
  // `enough`, its sums are cut into slices, which different threads compute.
  GeneratorParam<int> pixels{"pixels", 4};
  GeneratorParam<int> threads{"threads", 128};
  GeneratorParam<int> across{"across", 16}; // threads of a block along the channels
  GeneratorParam<int> enough{"enough", 100000};
  GeneratorParam<int> deep{"deep", 4};
  GeneratorParam<bool> unrollRow{"unroll_row", true};

  Input<Buffer<float, 4>> input{"input"};    // channel, x, y, image
  Output<Buffer<float, 2>> output{"output"}; // class, image

  void configure() {
    for (const std::string &name : convolutionNames()) {
      filters.push_back(add_input<Buffer<float, 4>>("filter" + name)); // out, x, y, in
      biases.push_back(add_input<Buffer<float, 1>>("bias" + name));
    }
    filter6 = add_input<Buffer<float, 4>>("filter6"); // channel out, channel in, x, y
    filter7 = add_input<Buffer<float, 2>>("filter7"); // channel out, channel in
    filter8 = add_input<Buffer<float, 2>>("filter8");
    for (const char *name : {"bias6", "bias7", "bias8"})
      denseBiases.push_back(add_input<Buffer<float, 1>>(name));
  }

  void generate() {
    promiseDense(input, {3, size, size, images});
    Func layer = input;
    int side = size, from = 3;
    for (const std::string &name : convolutionNames()) {
      const int to = channels * std::min(1 << (name[0] - '1'), 8);
      convolve(layer, name, side, from, to);
      layer = convolutions.back().relu;
      from = to;
      if (endsBlock(convolutions.size())) {
        side /= 2;
        layer = pool(name, layer);
      }
    }
    connect(layer, side, from);
    softmax();
    promiseDense(output, {classes, images});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  struct Convolution {
    Func padded, sum, relu, pooled; // `pooled` is defined only at the end of a block
    RDom r;                         // channel in, x, y
    int side, from, to;
  };
  struct Dense {
    Func sum, relu; // `relu` is undefined for the last layer
    RDom r;
    int from, to, window; // a sum has `from` terms for each of `window` pixels
  };

  static std::vector<std::string> convolutionNames() {
    return {"1_1", "1_2", "2_1", "2_2", "3_1", "3_2", "3_3",
            "4_1", "4_2", "4_3", "5_1", "5_2", "5_3"};
  }

  static bool endsBlock(std::size_t count) {
    return count == 2 || count == 4 || count == 7 || count == 10 || count == 13;
  }

  void convolve(Func layer, const std::string &name, int side, int from, int to) {
    const std::size_t i = convolutions.size();
    promiseDense(*filters[i], {to, 3, 3, from});
    promiseDense(*biases[i], {to});
    Convolution one{{},
                    Func("conv" + name),
                    Func("relu" + name),
                    {},
                    RDom(0, from, 0, 3, 0, 3, "r"),
                    side,
                    from,
                    to};
    const RDom &r = one.r;
    one.padded = BoundaryConditions::constant_exterior(
        layer, 0.0f, {{Expr(), Expr()}, {0, side}, {0, side}, {Expr(), Expr()}});
    one.sum(c, x, y, n) = (*biases[i])(c);
    one.sum(c, x, y, n) +=
        (*filters[i])(c, r.y, r.z, r.x) * one.padded(r.x, x + r.y - 1, y + r.z - 1, n);
    one.relu(c, x, y, n) = max(one.sum(c, x, y, n), 0.0f);
    convolutions.push_back(one);
  }

  Func pool(const std::string &name, Func layer) {
    Func pooled("pool" + name.substr(0, 1));
    pooled(c, x, y, n) = max(max(layer(c, 2 * x, 2 * y, n), layer(c, 2 * x + 1, 2 * y, n)),
                             max(layer(c, 2 * x, 2 * y + 1, n), layer(c, 2 * x + 1, 2 * y + 1, n)));
    convolutions.back().pooled = pooled;
    return pooled;
  }

  void connect(Func layer, int side, int from) {
    promiseDense(*filter6, {hidden, from, side, side});
    promiseDense(*filter7, {hidden, hidden});
    promiseDense(*filter8, {classes, hidden});
    for (int i = 0; i < 3; ++i) {
      const int to = i == 2 ? classes : hidden;
      const std::string name = std::to_string(6 + i);
      promiseDense(*denseBiases[i], {to});
      Dense one{Func("fc" + name),
                i < 2 ? Func("relu" + name) : Func(),
                i == 0 ? RDom(0, from, 0, side, 0, side, "r") : RDom(0, hidden, "r"),
                i == 0 ? from : int(hidden),
                to,
                i == 0 ? side * side : 1};
      one.sum(c, n) = (*denseBiases[i])(c);
      if (i == 0)
        one.sum(c, n) +=
            (*filter6)(c, one.r.x, one.r.y, one.r.z) * layer(one.r.x, one.r.y, one.r.z, n);
      else
        one.sum(c, n) +=
            (*(i == 1 ? filter7 : filter8))(c, one.r.x) * dense.back().relu(one.r.x, n);
      if (i < 2) one.relu(c, n) = max(one.sum(c, n), 0.0f);
      dense.push_back(one);
    }
  }

  // Subtracts the largest score first, so that no exponential overflows.
  void softmax() {
    const Func scores = dense.back().sum;
    all = RDom(0, classes, "all");
    largest(n) = Float(32).min();
    largest(n) = max(largest(n), scores(all, n));
    exponential(c, n) = exp(scores(c, n) - largest(n));
    total(n) = 0.0f;
    total(n) += exponential(all, n);
    output(c, n) = exponential(c, n) / total(n);
  }

  // Each convolution has a kernel, which also computes the ReLU and, at the end of a block, the
  // maximum. It keeps sums in registers and reads through L1. For each convolution but the first,
  // another kernel surrounds the input with zeros.
  void scheduleForGpu() {
    for (std::size_t i = 0; i < convolutions.size(); ++i)
      schedule(convolutions[i], *filters[i]);
    schedule(dense[0], *filter6, convolutions.back().pooled);
    schedule(dense[1], *filter7, dense[0].relu);
    schedule(dense[2], *filter8, dense[1].relu);
    scheduleSoftmax();
  }

  void schedule(Convolution &one, Func filter) {
    if (one.from >= 4) surround(one.padded, one.from);
    const bool pooled = one.pooled.defined();
    Func consumer = pooled ? one.pooled : one.relu;
    const LayerTile whole{one.to, one.side, one.side, pixels, threads, across};
    LayerTile tile = whole;
    if (pooled)
      tile = {one.to, one.side / 2, one.side / 2, std::max(pixels / 4, 1), threads, across};
    const Var thread = tile.apply(consumer.compute_root());

    const int count = tile.threadsPerImage() * images;
    const int slices = exactTile(one.from, (enough + count - 1) / count);
    const int from = one.from / slices;
    RegisterProduct product{one.sum,
                            filter,
                            one.padded,
                            {one.r.y, one.r.z},
                            one.r.x,
                            exactTile(from, deep),
                            exactTile(from, 32),
                            unrollRow};
    if (slices == 1) {
      product.computeAt(consumer, thread);
      return;
    }
    // Each slice of the sum is computed like a layer of its own. The consumer adds up the slices.
    Var slice("slice");
    RVar outer("outer"), inner("inner");
    one.sum.update().split(one.r.x, outer, inner, from);
    product.sum = one.sum.update().rfactor(outer, slice);
    product.k = inner;
    Func stored = product.sum.in();
    product.computeAt(stored, whole.apply(stored.compute_root()));
    one.sum.compute_at(consumer, thread).store_in(MemoryType::Register);
    one.sum.vectorize(c).unroll(x).unroll(y);
    one.sum.update().reorder(c, x, y, outer).vectorize(c).unroll(x).unroll(y);
  }

  // Copies a layer into one with a border of zeros, so that no product has to check whether its
  // pixel lies in the picture. The first layer has three channels and is not worth a copy.
  void surround(Func padded, int channelCount) {
    const std::vector<Var> dims = padded.args();
    Var co("co"), ct("ct"), ci("ci"), xo("xo"), xt("xt"), yo("yo"), yi("yi");
    padded.compute_root()
        .split(dims[0], co, ci, 4 * exactTile(channelCount / 4, 32))
        .split(ci, ct, ci, 4)
        .split(dims[1], xo, xt, 8, TailStrategy::GuardWithIf)
        .split(dims[2], yo, yi, 2)
        .reorder(ci, yi, ct, xt, co, xo, yo, dims[3])
        .vectorize(ci)
        .unroll(yi)
        .fuse(co, xo, xo)
        .gpu_threads(ct, xt)
        .gpu_blocks(xo, yo, dims[3]);
  }

  // A thread computes its sums for all images, so that weights are read once. The sum is cut into
  // slices, so that enough threads read the weights. A second kernel has a thread for each sum,
  // which adds up the slices.
  void schedule(Dense &one, Func filter, Func from) {
    const int perSlice = one.to / 4 * one.window;
    const int slices =
        exactTile(one.from / exactTile(one.from, deep), (enough + perSlice - 1) / perSlice);
    Var slice("slice"), u("u"), v("v"), co("co"), ct("ct"), ci("ci");
    RVar outer("outer"), inner("inner");
    one.sum.update().split(one.r.x, outer, inner, one.from / slices);
    const bool windowed = one.r.dimensions() == 3;
    Func sum = windowed ? one.sum.update().rfactor({{outer, slice}, {one.r.y, u}, {one.r.z, v}})
                        : one.sum.update().rfactor(outer, slice);
    Func stored = sum.in();
    if (windowed) stored.fuse(slice, u, slice).fuse(slice, v, slice);
    stored.compute_root()
        .split(c, co, ci, 4 * exactTile(one.to / 4, threads))
        .split(ci, ct, ci, 4)
        .reorder(ci, n, ct, co, slice)
        .vectorize(ci)
        .unroll(n)
        .gpu_threads(ct)
        .gpu_blocks(co, slice);
    RegisterProduct{sum, filter, from, {}, inner, exactTile(one.from / slices, deep)}.computeAt(
        stored, ct);

    Func result = one.relu.defined() ? one.relu : one.sum.in();
    result.compute_root().split(c, co, ct, exactTile(one.to, 64)).gpu_threads(ct).gpu_blocks(co, n);
    one.sum.compute_at(result, ct).store_in(MemoryType::Register);
    if (windowed)
      one.sum.update().unroll(one.r.y);
    else
      one.sum.update().unroll(outer, exactTile(slices, 8));
  }

  // There is a block for each image. Each of up to forty threads finds the maximum, and later the
  // sum, over every fortieth class. One thread combines their results.
  void scheduleSoftmax() {
    Var lane("lane"), ct("ct"), ci("ci");
    const int lanes = exactTile(classes, 40);
    Func(output)
        .split(c, ci, ct, exactTile(classes, 256))
        .reorder(ci, ct, n)
        .gpu_threads(ct)
        .gpu_blocks(n);
    for (Func f : {largest, total}) {
      RVar outer("outer"), inner("inner");
      f.update().split(all, outer, inner, lanes);
      Func partial = f.update().rfactor(inner, lane);
      partial.compute_at(output, n).gpu_threads(lane).update().gpu_threads(lane);
      f.compute_at(output, n);
    }
  }

  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  std::vector<Input<Buffer<float, 4>> *> filters;
  std::vector<Input<Buffer<float, 1>> *> biases, denseBiases;
  Input<Buffer<float, 4>> *filter6 = nullptr;
  Input<Buffer<float, 2>> *filter7 = nullptr, *filter8 = nullptr;
  std::vector<Convolution> convolutions;
  std::vector<Dense> dense;
  RDom all;
  Func largest{"largest"}, exponential{"exponential"}, total{"total"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Vgg16, vgg16)
