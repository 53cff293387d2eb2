// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_sample.h"

#include <algorithm>
#include <cmath>

// Sections are those of Anderson et al. 2021.
namespace tessera::search {

namespace {

// The chance to keep a state for which, over all decisions, as many percent of samples keep all.
double keepChance(double keepAllPercent, std::size_t funcs) {
  if (funcs == 0) return 1;
  return std::pow(keepAllPercent / 100, 1 / (2 * static_cast<double>(funcs)));
}

} // namespace

BeamSample::BeamSample(BeamMoves &moves, const BeamParameters &parameters, SampleKind kind,
                       std::uint64_t seed)
    : m_moves(moves), m_parameters(parameters), m_kind(kind), m_random(seed),
      m_isPrePass(parameters.freeze > 0 && frozenCount(moves.order().size()) > 0) {
  beginPass();
}

PassSettings BeamSample::settings() const {
  PassSettings settings;
  settings.space = m_isPrePass ? BeamSpace::RootOrInline : BeamSpace::All;
  settings.index = m_passes;
  const bool isBeam = m_kind == SampleKind::Beam;
  settings.beam = isBeam ? static_cast<std::size_t>(m_parameters.beam) : 1;
  settings.penalises = isBeam && m_parameters.passes > 1 && !m_isPrePass;
  if (!isBeam) settings.keepChance = keepChance(m_parameters.keepAll, m_moves.order().size());
  return settings;
}

void BeamSample::beginPass() {
  m_pass.emplace(m_moves, m_parameters, settings(), m_frozen, m_near, m_random);
}

double BeamSample::progress() const {
  const double passes = m_kind == SampleKind::Beam ? m_parameters.passes : 1;
  const double over = m_isPrePass ? 0 : m_passes + (m_parameters.freeze > 0 ? 1 : 0);
  return std::min(1., (over + m_pass->progress()) / (passes + (m_parameters.freeze > 0 ? 1 : 0)));
}

bool BeamSample::step() {
  if (m_pass->step()) return true;
  const BeamStatePtr found = m_pass->best();
  m_ended = {m_isPrePass, m_passes, m_pass->counts(), found->cost};
  if (m_isPrePass) {
    m_frozen = cheapestChoices(m_moves, *found);
    m_isPrePass = false;
    beginPass();
    return true;
  }
  if (!m_best || found->cost < m_best->cost) m_best = found;
  ++m_passes;
  const double passes = m_kind == SampleKind::Beam ? m_parameters.passes : 1;
  if (m_passes >= static_cast<int>(passes)) return false;
  m_near = m_pass->nearHashes();
  beginPass();
  return true;
}

} // namespace tessera::search
