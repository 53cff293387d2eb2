// SPDX-License-Identifier: MIT
#include "samples/synthetic/recipe.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tessera::samples::synthetic {

namespace {

constexpr int kLevels = 4;

// Random numbers of splitmix64, since the standard library's distributions differ between
// implementations.
class Random {
public:
  explicit Random(std::uint64_t seed) : m_state(seed) {}
  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
  bool oneIn(int n) { return below(n) == 0; }

private:
  std::uint64_t next() {
    std::uint64_t z = (m_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t m_state;
};

bool isBinary(Kind kind) {
  return kind == Kind::Blend || kind == Kind::Difference || kind == Kind::Larger ||
         kind == Kind::Mask || kind == Kind::Histogram || kind == Kind::Gather;
}

// Grows the graph a layer at a time. `m_ends` are the nodes that no node reads yet. A blend of two
// ends leaves one end less and costs one definition, so enough definitions are kept back to blend
// all ends into one.
class Builder {
public:
  explicit Builder(const Options &options)
      : m_random(options.seed), m_remaining(std::max(options.stages, 1)),
        m_width(std::max(2, options.stages / std::max(options.layers, 1))) {}

  std::vector<Node> build() {
    while (slack() > 0)
      addLayer();
    while (m_ends.size() > 1)
      add(Kind::Blend, Type::F32, 0, {takeEnd(0), takeEnd(0)});
    finishAsFloat();
    return m_nodes;
  }

private:
  // The definitions that remain if enough are kept back to blend all ends into one.
  int slack() const { return m_remaining - std::max<int>(static_cast<int>(m_ends.size()) - 1, 0); }

  void addLayer() {
    // The level changes by at most one from layer to layer, as in a pyramid.
    m_level = std::clamp(m_level + m_random.below(3) - 1, 0, kLevels - 1);
    const auto first = static_cast<int>(m_nodes.size());
    for (int i = 0; i < m_width && slack() > 0; ++i)
      addNode(first);
    m_layerStart = first;
  }

  void addNode(int layerStart) {
    const bool integer = m_random.below(5) < 2;
    Kind kind = pickKind(integer);
    // Near the end only nodes that read exactly one end are added. Each of them uses up one
    // definition of the slack.
    if (slack() <= definitionsOf(kind) + 1) {
      const bool alone = m_ends.empty();
      add(Kind::Curve, alone ? Type::F32 : m_nodes[m_ends.front()].type, m_level,
          {alone ? kInput : takeEnd(0)});
      return;
    }
    std::vector<int> inputs{pickInput(integer, layerStart)};
    const bool resamples = resolveResampling(kind, inputs[0]);
    if (!resamples && isBinary(kind))
      inputs.push_back(
          pickInput(integer || kind == Kind::Histogram || kind == Kind::Gather, layerStart));
    const Type type = !integer ? Type::F32 : m_random.oneIn(3) ? Type::I32 : Type::U8;
    if (kind == Kind::Histogram && levelOf(inputs[1]) == 0 && !m_random.oneIn(4))
      kind = Kind::Gather; // keeps scatters over a full-size image rare
    add(kind, type, m_level, std::move(inputs));
  }

  Kind pickKind(bool integer) {
    static constexpr std::array kFloatKinds = {
        Kind::Blend, Kind::Blend,    Kind::Difference, Kind::Larger, Kind::Curve,
        Kind::Rows,  Kind::Columns,  Kind::Binomial,   Kind::Cross,  Kind::Gradient,
        Kind::Rows,  Kind::Columns,  Kind::Binomial,   Kind::BoxSum, Kind::Gather,
        Kind::Blend, Kind::Binomial, Kind::Curve,      Kind::Cross};
    static constexpr std::array kIntegerKinds = {
        Kind::Blend,     Kind::Difference, Kind::Larger,   Kind::Mask,   Kind::Curve, Kind::Rows,
        Kind::Columns,   Kind::Binomial,   Kind::Gradient, Kind::Dilate, Kind::Table, Kind::Table,
        Kind::Histogram, Kind::Gather,     Kind::Blend,    Kind::Rows};
    return integer ? kIntegerKinds[m_random.below(static_cast<int>(kIntegerKinds.size()))]
                   : kFloatKinds[m_random.below(static_cast<int>(kFloatKinds.size()))];
  }

  // Where the first input is one level away, most nodes resample it. The other nodes read every
  // second pixel, or each pixel twice.
  bool resolveResampling(Kind &kind, int input) {
    if (definitionsOf(kind) > 1 || m_random.oneIn(4)) return false;
    const int difference = m_level - levelOf(input);
    if (difference == 1)
      kind = Kind::Shrink;
    else if (difference == -1)
      kind = Kind::Enlarge;
    return difference == 1 || difference == -1;
  }

  // Mostly picks an end, so that ends do not pile up. Otherwise it picks a node of the previous
  // layer, which may then have several readers, and now and then any node or the pipeline's input.
  int pickInput(bool integer, int layerStart) {
    if (!m_ends.empty() && m_random.below(4) != 0) {
      const int start = m_random.below(static_cast<int>(m_ends.size()));
      for (std::size_t i = 0; i < m_ends.size(); ++i) {
        const std::size_t at = (start + i) % m_ends.size();
        const int node = m_ends[at];
        if (node < layerStart && (!integer || m_nodes[node].type != Type::F32))
          return takeEnd(static_cast<int>(at));
      }
    }
    const int from = m_random.oneIn(8) ? 0 : m_layerStart;
    for (int tries = 0; tries < 8 && from < layerStart; ++tries) {
      const int node = from + m_random.below(layerStart - from);
      if (!integer || m_nodes[node].type != Type::F32) return used(node);
    }
    return kInput;
  }

  int levelOf(int node) const { return node == kInput ? 0 : m_nodes[node].level; }

  int takeEnd(int at) {
    const int node = m_ends[at];
    m_ends.erase(m_ends.begin() + at);
    return node;
  }

  int used(int node) {
    std::erase(m_ends, node);
    return node;
  }

  void add(Kind kind, Type type, int level, std::vector<int> inputs) {
    Node node{kind, type, level, std::move(inputs), 1 + m_random.below(15), m_random.below(12)};
    m_remaining -= definitionsOf(kind);
    m_ends.push_back(static_cast<int>(m_nodes.size()));
    m_nodes.push_back(std::move(node));
  }

  // The last node is the output, so it becomes a pointwise float node at level 0, whatever it was
  // before.
  void finishAsFloat() {
    Node &last = m_nodes.back();
    last.level = 0;
    if (last.type != Type::F32 || !isPointwise(last.kind)) {
      last.type = Type::F32;
      last.kind = last.inputs.size() > 1 ? Kind::Blend : Kind::Curve;
    }
  }

  Random m_random;
  int m_remaining;
  int m_width;
  int m_level = 0;
  int m_layerStart = 0;
  std::vector<Node> m_nodes;
  std::vector<int> m_ends;
};

} // namespace

int definitionsOf(Kind kind) {
  switch (kind) {
  case Kind::BoxSum:
  case Kind::Dilate:
  case Kind::Table:
    return 2;
  case Kind::Histogram:
    return 3;
  default:
    return 1;
  }
}

bool isPointwise(Kind kind) {
  return kind == Kind::Blend || kind == Kind::Difference || kind == Kind::Larger ||
         kind == Kind::Mask || kind == Kind::Curve;
}

std::vector<Node> makeRecipe(const Options &options) { return Builder(options).build(); }

} // namespace tessera::samples::synthetic
