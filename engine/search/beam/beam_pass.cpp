// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_pass.h"

#include <algorithm>

// Sections are those of Anderson et al. 2021.
namespace tessera::search {

using pipeline::FuncId;

namespace {

// Evaluations in a step. Each takes tens of microseconds.
constexpr std::size_t kInAStep = 64;
// Representatives that are pruned or not legal are replaced by others of their bucket, up to so
// many for each that is wanted.
constexpr std::size_t kTries = 4;

} // namespace

BeamPass::BeamPass(BeamMoves &moves, const BeamParameters &parameters, PassSettings settings,
                   const FrozenChoices &frozen, const Hashes &near, BeamRandom &random)
    : m_moves(moves), m_parameters(parameters), m_settings(settings), m_frozen(frozen),
      m_near(near), m_random(random) {
  m_queue.insert({0, m_numbers++, false, moves.initial()});
}

double BeamPass::progress() const {
  const auto all = static_cast<double>(2 * m_moves.order().size());
  return all > 0 ? static_cast<double>(m_decision) / all : 1;
}

BeamStatePtr BeamPass::best() const {
  BeamStatePtr best;
  for (const Entry &entry : m_queue)
    if (!best || entry.state->cost < best->cost) best = entry.state;
  return best ? best : m_moves.initial();
}

bool BeamPass::step() {
  for (std::size_t i = 0; i < kInAStep; ++i) {
    if (m_decision == 2 * m_moves.order().size()) return false;
    if (m_expansion) {
      evaluateNext();
    } else if (auto state = m_expanded < m_settings.beam ? pop() : std::nullopt) {
      ++m_expanded;
      ++m_counts.states;
      expand(std::move(*state));
    } else {
      nextDecision();
    }
  }
  return true;
}

// Section 6.5: a state whose hash was seen before, and did not promise much then, gets a penalty
// and goes back into the queue.
bool BeamPass::isMovedBack(Entry &entry) {
  if (!m_settings.penalises || entry.isPenalised) return false;
  double penalty = static_cast<double>(++m_seen[entry.state->hashAt(m_settings.index + 1)]);
  if (m_settings.index > 0 && !m_near.contains(entry.state->hashAt(m_settings.index - 1)))
    penalty += m_parameters.penaltyTen;
  entry.isPenalised = true;
  if (penalty <= 1) return false;
  entry.cost *= penalty;
  return !m_queue.empty() && m_queue.begin()->cost < entry.cost;
}

// The next state to go on from. Greedy samples drop some by chance, but never the last.
std::optional<BeamStatePtr> BeamPass::pop() {
  while (!m_queue.empty()) {
    Entry entry = std::move(m_queue.extract(m_queue.begin()).value());
    if (isMovedBack(entry)) {
      m_queue.insert(std::move(entry));
      continue;
    }
    const bool isDropped = m_settings.keepChance < 1 && !m_queue.empty() &&
                           m_random.fraction() >= m_settings.keepChance;
    if (!isDropped) return entry.state;
  }
  return std::nullopt;
}

void BeamPass::expand(BeamStatePtr state) {
  const FuncId func = this->func();
  const schedule::FuncPlan &plan = state->schedule.plan(func);
  if (isTilePhase() && !plan.isRoot()) return add(std::move(state));
  m_expansion.emplace();
  m_expansion->state = std::move(state);
  const auto choice = m_frozen.find(func);
  if (choice != m_frozen.end()) {
    if (!isTilePhase())
      m_expansion->own = {choice->second.place};
    else if (choice->second.tile)
      m_expansion->own = {*choice->second.tile};
    m_expansion->options = &m_expansion->own;
  } else if (isTilePhase()) {
    m_expansion->options = &m_moves.tiles(func);
  } else {
    m_expansion->own = m_moves.places(*m_expansion->state, func, m_settings.space);
    m_expansion->options = &m_expansion->own;
  }
  m_expansion->buckets = bucketsOf(func, *m_expansion->options, m_settings.index,
                                   m_parameters.samplingKind(), m_random);
  m_counts.buckets += m_expansion->buckets.size();
  // Section 6: inlining a cheap func is always among what is evaluated.
  if (isTilePhase() || !m_moves.isCheap(func)) return;
  for (BeamBucket &bucket : m_expansion->buckets)
    std::ranges::stable_partition(bucket.options, [&](std::size_t option) {
      return (*m_expansion->options)[option].place == BeamPlace::Inline;
    });
}

void BeamPass::evaluateNext() {
  BeamExpansion &now = *m_expansion;
  if (now.bucket == now.buckets.size()) return endExpansion();
  const BeamBucket &bucket = now.buckets[now.bucket];
  const bool isOver = now.found == bucket.wanted || now.option == bucket.options.size() ||
                      now.option >= kTries * bucket.wanted;
  if (isOver) {
    ++now.bucket;
    now.option = now.found = 0;
    return;
  }
  ++m_evaluations;
  ++m_counts.evaluated;
  const BeamOption &option = (*now.options)[bucket.options[now.option++]];
  BeamStatePtr child = m_moves.applied(now.state, func(), option);
  if (!child) return;
  ++now.found;
  ++m_counts.kept;
  now.hasChild = true;
  add(std::move(child));
}

void BeamPass::endExpansion() {
  if (!m_expansion->hasChild) {
    BeamOption option;
    option.phase = isTilePhase() ? BeamOption::Phase::Tile : BeamOption::Phase::Place;
    option.shape.place = BeamPlace::Root;
    add(m_moves.asItIs(m_expansion->state, func(), option));
  }
  m_expansion.reset();
}

void BeamPass::add(BeamStatePtr state) {
  const double cost = state->cost;
  m_next.insert({cost, m_numbers++, false, std::move(state)});
}

void BeamPass::nextDecision() {
  m_queue = std::move(m_next);
  m_next.clear();
  m_seen.clear();
  m_expanded = 0;
  ++m_decision;
}

// Artifact: states within NEAR of the best, and all that they came from.
BeamPass::Hashes BeamPass::nearHashes() const {
  Hashes near;
  const BeamStatePtr best = this->best();
  for (const Entry &entry : m_queue) {
    if (entry.state->cost > m_parameters.near * best->cost) continue;
    for (const BeamState *state = entry.state.get(); state; state = state->parent.get())
      near.insert(state->hashAt(m_settings.index));
  }
  return near;
}

} // namespace tessera::search
