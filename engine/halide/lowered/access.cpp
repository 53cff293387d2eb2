// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/access.h"

#include "engine/halide/lowered/known_faults.h"

#include <algorithm>
#include <optional>

namespace tessera::halide::lowered {

namespace {

namespace ir = Halide::Internal;
using Halide::Type;

// One load or store in all threads, and what is wrong with it.
class Accesses {
public:
  Accesses(State &state, const std::string &name, const Type &type)
      : m_state(state), m_name(name), m_type(type), m_memory(state.memory(name)),
        m_size(static_cast<std::size_t>(type.bytes())) {
    if (!state.kernel) return;
    const auto granule = state.kernel->granules.find(name);
    // What a thread has for itself cannot race.
    m_isFollowed = granule != state.kernel->granules.end() &&
                   (m_memory.copies() < state.grid.threads || state.grid.threads == 1);
    if (m_isFollowed)
      m_memory.races.follow(state.kernel->number, m_memory.bytes() * m_memory.copies(),
                            granule->second);
  }

  Memory &memory() { return m_memory; }
  bool isFollowed() const { return m_isFollowed; }
  std::size_t size() const { return m_size; }

  // `threads`: how many values there are, for `thread` to be one of.
  std::optional<std::size_t> find(std::size_t thread, std::uint32_t threads, std::int64_t index,
                                  const char *verb) {
    const auto copy = static_cast<std::uint32_t>(thread / (threads / m_memory.copies()));
    const auto byte = m_memory.find(copy, index, m_size);
    if (!byte && !m_state.isLenient)
      report(FindingKind::OutOfBounds, [&] {
        return nameOf(thread, threads) + " " + verb + " element " + std::to_string(index) + " of " +
               std::to_string(m_memory.bytes() / m_size);
      });
    return byte;
  }

  void checkAlignment(std::size_t thread, std::uint32_t threads, std::int64_t first,
                      std::size_t promised) {
    const std::int64_t byte = first * static_cast<std::int64_t>(m_size);
    if (byte % static_cast<std::int64_t>(promised) == 0) return;
    report(FindingKind::Misaligned, [&] {
      return nameOf(thread, threads) + " uses " + std::to_string(m_type.lanes()) +
             " elements from number " + std::to_string(first) + ", at byte " +
             std::to_string(byte) + ", which has to be a multiple of " + std::to_string(promised);
    });
  }

  void followRead(std::size_t thread, std::size_t byte, bool isAtomic) {
    if (const auto other = m_memory.races.read(byte, m_size, by(thread, isAtomic)))
      reportRace(thread, byte, "loads", *other);
  }
  void followWrite(std::size_t thread, std::size_t byte, bool isAtomic, bool isSame) {
    if (const auto other = m_memory.races.write(byte, m_size, by(thread, isAtomic), isSame))
      reportRace(thread, byte, "stores", *other);
  }

  template <typename Example>
  void report(FindingKind kind, Example example) {
    m_state.findings.add(kind, m_state.kernelName(), m_name, example);
  }

  std::string nameOf(std::size_t thread, std::uint32_t threads) const {
    return m_state.grid.nameOf(thread * (m_state.grid.threads / threads));
  }

private:
  Access by(std::size_t thread, bool isAtomic) const {
    const Grid &grid = m_state.grid;
    const std::uint32_t block = grid.blockOf(thread);
    return {grid.firstBlock + block, static_cast<std::uint32_t>(thread % grid.perBlock()),
            m_state.kernel->eras[block], isAtomic};
  }

  static std::string nameOf(const Access &access) {
    const auto number = [](std::uint32_t value, const char *one) {
      return value == UINT32_MAX ? std::string("several ") + one + "s"
                                 : std::string(one) + " " + std::to_string(value);
    };
    return number(access.thread, "thread") + " of " + number(access.block, "block");
  }

  void reportRace(std::size_t thread, std::size_t byte, const char *verb, const Access &other) {
    report(FindingKind::Race, [&] {
      return m_state.grid.nameOf(thread) + " " + verb + " element " +
             std::to_string(byte % m_memory.bytes() / m_size) + ", which " + nameOf(other) +
             " uses, too, without a barrier in between";
    });
  }

