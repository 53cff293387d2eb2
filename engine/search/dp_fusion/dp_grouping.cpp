// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_grouping.h"

#include <algorithm>
#include <limits>

namespace tessera::search {

const double DpGrouping::kNever = std::numeric_limits<double>::infinity();

namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 2; // two of them add up

using Node = DpGrouping::Node;
using Group = DpGrouping::Group;

// Lists the groups of one output: sets that have, with a node, all that reads it. Each is found
// once, since a node is either taken or left for good.
class GroupLister {
public:
  GroupLister(const DpGrouping::Graph &graph, const std::vector<std::vector<Node>> &producers,
              const DpGrouping::MayBe &mayBe, std::size_t bound, std::size_t most)
      : m_graph(graph), m_producers(producers), m_mayBe(mayBe), m_bound(bound), m_most(most) {}

  // Returns false if there are more than `most`.
  bool list(Node output) {
    m_group = {output};
    return keep() && extend(enabledBy(output, {}));
  }

  std::vector<Group> take() { return std::move(m_groups); }
  bool isCut() const { return m_isCut; }

private:
  bool keep() {
    if (m_groups.size() == m_most) return false;
    Group group = m_group;
    std::ranges::sort(group);
    m_groups.push_back(std::move(group));
    return true;
  }

  // Adds to `open` the nodes that may join now that `node` has.
  std::vector<Node> enabledBy(Node node, std::vector<Node> open) const {
    for (const Node producer : m_producers[node])
      if (!m_graph.isOutput[producer] && std::ranges::find(open, producer) == open.end() &&
          std::ranges::all_of(m_graph.readers[producer], [&](Node reader) {
            return std::ranges::find(m_group, reader) != m_group.end();
          }))
        open.push_back(producer);
    return open;
  }

  bool extend(std::vector<Node> open) {
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back(); // what follows is without it, in this group and all larger ones
      m_group.push_back(node);
      Group sorted = m_group;
      std::ranges::sort(sorted);
      if (m_mayBe(sorted)) {
        if (m_group.size() > m_bound)
          m_isCut = true;
        else if (!keep() || !extend(enabledBy(node, open)))
          return false;
      }
      m_group.pop_back();
    }
    return true;
  }

  const DpGrouping::Graph &m_graph;
  const std::vector<std::vector<Node>> &m_producers;
  const DpGrouping::MayBe &m_mayBe;
  const std::size_t m_bound, m_most;
  Group m_group;
  std::vector<Group> m_groups;
  bool m_isCut = false;
};

} // namespace

DpGrouping::DpGrouping(Graph graph, MayBe mayBe, std::size_t most)
    : m_graph(std::move(graph)), m_mayBe(std::move(mayBe)), m_most(std::min(most, kMost)),
      m_producers(m_graph.readers.size()), m_cones(m_graph.readers.size()) {
  for (Node node = 0; node < m_graph.readers.size(); ++node)
    for (const Node reader : m_graph.readers[node])
      m_producers[reader].push_back(node);
  findParents();
  for (Node node = 0; node < m_cones.size(); ++node)
    m_pending.push_back({node});
  if (m_pending.empty()) return;
  for (Node node = 0; node < m_cones.size(); ++node)
    m_cones[node].groups.push_back(&m_costs.try_emplace({node}, kNever).first->first);
}

// The nearest common ancestor of all readers, from the outputs back.
void DpGrouping::findParents() {
  m_parents.resize(m_graph.readers.size());
  m_children.resize(m_graph.readers.size());
  for (std::size_t n = m_graph.readers.size(); n-- > 0;) {
    const auto &readers = m_graph.readers[n];
    if (m_graph.isOutput[n] || readers.empty()) continue;
    std::optional<Node> common = readers.front();
    for (const Node reader : readers)
      for (std::optional<Node> other = reader; common != other;)
        if (!common || !other)
          common = other = std::nullopt;
        else if (*common < *other)
          common = m_parents[*common]; // a parent has a higher number
        else
          other = m_parents[*other];
    m_parents[n] = common;
    if (common) m_children[*common].push_back(static_cast<Node>(n));
  }
}

