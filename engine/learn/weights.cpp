// SPDX-License-Identifier: MIT
#include "engine/learn/weights.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace tessera::learn {

namespace {

// Halide's file: a signature, the versions of both kinds of features, the number of arrays, then
// of each array its number of dimensions, their extents, and its values. All numbers are
// little-endian words.
constexpr std::uint32_t kSignature = 0x68776631, kHalidesVersion = 3;
constexpr std::size_t kWord = 4;

struct Layer {
  std::vector<std::uint32_t> extents;
};

std::vector<Layer> layers() {
  return {{{kAlgorithmChannels, kAlgorithmRows, kTypeClasses}},
          {{kAlgorithmChannels}},
          {{kScheduleChannels, kScheduleFeatures}},
          {{kScheduleChannels}},
          {{kCoefficients, kChannels}},
          {{kCoefficients}}};
}

class WordReader {
public:
  explicit WordReader(std::string_view bytes) : m_bytes(bytes) {}

  std::uint32_t word() {
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < kWord; ++b)
      value |= std::uint32_t{static_cast<unsigned char>(m_bytes[m_at + b])} << (8 * b);
    m_at += kWord;
    return value;
  }
  bool has(std::size_t words) const { return m_bytes.size() - m_at >= words * kWord; }
  bool atEnd() const { return m_at == m_bytes.size(); }

private:
  std::string_view m_bytes;
  std::size_t m_at = 0;
};

Error refusedHalides(const std::string &name, const std::string &why) {
  return {ErrorCode::InputRefused, "'" + name + "' is not a file of Halide's weights: " + why + ".",
          "Halide's source has one in src/autoschedulers/anderson2021/baseline.weights."};
}

} // namespace

Weights randomWeights(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Weights weights;
  for (double &value : weights.values) // not by a distribution, which libraries implement otherwise
    value = std::ldexp(static_cast<double>(random() >> 11), -53) - 0.5;
  return weights;
}

Result<Weights> weightsFromHalide(std::string_view bytes, const std::string &name) {
  constexpr std::size_t kHeader = 4;
  WordReader reader(bytes);
  if (!reader.has(kHeader) || reader.word() != kSignature)
    return refusedHalides(name, "it does not begin as one");
  const std::uint32_t pipeline = reader.word(), schedule = reader.word();
  if (pipeline != kHalidesVersion || schedule != kHalidesVersion)
    return refusedHalides(name, "its features have versions " + std::to_string(pipeline) + " and " +
                                    std::to_string(schedule) + ", not " +
                                    std::to_string(kHalidesVersion));
  const std::vector<Layer> expected = layers();
  if (reader.word() != expected.size()) return refusedHalides(name, "its network has other layers");
  Weights weights;
  std::size_t at = 0;
  for (const Layer &layer : expected) {
    if (!reader.has(1 + layer.extents.size())) return refusedHalides(name, "it ends too early");
    bool fits = reader.word() == layer.extents.size();
    std::size_t count = 1;
    for (const std::uint32_t extent : layer.extents) {
      fits = fits && reader.word() == extent;
      count *= extent;
    }
    if (!fits) return refusedHalides(name, "a layer of its network has another size");
    if (!reader.has(count)) return refusedHalides(name, "it ends too early");
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = std::bit_cast<float>(reader.word());
      if (!std::isfinite(value)) return refusedHalides(name, "a weight is not a number");
      weights.values[at++] = static_cast<double>(value);
    }
  }
  if (!reader.atEnd()) return refusedHalides(name, "more follows the last weight");
  return weights;
}

} // namespace tessera::learn
