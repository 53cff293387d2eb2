// SPDX-License-Identifier: MIT
#include "engine/schedule/plan_hash.h"

#include <bit>

namespace tessera::schedule {

namespace {

std::uint64_t number(auto word) { return static_cast<std::uint64_t>(word); }

void add(Hasher &hash, const LoopRef &ref) { hash << ((number(ref.axis) << 16) | ref.part); }

void addPlace(Hasher &hash, const Place &place, int depth, LoopKind kindAt) {
  hash << number(place.kind);
  if (place.kind != Place::Kind::At) return;
  hash << index(place.stage);
  if (depth >= 1) hash << number(kindAt);
  if (depth >= 3) add(hash, place.loop);
}

void addOptional(Hasher &hash, const std::optional<std::int64_t> &value) {
  hash << (value ? 1 : 0) << number(value.value_or(0));
}

void addStorage(Hasher &hash, const FuncPlan &plan, int depth) {
  hash << number(plan.storage);
  for (const auto *place : {&plan.store, &plan.hoist}) {
    hash << (*place ? 1 : 0);
    if (*place) addPlace(hash, **place, depth, LoopKind::Serial);
  }
  hash << plan.layout.size();
  for (const std::uint16_t dim : plan.layout)
    hash << dim;
  hash << plan.storageDims.size();
  for (const StorageDim &dim : plan.storageDims)
    hash << number(dim.alignment) << number(dim.bound) << number(dim.fold);
  hash << plan.bounds.size();
  for (const RegionBound &bound : plan.bounds) {
    addOptional(hash, bound.min);
    addOptional(hash, bound.extent);
    hash << number(bound.modulus) << number(bound.remainder);
  }
}

void addNest(Hasher &hash, const LoopNest &nest, int depth) {
  hash << nest.axes.size() << (nest.singleThread ? 1 : 0);
  for (const Axis &axis : nest.axes) {
    hash << axis.fused.size() << axis.splits.size();
    for (const LoopRef source : axis.fused)
      add(hash, source);
    for (const Split &split : axis.splits) {
      if (depth == 4) hash << number(std::bit_width(number(split.factor)));
      if (depth >= 5) hash << number(split.factor) << number(split.tail);
    }
  }
  hash << nest.loops.size();
  for (const Loop &loop : nest.loops) {
    add(hash, loop.ref);
    hash << number(loop.kind);
  }
}

// Opaque calls have no places and no funcs.
void addOpaque(Hasher &hash, const OpaqueDirective &opaque) {
  hash << number(opaque.verb) << opaque.arguments.size() << (opaque.hasOwnLoops ? 1 : 0)
       << opaque.calls.size();
  for (const Argument &argument : opaque.arguments) {
    if (const auto *loop = std::get_if<LoopName>(&argument)) hash << textHash(loop->name);
    if (const auto *value = std::get_if<std::int64_t>(&argument)) hash << number(*value);
    if (const auto *size = std::get_if<SizeExpression>(&argument)) hash << textHash(textOf(*size));
    if (const auto *text = std::get_if<Text>(&argument)) hash << textHash(text->text);
    if (const auto *tail = std::get_if<Tail>(&argument)) hash << number(*tail);
  }
  for (const OpaqueDirective &call : opaque.calls)
    addOpaque(hash, call);
}

void addStage(Hasher &hash, const StagePlan &plan, int depth) {
  addNest(hash, plan.nest, depth);
  hash << number(plan.atomic) << (plan.allowRaces ? 1 : 0) << (plan.neverPartition ? 1 : 0)
       << (plan.computeWith ? 1 : 0);
  if (plan.computeWith) {
    hash << index(plan.computeWith->stage);
    add(hash, plan.computeWith->loop);
  }
  for (const OpaqueDirective &opaque : plan.opaque)
    addOpaque(hash, opaque);
}

} // namespace

std::uint64_t textHash(std::string_view text) {
  Hasher hash;
  for (const char c : text)
    hash << static_cast<unsigned char>(c);
  return hash.value();
}

std::uint64_t planHash(const FuncPlan &plan, int depth, LoopKind kindAt) {
  Hasher hash;
  addPlace(hash, plan.compute, depth, kindAt);
  if (depth >= 2) addStorage(hash, plan, depth);
  if (depth >= 3)
    for (const StagePlan &stage : plan.stages)
      addStage(hash, stage, depth);
  return hash.value();
}

} // namespace tessera::schedule
