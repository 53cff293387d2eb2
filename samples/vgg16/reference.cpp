// SPDX-License-Identifier: MIT
#include "samples/vgg16/reference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tessera::samples::vgg16 {

namespace {

// One image of a layer. The channel is the fastest dimension.
struct Layer {
  int channels, size;
  std::vector<float> values;

  Layer(int channels_, int size_)
      : channels(channels_), size(size_),
        values(static_cast<std::size_t>(channels_) * size_ * size_) {}
  float *pixel(int x, int y) {
    return &values[(static_cast<std::size_t>(y) * size + x) * channels];
  }
  const float *pixel(int x, int y) const {
    return &values[(static_cast<std::size_t>(y) * size + x) * channels];
  }
};

void addProduct(float *sums, const float *weights, float value, int count) {
  for (int i = 0; i < count; ++i)
    sums[i] += weights[i] * value;
}

void cut(std::vector<float> &values) {
  for (float &value : values)
    value = std::max(value, 0.0f);
}

// A 3x3 convolution with zeros around the picture, then bias and ReLU.
Layer convolved(const Layer &in, const Weights &by) {
  const int to = static_cast<int>(by.bias.size());
  Layer out(to, in.size);
  for (int y = 0; y < in.size; ++y)
    for (int x = 0; x < in.size; ++x) {
      float *sums = out.pixel(x, y);
      std::copy(by.bias.begin(), by.bias.end(), sums);
      for (int v = std::max(y - 1, 0); v <= std::min(y + 1, in.size - 1); ++v)
        for (int u = std::max(x - 1, 0); u <= std::min(x + 1, in.size - 1); ++u)
          for (int from = 0; from < in.channels; ++from) {
            const std::size_t row = (from * 3 + v - y + 1) * 3 + u - x + 1;
            addProduct(sums, &by.filter[row * to], in.pixel(u, v)[from], to);
          }
    }
  cut(out.values);
  return out;
}

Layer pooled(const Layer &in) {
  Layer out(in.channels, in.size / 2);
  for (int y = 0; y < out.size; ++y)
    for (int x = 0; x < out.size; ++x)
      for (int c = 0; c < in.channels; ++c) {
        const auto at = [&](int u, int v) { return in.pixel(2 * x + u, 2 * y + v)[c]; };
        out.pixel(x, y)[c] = std::max(std::max(at(0, 0), at(1, 0)), std::max(at(0, 1), at(1, 1)));
      }
  return out;
}

std::vector<float> connected(const std::vector<float> &in, const Weights &by) {
  std::vector<float> out = by.bias;
  for (std::size_t from = 0; from < in.size(); ++from)
    addProduct(out.data(), &by.filter[from * out.size()], in[from], static_cast<int>(out.size()));
  return out;
}

void softmax(std::vector<float> &scores) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  float total = 0.0f;
  for (float &score : scores)
    total += score = std::exp(score - largest);
  for (float &score : scores)
    score /= total;
}

} // namespace

std::vector<float> classified(const Network &network, int image) {
  Layer layer(3, network.size);
  const auto first = network.input.begin() + image * static_cast<long>(layer.values.size());
  std::copy_n(first, layer.values.size(), layer.values.begin());
  auto convolution = network.convolutions.begin();
  for (const int count : kBlocks) {
    for (int i = 0; i < count; ++i)
      layer = convolved(layer, *convolution++);
    layer = pooled(layer);
  }
  std::vector<float> values = connected(layer.values, network.dense[0]);
  for (int i = 1; i < 3; ++i) {
    cut(values);
    values = connected(values, network.dense[i]);
  }
  softmax(values);
  return values;
}

std::vector<float> reference(const Network &network) {
  std::vector<float> result;
  for (int image = 0; image < network.images; ++image) {
    const auto one = classified(network, image);
    result.insert(result.end(), one.begin(), one.end());
  }
  return result;
}

} // namespace tessera::samples::vgg16
