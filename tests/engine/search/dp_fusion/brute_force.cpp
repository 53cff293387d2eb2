// SPDX-License-Identifier: MIT
#include "tests/engine/search/dp_fusion/brute_force.h"

#include <bit>
#include <limits>
#include <vector>

namespace tessera::search::testing {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

class Partitions {
public:
  Partitions(const DpGrouping::Graph &graph, const GroupCost &cost)
      : m_nodes(graph.readers.size()), m_readers(m_nodes), m_producers(m_nodes) {
    for (std::size_t n = 0; n < m_nodes; ++n)
      for (const DpGrouping::Node reader : graph.readers[n]) {
        m_readers[n] |= 1U << reader;
        m_producers[reader] |= 1U << n;
      }
    m_costs.resize(std::size_t{1} << m_nodes, kNever);
    for (unsigned set = 1; set < m_costs.size(); ++set) {
      DpGrouping::Group group;
      for (DpGrouping::Node n = 0; n < m_nodes; ++n)
        if ((set >> n & 1) != 0) group.push_back(n);
      if (isConnected(set) && isConvex(set) && hasOneOutput(set, graph)) m_costs[set] = cost(group);
    }
  }

  double least() {
    add(0);
    return m_least;
  }

private:
  unsigned around(unsigned set, const std::vector<unsigned> &neighbours) const {
    unsigned all = 0;
    for (std::size_t n = 0; n < m_nodes; ++n)
      if ((set >> n & 1) != 0) all |= neighbours[n];
    return all;
  }

  // All that can be reached from a set.
  unsigned beyond(unsigned set, const std::vector<unsigned> &neighbours) const {
    unsigned all = around(set, neighbours);
    for (unsigned more = 0; (more = all | around(all, neighbours)) != all;)
      all = more;
    return all;
  }

  bool isConnected(unsigned set) const {
    unsigned part = set & -set;
    for (unsigned more = 0;
         (more = part | (set & (around(part, m_readers) | around(part, m_producers)))) != part;)
      part = more;
    return part == set;
  }

  // No way leaves the set and comes back.
  bool isConvex(unsigned set) const {
    return (beyond(set, m_readers) & beyond(set, m_producers) & ~set) == 0;
  }

  bool hasOneOutput(unsigned set, const DpGrouping::Graph &graph) const {
    int outputs = 0;
    for (std::size_t n = 0; n < m_nodes; ++n)
      if ((set >> n & 1) != 0 &&
          (graph.isOutput[n] || m_readers[n] == 0 || (m_readers[n] & ~set) != 0))
        ++outputs;
    return outputs == 1;
  }

  // Each node joins one of the groups before it, or begins one.
  void add(std::size_t node) {
    if (node == m_nodes) return finish();
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
      m_groups[g] |= 1U << node;
      add(node + 1);
      m_groups[g] &= ~(1U << node);
    }
    m_groups.push_back(1U << node);
    add(node + 1);
    m_groups.pop_back();
  }

  void finish() {
    double cost = 0;
    for (const unsigned group : m_groups)
      cost += m_costs[group];
    if (cost < m_least && canBeFinished()) m_least = cost;
  }

  // Takes one group after another of which all producers are finished.
  bool canBeFinished() const {
    unsigned finished = 0;
    for (std::size_t round = 0; round < m_groups.size(); ++round)
      for (const unsigned group : m_groups)
        if ((around(group, m_producers) & ~(finished | group)) == 0) finished |= group;
    return std::popcount(finished) == static_cast<int>(m_nodes);
  }

  const std::size_t m_nodes;
  std::vector<unsigned> m_readers, m_producers; // sets, by node
  std::vector<double> m_costs;                  // by set
  std::vector<unsigned> m_groups;
  double m_least = kNever;
};

} // namespace

double leastCost(const DpGrouping::Graph &graph, const GroupCost &cost) {
  return Partitions(graph, cost).least();
}

void run(DpGrouping &grouping, const GroupCost &cost) {
  while (const DpGrouping::Group *group = grouping.next())
    grouping.tell(cost(*group));
}

} // namespace tessera::search::testing
