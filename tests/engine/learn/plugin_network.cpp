// SPDX-License-Identifier: MIT
#include "tests/engine/learn/plugin_network.h"

#include <HalideRuntime.h>

#include <algorithm>
#include <dlfcn.h>
#include <initializer_list>
#include <stdexcept>

namespace tessera::learn::testing {

namespace {

// An array of floats as Halide passes it, the first dimension innermost.
class FloatBuffer {
public:
  FloatBuffer(std::initializer_list<std::size_t> extents) {
    std::size_t size = 1;
    for (const std::size_t extent : extents) {
      m_dims.emplace_back(0, static_cast<std::int32_t>(extent), static_cast<std::int32_t>(size));
      size *= extent;
    }
    m_values.resize(size);
  }
  FloatBuffer(const FloatBuffer &) = delete;
  FloatBuffer &operator=(const FloatBuffer &) = delete;

  // Halide looks at the first `extent` elements of a dimension alone.
  void crop(std::size_t dim, std::size_t extent) {
    m_dims[dim].extent = static_cast<std::int32_t>(extent);
  }
  float &at(std::initializer_list<std::size_t> indices) {
    std::size_t place = 0, d = 0;
    for (const std::size_t i : indices)
      place += i * static_cast<std::size_t>(m_dims[d++].stride);
    return m_values[place];
  }
  std::vector<float> &values() { return m_values; }

  halide_buffer_t *get() {
    m_buffer = {};
    m_buffer.host = reinterpret_cast<std::uint8_t *>(m_values.data());
    m_buffer.type = halide_type_of<float>();
    m_buffer.dimensions = static_cast<std::int32_t>(m_dims.size());
    m_buffer.dim = m_dims.data();
    return &m_buffer;
  }

private:
  std::vector<float> m_values;
  std::vector<halide_dimension_t> m_dims;
  halide_buffer_t m_buffer{};
};

constexpr std::size_t kBatch = 1024; // as the plugin's queue

using Buffer = halide_buffer_t *;
using Costs = int (*)(int, int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                      Buffer, float, int, int, Buffer, Buffer, Buffer, Buffer);
using Train = int (*)(int, int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                      Buffer, float, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer,
                      Buffer, Buffer, Buffer, Buffer);

// The six arrays of weights; `planes` is 0, or how many numbers there are of each weight.
struct Layers {
  explicit Layers(std::size_t planes)
      : filter1{kAlgorithmChannels, kAlgorithmRows, kTypeClasses, std::max<std::size_t>(planes, 1)},
        bias1{kAlgorithmChannels, std::max<std::size_t>(planes, 1)},
        filter2{kScheduleChannels, kScheduleFeatures, std::max<std::size_t>(planes, 1)},
        bias2{kScheduleChannels, std::max<std::size_t>(planes, 1)}, trunk{kCoefficients, kChannels,
                                                                          std::max<std::size_t>(
                                                                              planes, 1)},
        trunkBias{kCoefficients, std::max<std::size_t>(planes, 1)} {}

