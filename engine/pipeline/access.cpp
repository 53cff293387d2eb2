// SPDX-License-Identifier: MIT
#include "engine/pipeline/access.h"

#include "engine/pipeline/saturating.h"

namespace tessera::pipeline {
namespace {

Interval evaluate(const Atom &atom, std::span<const Interval> loops) {
  Interval sum = atom.offset;
  for (const AffineTerm &term : atom.terms)
    sum = plus(sum, times(loops[term.loop], term.coefficient));
  return times(clamp(floorDivide(sum, atom.divisor), atom.clamp), atom.scale);
}

} // namespace

Interval evaluate(const IndexMap &map, std::span<const Interval> loops) {
  Interval result = map.offset;
  for (const Atom &atom : map.atoms)
    result = plus(result, evaluate(atom, loops));
  return result;
}

} // namespace tessera::pipeline
