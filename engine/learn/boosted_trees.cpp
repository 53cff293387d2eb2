// SPDX-License-Identifier: MIT
#include "engine/learn/boosted_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace tessera::learn {

namespace {

using Node = BoostedTrees::Node;

constexpr std::size_t kBins = 64;

// The values of a feature in at most 64 bins with about as many rows each.
class Bins {
public:
  Bins(const TreeRows &rows, std::size_t feature) {
    std::vector<float> sorted;
    for (std::size_t row = 0; row < rows.size(); ++row)
      sorted.push_back(rows.row(row)[feature]);
    std::ranges::sort(sorted);
    for (std::size_t bin = 1; bin < kBins; ++bin) {
      const float edge = sorted[bin * sorted.size() / kBins];
      if (edge < sorted.back() && (m_edges.empty() || m_edges.back() < edge))
        m_edges.push_back(edge);
    }
  }
  std::uint8_t of(float value) const {
    return static_cast<std::uint8_t>(std::ranges::lower_bound(m_edges, value) - m_edges.begin());
  }
  std::size_t edges() const { return m_edges.size(); }
  float edge(std::size_t bin) const { return m_edges[bin]; } // the largest value of the bin

private:
  std::vector<float> m_edges;
};

float leafOf(const BoostedTrees::Tree &tree, std::span<const float> features) {
  const Node *node = tree.data();
  while (node->feature != Node::kLeaf)
    node = &tree[features[node->feature] <= node->number ? node->below : node->above];
  return node->number;
}

struct Sums {
  double weight = 0, gradient = 0;
  std::size_t rows = 0;

  void add(const Sums &other) {
    weight += other.weight;
    gradient += other.gradient;
    rows += other.rows;
  }
};

struct Split {
  double gain = 0;
  std::size_t feature = 0, bin = 0;
};

// A leaf that may still be split: its node in the tree and its rows.
struct Leaf {
  std::size_t node = 0;
  std::vector<std::uint32_t> rows;
  Sums sums;
  std::optional<Split> best;
};

// Grows one tree after the other over rows in bins.
class Growing {
public:
  Growing(const TreeRows &rows, const TreeOptions &options)
      : m_rows(rows), m_options(options), m_random(options.seed), m_binned(rows.values.size()),
        m_left(rows.size()) {
    for (std::size_t f = 0; f < rows.features; ++f) {
      m_bins.emplace_back(rows, f);
      for (std::size_t row = 0; row < rows.size(); ++row)
        m_binned[f * rows.size() + row] = m_bins[f].of(rows.row(row)[f]);
    }
    const double all = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
    m_scale = static_cast<double>(rows.size()) / std::max(all, 1e-30);
    double sum = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
      sum += static_cast<double>(rows.weights[row]) * static_cast<double>(rows.targets[row]);
    m_start = static_cast<float>(sum / std::max(all, 1e-30));
    for (std::size_t row = 0; row < rows.size(); ++row)
      m_left[row] = static_cast<double>(rows.targets[row] - m_start);
  }

  float start() const { return m_start; }

  BoostedTrees::Tree next() {
    drawFeatures();
    BoostedTrees::Tree tree(1);
    std::vector<Leaf> leaves(1);
    leaves[0].rows = drawnRows();
    complete(leaves[0]);
    while (leaves.size() < m_options.leaves) {
      const auto best = std::ranges::max_element(
          leaves, {}, [](const Leaf &leaf) { return leaf.best ? leaf.best->gain : 0; });
      if (!best->best) break;
      split(static_cast<std::size_t>(best - leaves.begin()), leaves, tree);
    }
    for (const Leaf &leaf : leaves)
      tree[leaf.node].number = static_cast<float>(m_options.rate * valueOf(leaf.sums));
    for (std::size_t row = 0; row < m_rows.size(); ++row)
      m_left[row] -= static_cast<double>(leafOf(tree, m_rows.row(row)));
    return tree;
  }

private:
  double weightOf(std::size_t row) const {
    return m_scale * static_cast<double>(m_rows.weights[row]);
  }
  double valueOf(const Sums &sums) const {
    return sums.gradient / (sums.weight + m_options.steadiness);
  }
  double worthOf(const Sums &sums) const { return sums.gradient * valueOf(sums); }