const Group *DpGrouping::next() const {
  return m_nextPending < m_pending.size() ? &m_pending[m_nextPending] : nullptr;
}

double DpGrouping::progress() const {
  const auto done = static_cast<double>(m_nextPending - m_beginOfRound);
  const auto all = static_cast<double>(m_pending.size() - m_beginOfRound);
  return 1 - m_left * (1 - (all > 0 ? done / all / 2 : 1));
}

void DpGrouping::tell(double cost) {
  m_costs.at(m_pending[m_nextPending++]) = cost;
  if (m_nextPending == m_pending.size()) enlarge();
}

std::optional<std::vector<Group>> DpGrouping::groupsOf(Node output, std::size_t bound,
                                                       std::size_t most, bool &isWhole) const {
  GroupLister lister(m_graph, m_producers, m_mayBe, bound, most);
  if (!lister.list(output)) return std::nullopt;
  isWhole = !lister.isCut();
  return lister.take();
}

// Doubles the bounds of all outputs that have larger groups, as long as the groups are few enough.
// Each output may take its share of what is left, so that one with very many does not take all.
void DpGrouping::enlarge() {
  std::vector<Node> open;
  for (Node node = 0; node < m_cones.size(); ++node)
    if (!m_cones[node].isWhole) open.push_back(node);
  std::size_t left = m_most > known() - m_cones.size() ? m_most - (known() - m_cones.size()) : 0;
  bool isLarger = false;
  m_beginOfRound = m_pending.size();
  m_left /= 2;
  for (std::size_t i = 0; i < open.size(); ++i) {
    Cone &cone = m_cones[open[i]];
    const std::size_t share = cone.groups.size() + left / (open.size() - i);
    bool isWhole = false;
    const auto groups = groupsOf(open[i], 2 * cone.bound, share, isWhole);
    if (!groups) continue;
    isLarger = true;
    cone.bound *= 2;
    cone.isWhole = isWhole;
    cone.groups.clear();
    for (const Group &group : *groups) {
      const auto [at, isNew] = m_costs.try_emplace(group, kNever);
      cone.groups.push_back(&at->first);
      if (!isNew) continue;
      m_pending.push_back(group);
      --left;
    }
  }
  // Nothing new to ask, but some groups may be larger than the bounds now are.
  if (isLarger && m_nextPending == m_pending.size()) enlarge();
}

std::vector<DpGrouping::Best> DpGrouping::solved() const {
  std::vector<Best> best(m_cones.size());
  std::vector<bool> isIn(m_cones.size());
  for (Node node = 0; node < m_cones.size(); ++node) {
    best[node] = {kNever, m_cones[node].groups.front()};
    for (const Group *group : m_cones[node].groups) {
      double cost = m_costs.at(*group);
      for (const Node member : *group)
        isIn[member] = true;
      for (const Node member : *group)
        for (const Node child : m_children[member])
          if (!isIn[child]) cost += best[child].cost;
      for (const Node member : *group)
        isIn[member] = false;
      if (cost < best[node].cost) best[node] = {cost, group};
    }
  }
  return best;
}

std::vector<Group> DpGrouping::best() const {
  const std::vector<Best> best = solved();
  std::vector<Group> groups;
  std::vector<bool> isTaken(best.size());
  for (std::size_t n = best.size(); n-- > 0;) {
    if (isTaken[n]) continue;
    groups.push_back(*best[n].group);
    for (const Node member : groups.back())
      isTaken[member] = true;
  }
  return groups;
}

double DpGrouping::cost() const {
  const std::vector<Best> best = solved();
  double cost = 0;
  for (std::size_t n = 0; n < best.size(); ++n)
    if (!m_parents[n]) cost += best[n].cost;
  return cost;
}

std::optional<std::size_t> DpGrouping::bound() const {
  std::optional<std::size_t> bound;
  for (const Cone &cone : m_cones)
    if (!cone.isWhole && (!bound || cone.bound < *bound)) bound = cone.bound;
  return bound;
}

} // namespace tessera::search
