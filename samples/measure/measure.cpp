// SPDX-License-Identifier: MIT
// measure SAMPLE [fresh-allocations]: times every compiled variant of one sample on this machine's
// GPU and checks its result against the plain C++ reference. It prints one line of JSON per
// variant. Inputs and output stay on the device. Runs follow each other without synchronisation, as
// they would in a pipeline in use.
#include "samples/bgu/reference.h"
#include "samples/bilateral_grid/reference.h"
#include "samples/blur/reference.h"
#include "samples/camera_pipe/reference.h"
#include "samples/clahe/reference.h"
#include "samples/conv_layer/reference.h"
#include "samples/depthwise_separable_conv/reference.h"
#include "samples/gradient/reference.h"
#include "samples/harris/reference.h"
#include "samples/hist/reference.h"
#include "samples/iir_blur/reference.h"
#include "samples/interpolate/reference.h"
#include "samples/learned_demosaic/reference.h"
#include "samples/lens_blur/reference.h"
#include "samples/lens_blur/stereo_pair.h"
#include "samples/local_laplacian/reference.h"
#include "samples/mat_mul/reference.h"
#include "samples/max_filter/reference.h"
#include "samples/nl_means/reference.h"
#include "samples/pyramid_blend/reference.h"
#include "samples/resnet_block/reference.h"
#include "samples/stencil_chain/reference.h"
#include "samples/synthetic/reference.h"
#include "samples/tree_blur/reference.h"
#include "samples/trig_stencil/reference.h"
#include "samples/two_stage_blur/reference.h"
#include "samples/unsharp/reference.h"
#include "samples/vgg16/reference.h"

#include <HalideBuffer.h>
#include <HalideRuntimeCuda.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <optional>
#include <random>
#include <string>
#include <vector>

#define VARIANT(sample, function, parameters) extern "C" int function##_argv(void **);
#include "variants.inc"
#undef VARIANT

namespace {

using namespace tessera::samples;
using Clock = std::chrono::steady_clock;

struct Variant {
  std::string sample;
  std::string parameters; // "key=value key=value", as the generator got them
  int (*run)(void **);
};

const Variant kVariants[] = {
#define VARIANT(sample, function, parameters) {sample, parameters, function##_argv},
#include "variants.inc"
#undef VARIANT
};

std::string g_error;
void onError(void *, const char *message) { g_error = message; }

// Random numbers from a fixed seed. Only unsharp needs `low` above zero, since it divides by the
// luminance.
template <typename T>
Image<T> randomImage(int width, int height, int channels, double low, double high, unsigned seed) {
  Image<T> image(width, height, channels);
  std::mt19937 engine(seed);
  for (std::size_t i = 0; i < image.size(); ++i)
    image.data()[i] = static_cast<T>(low + (high - low) * (engine() / 4294967296.0));
  return image;
}

// One sample at its full size: buffers, arguments in order, and the allowed difference from the
// reference. fill() sets `worstDifference`, whose first call computes the reference.
struct Problem {
  std::vector<Halide::Runtime::Buffer<>> inputs;
  std::vector<void *> scalars;
  Halide::Runtime::Buffer<> output;
  std::function<double()> worstDifference;
  double tolerance = 0.0;

  std::vector<void *> arguments() {
    std::vector<void *> all;
    for (auto &input : inputs)
      all.push_back(input.raw_buffer());
    all.insert(all.end(), scalars.begin(), scalars.end());
    all.push_back(output.raw_buffer());
    return all;
  }
};

template <typename T>
Halide::Runtime::Buffer<> view(Image<T> &image, bool planar) {
  return planar ? Halide::Runtime::Buffer<T>(image.data(), image.width(), image.height(),
                                             image.channels())
                : Halide::Runtime::Buffer<T>(image.data(), image.width(), image.height());
}

// NaN counts as an infinite difference.
template <typename T>
double worst(const Image<T> &expected, const Image<T> &actual) {
  double most = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double d =
        std::fabs(static_cast<double>(expected.data()[i]) - static_cast<double>(actual.data()[i]));
    if (!(d <= most)) most = std::isnan(d) ? INFINITY : d;
  }
  return most;
}