  void drawFeatures() {
    m_features.clear();
    std::bernoulli_distribution chosen(m_options.partOfFeatures);
    for (std::size_t f = 0; f < m_rows.features; ++f)
      if (m_bins[f].edges() > 0 && chosen(m_random)) m_features.push_back(f);
  }

  std::vector<std::uint32_t> drawnRows() {
    std::vector<std::uint32_t> drawn;
    std::bernoulli_distribution chosen(m_options.partOfRows);
    for (std::uint32_t row = 0; row < m_rows.size(); ++row)
      if (chosen(m_random)) drawn.push_back(row);
    return drawn;
  }

  // Finds the sums of a leaf and its best split.
  void complete(Leaf &leaf) const {
    for (const std::uint32_t row : leaf.rows)
      leaf.sums.add(sumsOf(row));
    for (const std::size_t f : m_features)
      tryFeature(f, leaf);
  }

  Sums sumsOf(std::uint32_t row) const {
    const double weight = weightOf(row);
    return {weight, weight * m_left[row], 1};
  }

  void tryFeature(std::size_t f, Leaf &leaf) const {
    std::array<Sums, kBins> bins{};
    const std::uint8_t *const of = &m_binned[f * m_rows.size()];
    for (const std::uint32_t row : leaf.rows)
      bins[of[row]].add(sumsOf(row));
    Sums below;
    for (std::size_t bin = 0; bin < m_bins[f].edges(); ++bin) {
      below.add(bins[bin]);
      const Sums above{leaf.sums.weight - below.weight, leaf.sums.gradient - below.gradient,
                       leaf.sums.rows - below.rows};
      if (below.rows < m_options.leastRows || above.rows < m_options.leastRows) continue;
      const double gain = worthOf(below) + worthOf(above) - worthOf(leaf.sums);
      constexpr double kLeast = 1e-9;
      if (gain > (leaf.best ? leaf.best->gain : kLeast)) leaf.best = Split{gain, f, bin};
    }
  }

  void split(std::size_t at, std::vector<Leaf> &leaves, BoostedTrees::Tree &tree) const {
    const Split by = *leaves[at].best;
    Leaf below, above;
    const std::uint8_t *const of = &m_binned[by.feature * m_rows.size()];
    for (const std::uint32_t row : leaves[at].rows)
      (of[row] <= by.bin ? below : above).rows.push_back(row);
    below.node = tree.size();
    above.node = tree.size() + 1;
    tree[leaves[at].node] = {
        static_cast<std::uint16_t>(by.feature), static_cast<std::uint16_t>(below.node),
        static_cast<std::uint16_t>(above.node), m_bins[by.feature].edge(by.bin)};
    tree.resize(tree.size() + 2);
    complete(below);
    complete(above);
    leaves[at] = std::move(below);
    leaves.push_back(std::move(above));
  }

  const TreeRows &m_rows;
  const TreeOptions &m_options;
  std::mt19937_64 m_random;
  std::vector<Bins> m_bins;            // by feature
  std::vector<std::uint8_t> m_binned;  // feature after feature
  std::vector<double> m_left;          // by row: what the trees so far leave of the target
  std::vector<std::size_t> m_features; // that this tree may ask for
  double m_scale = 1;                  // makes a row weigh 1 on average
  float m_start = 0;
};

} // namespace

float BoostedTrees::of(std::span<const float> features) const {
  float sum = m_start;
  for (const Tree &tree : m_trees)
    sum += leafOf(tree, features);
  return sum;
}

bool BoostedTrees::isSound(std::size_t features) const {
  for (const Tree &tree : m_trees) {
    if (tree.empty()) return false;
    for (std::size_t n = 0; n < tree.size(); ++n) {
      const Node &node = tree[n];
      if (!std::isfinite(node.number)) return false;
      if (node.feature == Node::kLeaf) continue;
      const auto leads = [&](std::size_t to) { return to > n && to < tree.size(); };
      if (node.feature >= features || !leads(node.below) || !leads(node.above)) return false;
    }
  }
  return std::isfinite(m_start);
}

BoostedTrees grow(const TreeRows &rows, const TreeOptions &options,
                  const std::function<bool(int)> &grown) {
  if (rows.size() == 0) return {};
  Growing growing(rows, options);
  BoostedTrees trees(growing.start(), {});
  for (int tree = 0; tree < options.trees; ++tree) {
    trees.add(growing.next());
    if (grown && !grown(tree + 1)) break;
  }
  return trees;
}

} // namespace tessera::learn
