// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/shuffled_bytes.h"

#include "engine/schedule/bounds/reach.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera::schedule {

using pipeline::Access;
using pipeline::Atom;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::Precision;
using pipeline::Producer;
using pipeline::ScalarType;
using pipeline::Stage;
using pipeline::StageId;
using pipeline::TypeKind;

namespace {

constexpr std::int64_t kPermuted = 4; // bytes that the code generator permutes at once
constexpr std::int64_t kFewest = 6;   // computed bytes of copies at which it fails

bool isByte(const ScalarType &type) {
  return type.bits <= 8 && (type.kind == TypeKind::Int || type.kind == TypeKind::UInt);
}

// A truth value is a byte in memory, and one bit of it is taken when it is loaded.
bool isTruth(const ScalarType &type) { return type.bits == 1; }

// Bits of 16 may all come from a byte, and LLVM finds that out.
bool computesBytes(const OpCount &op) {
  if (op.kind == OpKind::Logic) return op.type.bits <= 16 && !isTruth(op.type);
  return isByte(op.type) && !isTruth(op.type) && op.kind != OpKind::Cast &&
         op.kind != OpKind::Compare && op.kind != OpKind::Load;
}

// Whether neighbours along the loops are other than neighbours in order.
bool isOutOfOrder(const IndexMap &map, std::span<const std::uint16_t> loops) {
  if (map.precision == Precision::Whole || !isMoved(map, loops)) return false;
  return map.atoms.empty() || map.precision == Precision::Covers ||
         std::ranges::any_of(map.atoms, [&](const Atom &atom) {
           return std::ranges::any_of(atom.terms, [&](const pipeline::AffineTerm &term) {
             const bool moves = std::ranges::find(loops, term.loop) != loops.end();
             return moves && (atom.divisor != 1 || atom.scale * term.coefficient < 0);
           });
         });
}

ScalarType typeOf(const Pipeline &pipeline, const Access &load) {
  return load.producer.kind == Producer::Kind::Input
             ? pipeline.inputs()[load.producer.index].type
             : pipeline.func(FuncId{load.producer.index}).types[load.tupleElement];
}

// What a stage and the funcs that are inlined into it do with bytes.
class Bytes {
public:
  Bytes(const Pipeline &pipeline, const std::function<bool(FuncId)> &isInline)
      : m_pipeline(pipeline), m_isInline(isInline), m_isSeen(pipeline.stages().size()) {}

  void add(const Stage &stage, std::span<const std::uint16_t> loops) {
    m_areComputed = m_areComputed || std::ranges::any_of(stage.operations, computesBytes);
    for (const Access &load : stage.loads) {
      m_areShuffled = m_areShuffled || std::ranges::any_of(load.indices, [&](const IndexMap &map) {
                        return isOutOfOrder(map, loops);
                      });
      const FuncId func{load.producer.index};
      if (load.producer.kind == Producer::Kind::Func && m_isInline(func)) {
        addInlined(func);
      } else if (const ScalarType type = typeOf(m_pipeline, load); isByte(type)) {
        m_areLoaded = true;
        m_areComputed = m_areComputed || isTruth(type);
      }
    }
  }

  void shuffle() { m_areShuffled = true; }
  bool areComputed() const { return m_areComputed; }
  bool areLoaded() const { return m_areLoaded; }
  bool areShuffled() const { return m_areComputed && m_areLoaded && m_areShuffled; }

private:
  // All loops count: which of them run along the vector is decided by the stages in between.
  void addInlined(FuncId func) {
    const StageId id = m_pipeline.func(func).firstStage;
    if (m_isSeen[index(id)]) return;
    m_isSeen[index(id)] = true;
    const Stage &inlined = m_pipeline.stage(id);
    std::vector<std::uint16_t> loops(inlined.loops.size());
    std::iota(loops.begin(), loops.end(), std::uint16_t{0});
    add(inlined, loops);
  }

  const Pipeline &m_pipeline;
  const std::function<bool(FuncId)> &m_isInline;
  std::vector<bool> m_isSeen; // by stage
  bool m_areComputed = false;
  bool m_areLoaded = false;
  bool m_areShuffled = false;
};

} // namespace

bool shufflesBytes(const Pipeline &pipeline, StageId stage, const ByteVector &vector,
                   const std::function<bool(FuncId)> &isInline) {
  Bytes bytes(pipeline, isInline);
  bytes.add(pipeline.stage(stage), vector.loops);
  if (vector.isSpread) bytes.shuffle();
  const bool isLong = vector.lanes >= kPermuted;
  if (isLong && bytes.areShuffled()) return true;
  const auto &stored = pipeline.func(pipeline.stage(stage).func).types;
  if (vector.copies == 1 || std::ranges::none_of(stored, isByte)) return false;
  const bool isFilledUp = vector.lanes > kPermuted && vector.lanes < 2 * kPermuted;
  if (!bytes.areLoaded())
    return vector.isGuarded ? isFilledUp || (isLong && vector.copies >= kPermuted)
                            : vector.lanes * vector.copies >= kFewest;
  return vector.lanes * vector.copies == 2 * kPermuted || (isLong && bytes.areComputed());
}

} // namespace tessera::schedule