// The largest difference when the worst `share` of the values is ignored, because rounding decides
// what those pixels look like.
template <typename T>
double worstOfMost(const Image<T> &expected, const Image<T> &actual, double share) {
  std::vector<double> all;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double d = std::fabs(static_cast<double>(expected.data()[i] - actual.data()[i]));
    all.push_back(std::isnan(d) ? INFINITY : d);
  }
  const auto at = all.begin() + static_cast<std::ptrdiff_t>((1.0 - share) * (all.size() - 1));
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

template <typename In, typename Out, typename Reference>
void fill(Problem &problem, Image<In> &input, Image<Out> &output, bool planarInput,
          bool planarOutput, double tolerance, Reference reference) {
  problem.inputs.push_back(view(input, planarInput));
  problem.output = view(output, planarOutput);
  problem.tolerance = tolerance;
  problem.worstDifference = [&output, reference, expected = std::optional<Image<Out>>()]() mutable {
    if (!expected) expected = reference();
    return worst(*expected, output);
  };
}

int parameterOf(const std::string &parameters, const std::string &key, int otherwise) {
  const std::size_t at = (" " + parameters).find(" " + key + "=");
  return at == std::string::npos ? otherwise : std::atoi(parameters.c_str() + at + key.size() + 1);
}

// Rounding can swap two nearly equal costs, which changes the discs around that pixel. The check
// ignores at most one value in 200.
void addLensBlur(Problem &p) {
  using namespace lens_blur;
  static StereoPair pair(192, 320, 13, 24);
  static Image<float> out(192, 320, 3);
  static Parameters options;
  const auto reference = [] { return lens_blur::reference(pair.left, pair.right, options); };
  fill(p, pair.left, out, true, true, 1e-3, reference);
  p.inputs.push_back(view(pair.right, true));
  p.scalars = {&options.slices, &options.focus, &options.radiusScale, &options.apertureSamples};
  p.worstDifference = [expected = reference()] { return worstOfMost(expected, out, 0.005); };
}

void addPyramidBlend(Problem &p) {
  static auto left = randomImage<float>(3840, 2160, 3, 0.0, 1.0, 20);
  static auto right = randomImage<float>(3840, 2160, 3, 0.0, 1.0, 21);
  static auto mask = randomImage<float>(3840, 2160, 1, 0.0, 1.0, 22);
  static Image<float> out(3840, 2160, 3);
  fill(p, left, out, true, true, 1e-4,
       [] { return pyramid_blend::reference(left, right, mask, 4); });
  p.inputs.push_back(view(right, true));
  p.inputs.push_back(view(mask, false));
}

constexpr int kWidth = 1536;
constexpr int kHeight = 2560;

// Filters of single-precision images, planar or gray.
void addFloatFilter(const std::string &sample, Problem &p) {
  static auto color = randomImage<float>(kWidth, kHeight, 3, 0.0, 1.0, 10);
  static auto gray = randomImage<float>(kWidth, kHeight, 1, 0.0, 1.0, 11);
  static Image<float> colorOut(kWidth, kHeight, 3), grayOut(kWidth, kHeight);
  static float rangeSigma = 0.1f, alpha = 0.1f, noise = 0.12f;
  if (sample == "max_filter") {
    fill(p, color, colorOut, true, true, 0, [] { return max_filter::reference(color, 26); });
  } else if (sample == "iir_blur") {
    fill(p, color, colorOut, true, true, 1e-4, [] { return iir_blur::reference(color, alpha); });
    p.scalars = {&alpha};
  } else if (sample == "bilateral_grid") {
    fill(p, gray, grayOut, false, false, 1e-2,
         [] { return bilateral_grid::reference(gray, 8, rangeSigma); });
    p.scalars = {&rangeSigma};
  } else if (sample == "interpolate") {
    static auto in = randomImage<float>(kWidth, kHeight, 4, 0.0, 1.0, 19);
    fill(p, in, colorOut, true, true, 1e-4, [] { return interpolate::reference(in, 10); });
  } else if (sample == "bgu") {
    static auto splat = randomImage<float>(kWidth / 8, kHeight / 8, 3, 0.0, 1.0, 21);
    static auto values = randomImage<float>(kWidth / 8, kHeight / 8, 3, 0.0, 1.0, 22);
    fill(p, splat, colorOut, true, true, 1e-2,
         [] { return bgu::reference(splat, values, color, {}); });
    p.inputs.push_back(view(values, true));
    p.inputs.push_back(view(color, true));
  } else if (sample == "nl_means") {
    fill(p, color, colorOut, true, true, 1e-3, [] {
      return nl_means::reference(color, {7, 7, noise});
    });
    p.scalars = {&noise};
  }
}

