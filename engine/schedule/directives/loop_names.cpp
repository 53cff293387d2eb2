// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/loop_names.h"

#include <algorithm>
#include <cctype>

namespace tessera::schedule {

namespace {

// Halide calls the loops of a reduction domain "r$x", which is no identifier in code.
std::string identifier(const std::string &name) {
  std::string text = name;
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

std::string_view suffix(const LoopNest &nest, LoopRef ref) {
  const auto at = nest.find(ref);
  if (!at) return "_part"; // the part is fused into another axis
  switch (nest.loops[*at].kind) {
  case LoopKind::Block:
    return "_block";
  case LoopKind::Thread:
    return "_thread";
  case LoopKind::Lane:
    return "_lane";
  case LoopKind::Unrolled:
    return "_unroll";
  case LoopKind::Vectorized:
    return "_vector";
  case LoopKind::Parallel:
    return "_task";
  case LoopKind::Serial:
    break;
  }
  if (ref.part == 0) return "_outer";
  return ref.part + 1 == nest.axes[ref.axis].parts() ? "_inner" : "_middle";
}

} // namespace

LoopNames::LoopNames(const pipeline::Stage &stage, const LoopNest &nest)
    : m_suffix(stage.index == 0 ? "" : "_u" + std::to_string(stage.index - 1)) {
  for (const pipeline::LoopDim &dim : stage.loops)
    m_taken.insert(dim.name);
  std::vector<std::string> bases;
  std::vector<bool> reductions;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    const Axis &axis = nest.axes[a];
    std::string base;
    bool reduction = false;
    if (a < stage.loops.size()) {
      base = identifier(stage.loops[a].name);
      reduction = stage.loops[a].kind == pipeline::LoopDim::Kind::Reduction;
    }
    for (const LoopRef source : axis.fused) {
      base += (base.empty() ? "" : "_") + bases[source.axis];
      reduction = reduction || reductions[source.axis];
    }
    bases.push_back(base);
    reductions.push_back(reduction);

    m_parts.emplace_back();
    m_rests.emplace_back();
    m_fused.emplace_back();
    for (std::size_t count = 2; count < axis.fused.size(); ++count)
      m_fused[a].push_back(unique(base + "_fused", reduction));
    if (a < stage.loops.size() && axis.splits.empty())
      m_parts[a] = m_rests[a] = {{stage.loops[a].name, reduction}};
    else
      nameAxis(a, base, reduction, nest);
    if (a < stage.loops.size()) m_rests[a][0] = {stage.loops[a].name, reduction};
    if (axis.fused.size() >= 2) m_fused[a].push_back(m_rests[a][0]);
  }
}

void LoopNames::nameAxis(std::uint16_t axis, const std::string &base, bool reduction,
                         const LoopNest &nest) {
  const std::uint16_t parts = nest.axes[axis].parts();
  for (std::uint16_t part = 0; part < parts; ++part)
    m_parts[axis].push_back(unique(base + std::string(suffix(nest, {axis, part})), reduction));
  for (std::uint16_t part = 0; part + 1 < parts; ++part)
    m_rests[axis].push_back(unique(base + (part == 0 ? "_all" : "_rest"), reduction));
  m_rests[axis].push_back(m_parts[axis].back());
}

LoopName LoopNames::unique(std::string wanted, bool reduction) {
  // A place names a func and a loop, but no stage, so loops of updates have names of their own.
  wanted += m_suffix;
  std::string name = wanted;
  for (int n = 2; !m_taken.insert(name).second; ++n)
    name = wanted + std::to_string(n);
  return {std::move(name), reduction};
}

} // namespace tessera::schedule
