// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/fusion_problem.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;

FusionProblem::FusionProblem(schedule::Schedule apart, const std::set<FuncId> &kept,
                             const FrozenDecisions &frozen, const machine::Machine &machine,
                             const DpParameters &parameters)
    : m_apart(std::move(apart)), m_machine(machine), m_parameters(parameters) {
  m_inputs.measures = modelledMeasures(m_apart, m_machine);
  const Pipeline &pipeline = *m_apart.pipeline();
  for (const FuncId func : pipeline.allFuncs())
    if (!m_apart.plan(func).isInline() && !kept.contains(func) && !pipeline.func(func).externCall)
      addNode(func, frozen.contains(func));
  addEdges();
}

void FusionProblem::addNode(FuncId func, bool isAlone) {
  m_nodes.push_back(func);
  m_graph.isOutput.push_back(isAlone || m_apart.pipeline()->func(func).staysAtRoot());
  m_inputs.loads[func] = loadsOf(m_apart, func);
  m_inputs.measures.try_emplace(func); // of a func without work, the model knows no kernel
  m_registers.push_back(m_inputs.measures.at(func).registers);
  std::vector<bool> &aligned = m_aligned.emplace_back(m_apart.pipeline()->funcs().size());
  if (isAlone) return;
  for (const auto &[member, alignment] : alignmentsTo(m_apart, func))
    aligned[pipeline::index(member)] = true;
}

void FusionProblem::addEdges() {
  m_graph.readers.resize(m_nodes.size());
  for (std::size_t n = 0; n < m_nodes.size(); ++n) {
    std::set<DpGrouping::Node> readers;
    for (const pipeline::StageId stage : schedule::readersOf(m_apart, m_nodes[n])) {
      const FuncId reader = m_apart.pipeline()->stage(stage).func;
      const auto node = std::ranges::lower_bound(m_nodes, reader);
      if (node == m_nodes.end() || *node != reader)
        m_graph.isOutput[n] = true;
      else if (reader != m_nodes[n])
        readers.insert(static_cast<DpGrouping::Node>(node - m_nodes.begin()));
    }
    m_graph.readers[n].assign(readers.begin(), readers.end());
  }
}

bool FusionProblem::mayBe(const DpGrouping::Group &group) const {
  double registers = 0;
  for (const DpGrouping::Node node : group) {
    if (!m_aligned[group.back()][pipeline::index(m_nodes[node])]) return false;
    registers += m_registers[node];
  }
  return registers <= m_parameters.maxRegisters;
}

DpGroup FusionProblem::groupOf(const DpGrouping::Group &nodes) const {
  DpGroup group{m_nodes[nodes.back()], {}};
  for (const DpGrouping::Node node : nodes)
    group.members.push_back(m_nodes[node]);
  return group;
}

SizeScan FusionProblem::scanOf(const DpGroup &group, SizeScan::Tiles tiles) const {
  return {DpCost(m_apart, m_inputs, group, m_machine, m_parameters, TilePer::Block), tiles,
          TilePer::Block, m_machine, m_parameters};
}

} // namespace tessera::search