// The small samples: those for teaching and those from the schedule-tree paper. A value that is not
// a number, of which trig_stencil has many, becomes -1 in the result and in the reference, so that
// the others can be compared.
void addSmall(const std::string &sample, Problem &p) {
  if (sample == "two_stage_blur") {
    static auto in = randomImage<float>(kWidth + 2, kHeight + 2, 1, 0.0, 1.0, 20);
    static Image<float> out(kWidth, kHeight);
    fill(p, in, out, false, false, 1e-5, [] { return two_stage_blur::reference(in); });
  } else if (sample == "tree_blur") {
    static auto in = randomImage<float>(2052, 2048, 1, 0.0, 1.0, 21);
    static Image<float> out(2048, 2048);
    fill(p, in, out, false, false, 1e-5, [] { return tree_blur::reference(in); });
    p.output.translate({2, 0});
  } else if (sample == "gradient") {
    static Image<int> out(2048, 2048);
    p.output = view(out, false);
    p.worstDifference = [] { return worst(gradient::reference(2048, 2048), out); };
  } else if (sample == "trig_stencil") {
    static Image<float> out(2048, 2048);
    p.output = view(out, false);
    p.tolerance = 1e-3;
    p.worstDifference = [] {
      auto expected = trig_stencil::reference(2048, 2048);
      for (Image<float> *image : {&expected, &out})
        std::replace_if(
            image->data(), image->data() + image->size(),
            [](float value) { return std::isnan(value); }, -1.0f);
      return worst(expected, out);
    };
  }
}

// Layers have four dimensions and several inputs that are not images.
template <typename Layer, typename Reference>
void addLayer(Problem &p, Layer &layer, const std::vector<int> &shape, Reference reference) {
  static std::vector<float> out;
  p.output = Halide::Runtime::Buffer<float>(nullptr, shape);
  out.resize(p.output.number_of_elements());
  p.output = Halide::Runtime::Buffer<float>(out.data(), shape);
  p.tolerance = 1e-3;
  p.worstDifference = [&layer, reference, expected = std::vector<float>()]() mutable {
    if (expected.empty()) expected = reference(layer);
    double most = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (const double d = std::fabs(expected[i] - out[i]); !(d <= most))
        most = std::isnan(d) ? INFINITY : d;
    return most;
  };
}

void addInput(Problem &p, std::vector<float> &values, const std::vector<int> &shape, unsigned seed,
              double scale = 1.0) {
  int count = 1;
  for (int extent : shape)
    count *= extent;
  const auto random = randomImage<float>(count, 1, 1, -0.5 * scale, 0.5 * scale, seed);
  values.assign(random.data(), random.data() + count);
  p.inputs.push_back(Halide::Runtime::Buffer<float>(values.data(), shape));
}

void addConvolution(const std::string &sample, Problem &p) {
  if (sample == "conv_layer") {
    static conv_layer::Layer layer{128, 100, 80, 5, {}, {}, {}};
    addInput(p, layer.input, {128, 102, 82, 5}, 12);
    addInput(p, layer.filter, {128, 3, 3, 128}, 13);
    addInput(p, layer.bias, {128}, 14);
    addLayer(p, layer, {128, 100, 80, 5}, conv_layer::reference);
  } else if (sample == "depthwise_separable_conv") {
    using namespace depthwise_separable_conv;
    static Layer layer{112, 112, 4, {}, {}, {}, {}};
    addInput(p, layer.input, {kFrom, 112, 112, 4}, 15);
    addInput(p, layer.depthwiseFilter, {kFrom, 3, 3}, 16);
    addInput(p, layer.pointwiseFilter, {kTo, kFrom}, 17);
    addInput(p, layer.bias, {kTo}, 18);
    addLayer(p, layer, {kTo, 112, 112, 4}, depthwise_separable_conv::reference);
  }
}

