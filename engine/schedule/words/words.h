// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::schedule {

// What a loop becomes. Serial loops outside of the blocks run on the host.
enum class LoopKind : std::uint8_t { Serial, Block, Thread, Lane, Unrolled, Vectorized, Parallel };

// What happens where a split does not divide its loop. Names and meaning are Halide's.
enum class Tail : std::uint8_t {
  Auto,
  RoundUp,
  GuardWithIf,
  Predicate,
  PredicateLoads,
  PredicateStores,
  ShiftInwards,
  ShiftInwardsAndBlend,
  RoundUpAndBlend,
};

// Where the values of a func are stored. Auto leaves the choice to Halide, which takes global
// memory outside of kernels, shared memory in a block, and registers in a thread.
enum class Storage : std::uint8_t { Auto, Global, Shared, Registers, Stack };

// Who made a decision.
enum class Origin : std::uint8_t { Search, User, Imported };

// The project's own names, in JSON and in tables: "block", "guard_with_if", "shared", "user". Tails
// and storages also have Halide's names, in C++ and Python.
std::string_view name(LoopKind kind);
std::string_view name(Tail tail);
std::string_view name(Storage storage);
std::string_view name(Origin origin);
std::string aLoop(LoopKind kind); // "an unrolled loop"
std::optional<LoopKind> loopKindFromName(std::string_view name);
std::optional<Tail> tailFromName(std::string_view name);
std::optional<Storage> storageFromName(std::string_view name);
std::optional<Origin> originFromName(std::string_view name);

std::string_view halideName(Tail tail);       // "GuardWithIf"
std::string_view halideName(Storage storage); // "GPUShared", of MemoryType
std::optional<Tail> tailFromHalideName(std::string_view name);
std::optional<Storage> storageFromHalideName(std::string_view name);

} // namespace tessera::schedule
