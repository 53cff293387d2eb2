// SPDX-License-Identifier: MIT
#include "engine/schedule/words/words.h"

#include <array>

namespace tessera::schedule {

namespace {

constexpr std::array<std::string_view, 7> kLoopKinds{"serial",   "block",      "thread",  "lane",
                                                     "unrolled", "vectorized", "parallel"};
constexpr std::array<std::string_view, 9> kTails{"auto",
                                                 "round_up",
                                                 "guard_with_if",
                                                 "predicate",
                                                 "predicate_loads",
                                                 "predicate_stores",
                                                 "shift_inwards",
                                                 "shift_inwards_and_blend",
                                                 "round_up_and_blend"};
constexpr std::array<std::string_view, 9> kHalideTails{
    "Auto",           "RoundUp",         "GuardWithIf",  "Predicate",
    "PredicateLoads", "PredicateStores", "ShiftInwards", "ShiftInwardsAndBlend",
    "RoundUpAndBlend"};
constexpr std::array<std::string_view, 5> kStorages{"auto", "global", "shared", "registers",
                                                    "stack"};
constexpr std::array<std::string_view, 5> kHalideStorages{"Auto", "Heap", "GPUShared", "Register",
                                                          "Stack"};
constexpr std::array<std::string_view, 3> kOrigins{"search", "user", "imported"};

template <typename Word, std::size_t size>
std::optional<Word> find(const std::array<std::string_view, size> &names, std::string_view name) {
  for (std::size_t i = 0; i < size; ++i)
    if (names[i] == name) return static_cast<Word>(i);
  return std::nullopt;
}

template <typename Word, std::size_t size>
std::string_view at(const std::array<std::string_view, size> &names, Word word) {
  return names[static_cast<std::size_t>(word)];
}

} // namespace

std::string_view name(LoopKind kind) { return at(kLoopKinds, kind); }
std::string_view name(Tail tail) { return at(kTails, tail); }
std::string_view name(Storage storage) { return at(kStorages, storage); }
std::string_view name(Origin origin) { return at(kOrigins, origin); }

std::string aLoop(LoopKind kind) {
  return (kind == LoopKind::Unrolled ? "an " : "a ") + std::string(name(kind)) + " loop";
}

std::optional<LoopKind> loopKindFromName(std::string_view name) {
  return find<LoopKind>(kLoopKinds, name);
}
std::optional<Tail> tailFromName(std::string_view name) { return find<Tail>(kTails, name); }
std::optional<Storage> storageFromName(std::string_view name) {
  return find<Storage>(kStorages, name);
}
std::optional<Origin> originFromName(std::string_view name) { return find<Origin>(kOrigins, name); }

std::string_view halideName(Tail tail) { return at(kHalideTails, tail); }
std::string_view halideName(Storage storage) { return at(kHalideStorages, storage); }
std::optional<Tail> tailFromHalideName(std::string_view name) {
  return find<Tail>(kHalideTails, name);
}
std::optional<Storage> storageFromHalideName(std::string_view name) {
  return find<Storage>(kHalideStorages, name);
}

} // namespace tessera::schedule
