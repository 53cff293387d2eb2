// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/access_text.h"

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace tessera::views {

using pipeline::Atom;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::kEverything;
using pipeline::kMinusInfinity;
using pipeline::kPlusInfinity;

namespace {

bool isZero(const Interval &interval) { return interval.min == 0 && interval.max == 0; }

std::string magnitude(std::int64_t value) {
  return std::to_string(value < 0 ? 0 - static_cast<std::uint64_t>(value)
                                  : static_cast<std::uint64_t>(value));
}

// Appends piece by piece: for operator+ of a literal and a string, GCC 12 wrongly warns of an
// overflow.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts)
    text.append(part);
  return text;
}

// Appends a signed summand: "x", "x + y", "x - 3".
void add(std::string &sum, std::string_view text, bool negative) {
  if (!sum.empty())
    sum += negative ? " - " : " + ";
  else if (negative)
    sum += '-';
  sum += text;
}

void addOffset(std::string &sum, const Interval &offset) {
  if (isZero(offset)) return;
  if (offset.min == offset.max)
    add(sum, magnitude(offset.min), offset.min < 0);
  else
    add(sum, intervalText(offset), false);
}

std::string loopName(std::span<const pipeline::LoopDim> loops, std::uint32_t loop) {
  return loop < loops.size() ? loops[loop].name : joined({"loop", std::to_string(loop)});
}

std::string atomText(const Atom &atom, std::span<const pipeline::LoopDim> loops) {
  std::string sum;
  for (const pipeline::AffineTerm &term : atom.terms) {
    std::string factor = loopName(loops, term.loop);
    if (std::abs(term.coefficient) != 1)
      factor = joined({magnitude(term.coefficient), "*", factor});
    add(sum, factor, term.coefficient < 0);
  }
  addOffset(sum, atom.offset);
  if (sum.empty()) sum.push_back('0');
  const bool single = sum.find(' ') == std::string::npos;
  if (atom.divisor != 1) {
    if (!single) sum = joined({"(", sum, ")"});
    sum = joined({sum, "/", std::to_string(atom.divisor)});
  }
  const bool enclosed = (single && atom.divisor == 1) || atom.clamp != kEverything;
  const std::string min = std::to_string(atom.clamp.min), max = std::to_string(atom.clamp.max);
  if (atom.clamp.bounded())
    sum = joined({"clamp(", sum, ", ", min, ", ", max, ")"});
  else if (atom.clamp.min != kMinusInfinity)
    sum = joined({"max(", sum, ", ", min, ")"});
  else if (atom.clamp.max != kPlusInfinity)
    sum = joined({"min(", sum, ", ", max, ")"});
  if (atom.scale == 1) return sum;
  if (!enclosed) sum = joined({"(", sum, ")"});
  return joined({std::to_string(atom.scale), "*", sum});
}

} // namespace

std::string intervalText(const Interval &interval) {
  if (interval.empty()) return "[]";
  const std::string min = interval.min == kMinusInfinity ? "…" : std::to_string(interval.min);
  const std::string max = interval.max == kPlusInfinity ? "…" : std::to_string(interval.max);
  return joined({"[", min, ", ", max, "]"});
}

std::string indexText(const IndexMap &map, std::span<const pipeline::LoopDim> loops) {
  std::string sum;
  for (const Atom &atom : map.atoms) {
    const std::string text = atomText(atom, loops);
    const bool negative = text.starts_with('-');
    add(sum, std::string_view(text).substr(negative ? 1 : 0), negative);
  }
  if (!map.atoms.empty()) {
    addOffset(sum, map.offset);
    return sum;
  }
  if (map.offset.min == map.offset.max) return std::to_string(map.offset.min);
  return intervalText(map.offset);
}

std::string accessText(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage,
                       const pipeline::Access &access) {
  std::string text = joined({pipeline.producerName(access.producer), "("});
  for (std::size_t i = 0; i < access.indices.size(); ++i) {
    if (i > 0) text += ", ";
    text += indexText(access.indices[i], stage.loops);
  }
  text += ")";
  const bool isTuple = access.producer.kind == pipeline::Producer::Kind::Func &&
                       pipeline.func(pipeline::FuncId{access.producer.index}).types.size() > 1;
  if (isTuple) text += joined({"[", std::to_string(access.tupleElement), "]"});
  return text;
}

} // namespace tessera::views
