// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace tessera::search {

// Dynamic programming over the groupings of a graph ("Bounded DP Fusion", section 7.1 of Jangda and
// Guha 2020, who take it from Jangda and Bondhugula 2018): the partition into groups whose costs
// have the least sum. It knows no pipeline; who drives it is asked for the cost of one group after
// another.
//
// A group has one output, which is all that others read of it, as a kernel of Halide has. So a
// partition follows from its outputs. Let D be the tree in which the parent of a node is the
// nearest node that all ways from it lead through. What is finished once the groups below and with
// a node v are chosen is the subtree of v, and
//
//   f(v) = min over groups G with output v of  cost(G) + Σ f(u) over u ∉ G with parent in G
//
// Each group is connected and convex, since all that reads a member but the output is in the group.
class DpGrouping {
public:
  using Node = std::uint32_t;
  using Group = std::vector<Node>; // in ascending order; the output is the last

  struct Graph {
    std::vector<std::vector<Node>> readers; // by node, each with a higher number
    std::vector<bool> isOutput;             // by node: also read from elsewhere, so never a member
  };
  // Whether a group may have this cost at all. If not, no larger group may.
  using MayBe = std::function<bool(const Group &)>;

  // Asks for the costs of at most `most` groups of several nodes.
  DpGrouping(Graph graph, MayBe mayBe, std::size_t most);

  // The group whose cost is needed next; null if all are known. Stays valid until tell().
  const Group *next() const;
  // The cost of that group, which may be infinite.
  void tell(double cost);
  // Makes the cost of a group infinite, when it turns out to be impossible.
  void forbid(const Group &group) { m_costs.insert_or_assign(group, kNever); }

  // The best partition for the costs that are known.
  std::vector<Group> best() const;
  double cost() const;                                             // the sum of its costs
  const std::map<Group, double> &costs() const { return m_costs; } // of all groups that were tried

  // Groups of more nodes than this were not all tried; none: all groups were.
  std::optional<std::size_t> bound() const;
  std::size_t known() const { return m_costs.size(); }
  // From 0 to 1. Each doubling of the bounds is half of what is left, as nobody knows how many
  // follow.
  double progress() const;

private:
  static const double kNever;
  struct Best {
    double cost = 0;
    const Group *group = nullptr;
  };
  // The groups of one output, up to a size.
  struct Cone {
    std::size_t bound = 1;
    bool isWhole = false; // all groups were tried
    std::vector<const Group *> groups;
  };

  void findParents();
  void enlarge();
  // The groups with an output of at most `bound` nodes, in an order that never changes. Empty if
  // there are more than `most`. `isWhole` tells whether larger ones exist.
  std::optional<std::vector<Group>> groupsOf(Node output, std::size_t bound, std::size_t most,
                                             bool &isWhole) const;
  std::vector<Best> solved() const;

  const Graph m_graph;
  const MayBe m_mayBe;
  const std::size_t m_most;
  std::vector<std::optional<Node>> m_parents;
  std::vector<std::vector<Node>> m_children; // by node
  std::vector<std::vector<Node>> m_producers;
  std::map<Group, double> m_costs;
  std::vector<Cone> m_cones;
  std::vector<Group> m_pending; // of all rounds
  std::size_t m_nextPending = 0, m_beginOfRound = 0;
  double m_left = 1; // for this round and all that follow
};

} // namespace tessera::search
