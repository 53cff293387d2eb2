// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/dp_grouping.h"
#include "engine/search/dp_fusion/size_scan.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <set>
#include <vector>

namespace tessera::search {

// What `dp-fusion` groups: the funcs of a schedule in which each is a kernel of its own, as nodes
// of a graph, and what is known of each. What the schedule inlines is part of the func that reads
// it.
class FusionProblem {
public:
  // Funcs in `kept` are left out. Funcs with frozen decisions are in no group with others.
  FusionProblem(schedule::Schedule apart, const std::set<pipeline::FuncId> &kept,
                const FrozenDecisions &frozen, const machine::Machine &machine,
                const DpParameters &parameters);

  const schedule::Schedule &apart() const { return m_apart; }
  DpGrouping::Graph graph() const { return m_graph; }
  // Lines 2 and 21 of algorithm 2 of Jangda and Guha 2020: what has constant dependence vectors and
  // few enough registers. They hold for no larger group if they do not for this one.
  bool mayBe(const DpGrouping::Group &group) const;
  DpGroup groupOf(const DpGrouping::Group &nodes) const;
  // The sizes for a group. The problem has to outlive the result.
  SizeScan scanOf(const DpGroup &group, SizeScan::Tiles tiles) const;

private:
  void addNode(pipeline::FuncId func, bool isAlone);
  void addEdges();

  const schedule::Schedule m_apart;
  const machine::Machine m_machine;
  const DpParameters m_parameters;
  StageInputs m_inputs;
  std::vector<pipeline::FuncId> m_nodes; // producers first
  DpGrouping::Graph m_graph;
  std::vector<std::vector<bool>> m_aligned; // by node, by func: whether it may be in the group
  std::vector<double> m_registers;          // by node
};

} // namespace tessera::search
