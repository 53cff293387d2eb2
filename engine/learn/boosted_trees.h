// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace tessera::learn {

// A sum of small regression trees (Friedman 2001, "Greedy function approximation"), each of which
// corrects what those before it leave.
class BoostedTrees {
public:
  // A node asks whether a feature is at most its threshold, or has the value of a leaf.
  struct Node {
    static constexpr std::uint16_t kLeaf = 0xffff;
    std::uint16_t feature = kLeaf;
    std::uint16_t below = 0, above = 0; // the next nodes of the same tree
    float number = 0;                   // threshold, or value

    friend bool operator==(const Node &, const Node &) = default;
  };
  using Tree = std::vector<Node>; // the root comes first, and nodes before those that they lead to

  BoostedTrees() = default;
  BoostedTrees(float start, std::vector<Tree> trees) : m_start(start), m_trees(std::move(trees)) {}

  float of(std::span<const float> features) const;
  float start() const { return m_start; }
  const std::vector<Tree> &trees() const { return m_trees; }
  void add(Tree tree) { m_trees.push_back(std::move(tree)); }

  // Whether every node leads to later ones and asks for one of so many features.
  bool isSound(std::size_t features) const;

  friend bool operator==(const BoostedTrees &, const BoostedTrees &) = default;

private:
  float m_start = 0; // the mean, before any tree
  std::vector<Tree> m_trees;
};

// What trees are grown from: rows of features, and of each row what it should give and how much it
// counts. All rows have the same number of features.
struct TreeRows {
  std::size_t features = 0;  // of a row
  std::vector<float> values; // row after row
  std::vector<float> targets, weights;

  std::size_t size() const { return targets.size(); }
  std::span<const float> row(std::size_t at) const {
    return std::span(values).subspan(at * features, features);
  }
};

struct TreeOptions {
  int trees = 200;
  std::size_t leaves = 15;     // of a tree
  std::size_t leastRows = 40;  // of a leaf
  double rate = 0.05;          // part of what a tree says that counts
  double steadiness = 100;     // weight of a leaf's pull towards zero; a row weighs 1 on average
  double partOfRows = 0.7;     // that a tree is grown from, drawn anew for each
  double partOfFeatures = 0.6; // likewise
  std::uint64_t seed = 1;
};

// Grows trees that give the targets with the least squared error. The same rows and options give
// the same trees. `grown` gets the number of trees after each; growing ends early if it returns
// false.
BoostedTrees grow(const TreeRows &rows, const TreeOptions &options,
                  const std::function<bool(int)> &grown = {});

} // namespace tessera::learn
