// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::halide::lowered {

// Who uses an element, and when: `era` counts the barriers that its block has passed.
struct Access {
  std::uint32_t block = 0, thread = 0, era = 0;
  bool isAtomic = false;
};

// Finds races in one memory: two threads use an element, one of them writes it, and nothing orders
// them. A barrier orders the threads of a block; nothing orders blocks of one kernel; kernels come
// one after the other.
//
// Threads that write the same value are no race, since every order gives the same: overlapping
// tiles do that, also with what they make of memory that nothing has written. Atomic accesses do
// not race with each other.
class Races {
public:
  // To be called before each access. `granule`: the least number of bytes that one access has.
  void follow(std::uint32_t kernel, std::size_t bytes, std::size_t granule);

  // The access that races with this one. `isSame`: the bytes in memory do not change.
  std::optional<Access> read(std::size_t byte, std::size_t count, const Access &access);
  std::optional<Access> write(std::size_t byte, std::size_t count, const Access &access,
                              bool isSame);

private:
  static constexpr std::uint32_t kMany = UINT32_MAX;

  struct Trace {
    std::uint32_t kernel = 0; // of which these accesses are
    std::uint8_t writers = 0; // at most 3
    bool isRead = false;
    Access first, last, reader; // the first and the last of those that wrote the value
  };

  static bool areUnordered(const Access &before, const Access &now);
  Trace &current(std::size_t granule);
  static void noteReader(Trace &trace, const Access &access);

  std::uint32_t m_kernel = 0;
  std::size_t m_granule = 0;
  std::vector<Trace> m_traces;
};

} // namespace tessera::halide::lowered