void addCamera(Problem &p) {
  static auto raw = randomImage<std::uint16_t>(2592, 1968, 1, 0, 1024, 20);
  static Image<std::uint8_t> out(2560, 1920, 3);
  static camera_pipe::Parameters options;
  fill(p, raw, out, false, true, 3,
       [] { return camera_pipe::reference(raw, out.width(), out.height(), options); });
  for (auto *matrix : {&options.matrix3200, &options.matrix7000})
    p.inputs.push_back(Halide::Runtime::Buffer<float>(matrix->data(), 4, 3));
  p.scalars = {&options.colorTemperature, &options.gamma,      &options.contrast,
               &options.sharpenStrength,  &options.blackLevel, &options.whiteLevel};
}

void addResnetBlock(Problem &p) {
  static resnet_block::Block block{256, 64, 56, 8, {}, {}, {}, {}};
  auto &[channels, inside, size, images, input, reduce, spatial, expand] = block;
  addInput(p, input, {channels, size, size, images}, 22);
  addInput(p, reduce.filter, {inside, channels}, 23);
  addInput(p, spatial.filter, {inside, 3, 3, inside}, 24);
  addInput(p, expand.filter, {channels, inside}, 25);
  unsigned seed = 26;
  for (auto *convolution : {&reduce, &spatial, &expand})
    for (auto *values : {&convolution->scale, &convolution->shift})
      addInput(p, *values, {convolution == &expand ? channels : inside}, seed++);
  addLayer(p, block, {channels, size, size, images}, resnet_block::reference);
}

// The weights keep the scale of the numbers from layer to layer. The reference takes five seconds
// for an image, so that each image has a thread.
void addVgg16(Problem &p) {
  static vgg16::Network network{224, 64, 4096, 1000, 4, {}, {}, {}};
  addInput(p, network.input, {3, 224, 224, 4}, 32);
  const auto add = [&p](std::vector<float> &values, const std::vector<int> &shape, int from) {
    addInput(p, values, shape, static_cast<unsigned>(p.inputs.size()) + 33, std::sqrt(24.0 / from));
  };
  network.convolutions.resize(13);
  network.dense.resize(3);
  int from = 3;
  auto convolution = network.convolutions.begin();
  for (int block = 0; block < 5; ++block)
    for (int i = 0; i < vgg16::kBlocks[block]; ++i, ++convolution) {
      const int to = 64 * std::min(1 << block, 8);
      add(convolution->filter, {to, 3, 3, from}, from * 9);
      add(convolution->bias, {to}, 2400);
      from = to;
    }
  add(network.dense[0].filter, {4096, 512, 7, 7}, 512 * 49);
  add(network.dense[1].filter, {4096, 4096}, 4096);
  add(network.dense[2].filter, {1000, 4096}, 4096);
  for (auto &dense : network.dense)
    add(dense.bias, {&dense == &network.dense[2] ? 1000 : 4096}, 2400);
  addLayer(p, network, {1000, 4}, [](const vgg16::Network &all) {
    std::vector<std::future<std::vector<float>>> images;
    for (int image = 0; image < all.images; ++image)
      images.push_back(std::async(std::launch::async, vgg16::classified, std::cref(all), image));
    std::vector<float> result;
    for (auto &image : images)
      for (const float probability : image.get())
        result.push_back(probability);
    return result;
  });
  p.tolerance = 1e-5; // probabilities are about 1e-3
}