  std::vector<FloatBuffer *> all() {
    return {&filter1, &bias1, &filter2, &bias2, &trunk, &trunkBias};
  }
  // Weights lie one after the other in the same order.
  void set(const Weights &weights) {
    std::size_t at = 0;
    for (FloatBuffer *layer : all())
      for (float &value : layer->values())
        value = static_cast<float>(weights.values[at++]);
  }
  std::vector<double> plane(std::size_t p, std::size_t planes) {
    std::vector<double> values;
    for (FloatBuffer *layer : all()) {
      const std::size_t size = layer->values().size() / planes;
      const auto first = layer->values().begin() + static_cast<std::ptrdiff_t>(p * size);
      values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
    return values;
  }

  FloatBuffer filter1, bias1, filter2, bias2, trunk, trunkBias;
};

// The arrays of `layers` as arguments: without the last dimension where there is one plane.
std::vector<Buffer> arguments(Layers &layers, std::size_t planes) {
  std::vector<Buffer> buffers;
  for (FloatBuffer *layer : layers.all()) {
    buffers.push_back(layer->get());
    if (planes == 0) --buffers.back()->dimensions;
  }
  return buffers;
}

void fill(FloatBuffer &buffer, std::span<const AlgorithmFeatures> algorithm) {
  for (std::size_t s = 0; s < algorithm.size(); ++s)
    for (std::size_t f = 0; f < kAlgorithmFeatures; ++f)
      buffer.at({f / kTypeClasses, f % kTypeClasses, s}) = algorithm[s].values[f];
}

void fill(FloatBuffer &buffer, std::size_t n, std::span<const ScheduleFeatures> stages) {
  for (std::size_t s = 0; s < stages.size(); ++s)
    for (std::size_t f = 0; f < kScheduleFeatures; ++f)
      buffer.at({n, f, s}) = static_cast<float>(stages[s].values[f]);
}

void check(int result) {
  if (result != 0) throw std::runtime_error("the plugin's network failed");
}

} // namespace

PluginNetwork::PluginNetwork(const std::string &library)
    : m_library(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (m_library == nullptr) {
    const char *const why = ::dlerror();
    m_whyNot = why != nullptr ? why : library;
    return;
  }
  m_costs = ::dlsym(m_library, "cost_model");
  m_train = ::dlsym(m_library, "train_cost_model");
  if (!isLoaded()) m_whyNot = library + " exports no network";
}

std::vector<double> PluginNetwork::costs(const Weights &weights,
                                         std::span<const AlgorithmFeatures> algorithm,
                                         std::span<const ScheduleFeatures> stages,
                                         int cores) const {
  const std::size_t count = stages.size();
  FloatBuffer ofAlgorithm{kAlgorithmRows, kTypeClasses, count};
  FloatBuffer ofSchedule{kBatch, kScheduleFeatures, count};
  fill(ofAlgorithm, algorithm);
  fill(ofSchedule, 0, stages);
  Layers layers(0);
  layers.set(weights);
  const std::vector<Buffer> w = arguments(layers, 0);
  FloatBuffer costs{kBatch}, perStage{kBatch, count}, loss{};
  costs.crop(0, 1);
  perStage.crop(0, 1);
  check(reinterpret_cast<Costs>(m_costs)(static_cast<int>(count), 1, cores, 0, ofAlgorithm.get(),
                                         ofSchedule.get(), w[0], w[1], w[2], w[3], w[4], w[5], 0, 0,
                                         0, nullptr, costs.get(), perStage.get(), loss.get()));
  std::vector<double> result;
  for (std::size_t s = 0; s < count; ++s)
    result.push_back(static_cast<double>(perStage.at({0, s})));
  return result;
}

PluginNetwork::Step PluginNetwork::train(const Weights &weights,
                                         std::span<const Sample *const> samples,
                                         double rate) const {
  const std::size_t stages = samples.front()->stages.size(), count = samples.size();
  FloatBuffer ofAlgorithm{kAlgorithmRows, kTypeClasses, stages};
  FloatBuffer ofSchedule{kBatch, kScheduleFeatures, stages};
  FloatBuffer times{count};
  fill(ofAlgorithm, *samples.front()->algorithm);
  std::size_t fastest = 0;
  for (std::size_t n = 0; n < count; ++n) {
    fill(ofSchedule, n, samples[n]->stages);
    times.values()[n] = static_cast<float>(samples[n]->milliseconds);
    if (samples[n]->milliseconds < samples[fastest]->milliseconds) fastest = n;
  }
  constexpr std::size_t kPlanes = 4; // weight, both averages of ADAM, gradient
  Layers before(0), after(kPlanes);
  before.set(weights);
  const std::vector<Buffer> w = arguments(before, 0), u = arguments(after, kPlanes);
  FloatBuffer costs{kBatch}, perStage{kBatch, stages}, loss{};
  costs.crop(0, count);
  perStage.crop(0, count);
  check(reinterpret_cast<Train>(m_train)(
      static_cast<int>(stages), static_cast<int>(count), static_cast<int>(samples.front()->cores),
      0, ofAlgorithm.get(), ofSchedule.get(), w[0], w[1], w[2], w[3], w[4], w[5],
      static_cast<float>(rate), 0, static_cast<int>(fastest), times.get(), u[0], u[1], u[2], u[3],
      u[4], u[5], costs.get(), perStage.get(), loss.get()));
  Step step;
  step.loss = static_cast<double>(loss.values().front());
  std::ranges::copy(after.plane(0, kPlanes), step.weights.values.begin());
  step.gradient = after.plane(3, kPlanes);
  return step;
}

} // namespace tessera::learn::testing
