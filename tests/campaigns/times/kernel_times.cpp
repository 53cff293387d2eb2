// SPDX-License-Identifier: MIT
// A library that CUDA's driver loads into a program (CUDA_INJECTION64_PATH). It writes how long
// each of the program's kernels took to the file that TESSERA_KERNEL_TIMES names, as a line
// "nanoseconds name" for each launch, in their order. It needs CUPTI. time_bundles --kernel-times
// uses it.
//
//   g++ -O2 -shared -fPIC -I$CUDA/include kernel_times.cpp -o libkernel_times.so
//       -L$CUDA/lib64 -lcupti

#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t kBytes = 1 << 20;

void CUPTIAPI giveBuffer(std::uint8_t **buffer, std::size_t *size, std::size_t *maxRecords) {
  *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, kBytes));
  *size = kBytes;
  *maxRecords = 0;
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t,
                         std::size_t valid) {
  if (std::FILE *file = std::fopen(std::getenv("TESSERA_KERNEL_TIMES"), "a")) {
    CUpti_Activity *record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
      const auto *kernel = reinterpret_cast<const CUpti_ActivityKernel9 *>(record);
      std::fprintf(file, "%llu %s\n", static_cast<unsigned long long>(kernel->end - kernel->start),
                   kernel->name);
    }
    std::fclose(file);
  }
  std::free(buffer);
}

} // namespace

extern "C" int InitializeInjection() {
  if (!std::getenv("TESSERA_KERNEL_TIMES")) return 1;
  cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  return 1;
}

// For programs that leave without running destructors.
extern "C" void flushKernelTimes() { cuptiActivityFlushAll(1); }