void addLearnedDemosaic(Problem &p) {
  static auto network = learned_demosaic::makeNetwork(5, 16, 1);
  static auto mosaic = randomImage<float>(1536, 1024, 1, 0.0, 1.0, 70);
  static Image<float> out(1536, 1024, 3);
  fill(p, mosaic, out, false, true, 1e-4,
       [] { return learned_demosaic::reference(network, mosaic); });
  const auto add = [&p](std::vector<float> &values, const std::vector<int> &shape) {
    p.inputs.push_back(Halide::Runtime::Buffer<float>(values.data(), shape));
  };
  for (auto &layer : network.layers) {
    add(layer.filter, {layer.to, 3, 3, layer.from});
    add(layer.bias, {layer.to});
  }
  add(network.join.filter, {16, 3, 3, 6});
  add(network.join.bias, {16});
  add(network.colors, {3, 16});
}

// Images live as long as the process, since the problem points into them.
Problem makeProblem(const std::string &sample, const std::string &parameters) {
  Problem p;
  if (sample == "blur") {
    static auto in = randomImage<std::uint16_t>(2562, 1922, 1, 0, 65536, 1);
    static Image<std::uint16_t> out(2560, 1920);
    fill(p, in, out, false, false, 0, [] { return blur::reference(in); });
  } else if (sample == "unsharp") {
    static auto in = randomImage<float>(kWidth, kHeight, 3, 0.05, 1.0, 2);
    static Image<float> out(kWidth, kHeight, 3);
    fill(p, in, out, true, true, 1e-4, [] { return unsharp::reference(in); });
  } else if (sample == "harris") {
    static auto in = randomImage<float>(kWidth, kHeight, 3, 0.0, 1.0, 3);
    static Image<float> out(kWidth - 6, kHeight - 6);
    fill(p, in, out, true, false, 1e-5, [] { return harris::reference(in); });
    p.output.translate({3, 3});
  } else if (sample == "hist") {
    static auto in = randomImage<std::uint8_t>(kWidth, kHeight, 3, 0, 256, 4);
    static Image<std::uint8_t> out(kWidth, kHeight, 3);
    fill(p, in, out, true, true, 3, [] { return hist::reference(in); });
  } else if (sample == "clahe") {
    static auto in = randomImage<std::uint8_t>(kWidth, kHeight, 1, 0, 256, 27);
    static Image<std::uint8_t> out(kWidth, kHeight);
    fill(p, in, out, false, false, 1, [] { return clahe::reference(in); });
  } else if (sample == "mat_mul") {
    static auto a = randomImage<float>(1024, 1024, 1, -1.0, 1.0, 5);
    static auto b = randomImage<float>(1024, 1024, 1, -1.0, 1.0, 6);
    static Image<float> out(1024, 1024);
    fill(p, a, out, false, false, 1e-3, [] { return mat_mul::reference(a, b); });
    p.inputs.push_back(view(b, false));
  } else if (sample == "local_laplacian") {
    static auto in = randomImage<std::uint16_t>(kWidth, kHeight, 3, 0, 65536, 7);
    static Image<std::uint16_t> out(kWidth, kHeight, 3);
    static local_laplacian::Parameters options;
    options.pyramidLevels = parameterOf(parameters, "pyramid_levels", 8);
    fill(p, in, out, true, true, 150, [] { return local_laplacian::reference(in, options); });
    p.scalars = {&options.levels, &options.alpha, &options.beta};
  } else if (sample == "synthetic100") {
    static auto in = randomImage<std::uint8_t>(1024, 1024, 1, 0, 256, 8);
    static Image<float> out(1024, 1024);
    fill(p, in, out, false, false, 1e-4, [] {
      return synthetic::reference(synthetic::makeRecipe({99, 10, 1}), in);
    });
  } else if (sample == "stencil_chain") {
    static auto in = randomImage<std::uint16_t>(kWidth, kHeight, 1, 0, 65536, 9);
    static Image<std::uint16_t> out(kWidth, kHeight);
    fill(p, in, out, false, false, 0, [] { return stencil_chain::reference(in, 32); });
  } else if (sample == "camera_pipe") {
    addCamera(p);
  } else if (sample == "lens_blur") {
    addLensBlur(p);
  } else if (sample == "pyramid_blend") {
    addPyramidBlend(p);
  } else {
    addFloatFilter(sample, p);
    addConvolution(sample, p);
    if (sample == "resnet_block") addResnetBlock(p);
    if (sample == "vgg16") addVgg16(p);
    if (sample == "learned_demosaic") addLearnedDemosaic(p);
    addSmall(sample, p);
  }
  return p;
}