  State &m_state;
  const std::string &m_name;
  const Type m_type;
  Memory &m_memory;
  std::size_t m_size;
  bool m_isFollowed = false;
};

} // namespace

Value load(State &state, const ir::Load &op, const ValuePtr &index, const ValuePtr &predicate) {
  Accesses accesses(state, op.name, op.type);
  Memory &memory = accesses.memory();
  std::uint32_t threads = state.grid.threads;
  // Where nobody has to know who loads, a value that is the same in many threads is loaded once.
  if (!accesses.isFollowed() && state.grid.active.empty())
    threads = std::max({index->threads, memory.copies(), predicate ? predicate->threads : 1});
  const ValuePtr at = spread(index, threads);
  const ValuePtr wanted = predicate ? spread(predicate, threads) : nullptr;
  const bool isMasked = threads == state.grid.threads;
  const std::size_t promised = promisedAlignment(op.type, op.index, op.alignment);
  const Type element = op.type.element_of();
  Value result(op.type, threads);
  const std::size_t lanes = result.lanes();
  const auto markUnknown = [&](std::size_t word) {
    if (result.unknown.empty()) result.unknown.resize(result.words.size());
    result.unknown[word] = 1;
  };
  for (std::size_t thread = 0; thread < threads; ++thread) {
    if (isMasked && !state.grid.isActive(thread)) continue;
    if (promised > accesses.size() && !wanted)
      accesses.checkAlignment(thread, threads, at->words[thread * lanes].i, promised);
    for (std::size_t word = thread * lanes; word < (thread + 1) * lanes; ++word) {
      if (wanted && wanted->words[word].i == 0) continue;
      const auto byte = accesses.find(thread, threads, at->words[word].i, "loads");
      if (!byte) {
        markUnknown(word);
        continue;
      }
      result.words[word] = decoded(element, memory.at(*byte));
      if (at->isUnknown(word) || !memory.isKnown(*byte, accesses.size())) markUnknown(word);
      if (accesses.isFollowed())
        accesses.followRead(thread, *byte, state.updated && *state.updated == op.name);
    }
  }
  return result;
}

void store(State &state, const ir::Store &op, const ValuePtr &index, const ValuePtr &value,
           const ValuePtr &predicate) {
  const Type type = op.value.type(), element = type.element_of();
  Accesses accesses(state, op.name, type);
  Memory &memory = accesses.memory();
  const std::uint32_t threads = state.grid.threads;
  const ValuePtr at = spread(index, threads), what = spread(value, threads);
  const ValuePtr wanted = predicate ? spread(predicate, threads) : nullptr;
  const std::size_t promised = promisedAlignment(type, op.index, op.alignment);
  const std::size_t lanes = what->lanes();
  if (state.kernel && losesConversion(op))
    accesses.report(FindingKind::KnownFault, [] {
      return std::string("float32 is converted to float16 in a vector and stored at once, and LLVM "
                         "stores the bits of the float32; without vectors it is right");
    });
  std::uint8_t bytes[8];
  for (std::size_t thread = 0; thread < threads; ++thread) {
    if (!state.grid.isActive(thread)) continue;
    if (promised > accesses.size() && !wanted)
      accesses.checkAlignment(thread, threads, at->words[thread * lanes].i, promised);
    for (std::size_t word = thread * lanes; word < (thread + 1) * lanes; ++word) {
      if (wanted && wanted->words[word].i == 0) continue;
      if (at->isUnknown(word))
        accesses.report(FindingKind::UnknownIndex, [&] {
          return accesses.nameOf(thread, threads) + " stores element " +
                 std::to_string(at->words[word].i);
        });
      const auto byte = accesses.find(thread, threads, at->words[word].i, "stores");
      if (!byte) continue;
      encode(element, what->words[word], bytes);
      const bool isKnown = !what->isUnknown(word) && !state.grid.isDoubtful(thread);
      if (accesses.isFollowed())
        accesses.followWrite(thread, *byte, state.isAtomic,
                             memory.holds(*byte, bytes, accesses.size(), isKnown));
      memory.write(*byte, bytes, accesses.size(), isKnown);
    }
  }
}

} // namespace tessera::halide::lowered
