// SPDX-License-Identifier: MIT
// Allocates memory at addresses that only rise, in a program that ends before it needs much memory.
//
// Halide 21 orders nodes by their addresses where it loads vectors with strides, and LLVM does so
// where it allocates registers. Even a longer file name can thus change the code. If nothing is
// freed, addresses have the order of the allocations, which is the same in two programs that lower
// the same pipeline.
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <new>

namespace {

constexpr std::size_t kAddresses = std::size_t{8} << 30; // reserved; only used pages take memory
constexpr std::size_t kAlignment = alignof(std::max_align_t);

std::byte *reserved() {
  void *const all = ::mmap(nullptr, kAddresses, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return all == MAP_FAILED ? nullptr : static_cast<std::byte *>(all);
}

[[maybe_unused]] void *allocate(std::size_t bytes) {
  static std::byte *const first = reserved();
  static std::atomic<std::size_t> used{0};
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (first == nullptr || rounded > kAddresses - used) throw std::bad_alloc();
  return first + used.fetch_add(rounded);
}

} // namespace

// ThreadSanitizer brings these functions itself, and an executable may have them once.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TESSERA_OTHERS_ALLOCATE
#endif
#endif
#if !defined(TESSERA_OTHERS_ALLOCATE) && !defined(__SANITIZE_THREAD__)
void *operator new(std::size_t bytes) { return allocate(bytes); }
void *operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void *) noexcept {}
void operator delete[](void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}
void operator delete[](void *, std::size_t) noexcept {}
#endif