struct Times {
  double median = 0.0, least = 0.0, ninetieth = 0.0; // milliseconds; 90th percentile
};

std::optional<Times> timeRuns(const Variant &variant, Problem &problem) {
  auto arguments = problem.arguments();
  const auto runs = [&](int count) {
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i)
      if (variant.run(arguments.data()) != 0) return -1.0;
    if (problem.output.device_sync() != 0) return -1.0;
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  constexpr int kWarmUp = 30;
  constexpr int kSamples = 41;
  constexpr double kSampleMilliseconds = 4.0;
  if (runs(kWarmUp) < 0) return std::nullopt;
  const double guess = std::max(runs(kWarmUp) / kWarmUp, 1e-3);
  const int count = std::clamp(static_cast<int>(kSampleMilliseconds / guess), 1, 2000);
  std::vector<double> times;
  for (int i = 0; i < kSamples; ++i) {
    const double all = runs(count);
    if (all < 0) return std::nullopt;
    times.push_back(all / count);
  }
  std::sort(times.begin(), times.end());
  return Times{times[kSamples / 2], times[0], times[kSamples * 9 / 10]};
}

void measure(const Variant &variant, Problem &problem) {
  g_error.clear();
  // The output starts with a poison value, so that pixels that are not written show.
  auto *bytes = static_cast<std::uint8_t *>(problem.output.data());
  std::fill_n(bytes, problem.output.size_in_bytes(), std::uint8_t{0xff});
  problem.output.set_host_dirty();
  problem.output.copy_to_device(halide_cuda_device_interface());
  const auto times = timeRuns(variant, problem);
  std::string failure = g_error;
  double difference = INFINITY;
  if (times && problem.output.copy_to_host() == 0) difference = problem.worstDifference();
  const char *cap = std::getenv("HL_CUDA_JIT_MAX_REGISTERS");
  std::replace(failure.begin(), failure.end(), '"', '\'');
  std::replace(failure.begin(), failure.end(), '\n', ' ');
  std::printf("{\"sample\": \"%s\", \"parameters\": \"%s\", \"register_cap\": %s, "
              "\"median_ms\": %.5f, \"least_ms\": %.5f, \"p90_ms\": %.5f, "
              "\"checked\": %s, \"difference\": %.3g, \"error\": \"%s\"}\n",
              variant.sample.c_str(), variant.parameters.c_str(), cap ? cap : "64",
              times ? times->median : 0.0, times ? times->least : 0.0,
              times ? times->ninetieth : 0.0, difference <= problem.tolerance ? "true" : "false",
              std::isinf(difference) ? -1.0 : difference, failure.c_str());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  const bool fresh = argc == 3 && std::string(argv[2]) == "fresh-allocations";
  if (argc != 2 && !fresh) {
    std::fprintf(stderr, "usage: measure SAMPLE [fresh-allocations]\n");
    return 2;
  }
  halide_set_error_handler(onError);
  // Without reuse, every run would allocate its intermediate buffers again, which takes longer than
  // small kernels.
  halide_reuse_device_allocations(nullptr, !fresh);
  std::optional<Problem> problem;
  std::string last;
  for (const Variant &variant : kVariants) {
    if (variant.sample != argv[1]) continue;
    // Variants with the same outputs share the problem and its reference.
    const std::string key = std::to_string(parameterOf(variant.parameters, "pyramid_levels", 8));
    if (!problem || key != last) {
      problem = makeProblem(variant.sample, variant.parameters);
      for (auto &input : problem->inputs) {
        input.set_host_dirty();
        input.copy_to_device(halide_cuda_device_interface());
      }
    }
    last = key;
    measure(variant, *problem);
  }
  std::fflush(nullptr);
  std::_Exit(0);
}
