// SPDX-License-Identifier: MIT
#include "engine/bench/device/kernel_trace.h"

#include "engine/bench/device/shared_library.h"

#include <cupti.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace tessera::bench {

namespace {

// The members that are used here have kept their offsets since CUDA 11; later records are only
// longer.
using KernelRecord = CUpti_ActivityKernel9;

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kBufferAlignment = 8; // required by CUPTI
constexpr auto kKind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;

struct Functions {
  decltype(&::cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
  decltype(&::cuptiActivityEnable) enable = nullptr;
  decltype(&::cuptiActivityDisable) disable = nullptr;
  decltype(&::cuptiActivityFlushAll) flush = nullptr;
  decltype(&::cuptiActivityGetNextRecord) next = nullptr;
  decltype(&::cuptiGetResultString) resultString = nullptr;
  decltype(&::cuptiGetVersion) version = nullptr;
};

struct Record {
  std::uint64_t begin, end;
  std::string kernel;
};

class CuptiTrace : public KernelTrace {
public:
  CuptiTrace(SharedLibrary library, const Functions &functions)
      : m_library(std::move(library)), m_functions(functions) {
    s_trace = this;
  }
  ~CuptiTrace() override { s_trace = nullptr; }

  std::string version() const override;
  Status start() override;
  Result<std::vector<Launch>> stop() override;

private:
  // CUPTI's callbacks carry no user pointer, and CUPTI calls them from its own thread.
  static CuptiTrace *s_trace;
  static void CUPTIAPI giveBuffer(std::uint8_t **buffer, std::size_t *size, std::size_t *most);
  static void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t,
                                  std::size_t valid);

  Error error(const char *call, CUptiResult code) const;

  SharedLibrary m_library;
  Functions m_functions;
  std::mutex m_mutex;
  std::vector<Record> m_records;
};

CuptiTrace *CuptiTrace::s_trace = nullptr;

void CUPTIAPI CuptiTrace::giveBuffer(std::uint8_t **buffer, std::size_t *size, std::size_t *most) {
  *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer ? kBufferBytes : 0;
  *most = 0; // 0: as many records as fit
}

void CUPTIAPI CuptiTrace::takeBuffer(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t,
                                     std::size_t valid) {
  if (CuptiTrace *trace = s_trace) {
    const std::lock_guard lock(trace->m_mutex);
    CUpti_Activity *record = nullptr;
    while (valid > 0 && trace->m_functions.next(buffer, valid, &record) == CUPTI_SUCCESS) {
      if (record->kind != kKind) continue;
      const auto *kernel = reinterpret_cast<const KernelRecord *>(record);
      trace->m_records.push_back({kernel->start, kernel->end, kernel->name ? kernel->name : ""});
    }
  }
  std::free(buffer);
}

Error CuptiTrace::error(const char *call, CUptiResult code) const {
  const char *words = nullptr;
  m_functions.resultString(code, &words);
  return {ErrorCode::System,
          std::string(call) + ": " + (words ? words : "error " + std::to_string(code)), ""};
}

std::string CuptiTrace::version() const {
  std::uint32_t version = 0;
  m_functions.version(&version);
  return m_library.name() + ", API " + std::to_string(version);
}

Status CuptiTrace::start() {
  if (const auto code = m_functions.registerCallbacks(giveBuffer, takeBuffer);
      code != CUPTI_SUCCESS)
    return error("cuptiActivityRegisterCallbacks", code);
  if (const auto code = m_functions.enable(kKind); code != CUPTI_SUCCESS)
    return error("cuptiActivityEnable", code);
  return Done{};
}

Result<std::vector<KernelTrace::Launch>> CuptiTrace::stop() {
  if (const auto code = m_functions.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED); code != CUPTI_SUCCESS)
    return error("cuptiActivityFlushAll", code);
  (void)m_functions.disable(kKind);
  const std::lock_guard lock(m_mutex);
  std::ranges::stable_sort(m_records, {}, &Record::begin);
  std::vector<Launch> launches;
  for (const Record &record : m_records)
    launches.push_back({record.kernel, static_cast<double>(record.end - record.begin) / 1e9});
  m_records.clear();
  return launches;
}

} // namespace

Result<std::unique_ptr<KernelTrace>> KernelTrace::open(const std::vector<std::string> &libraries) {
  auto library = SharedLibrary::open(libraries, SharedLibrary::Unload::Never);
  if (!library) return library.error();
  Functions f;
  if (!assignSymbol(*library, "cuptiActivityRegisterCallbacks", f.registerCallbacks) ||
      !assignSymbol(*library, "cuptiActivityEnable", f.enable) ||
      !assignSymbol(*library, "cuptiActivityDisable", f.disable) ||
      !assignSymbol(*library, "cuptiActivityFlushAll", f.flush) ||
      !assignSymbol(*library, "cuptiActivityGetNextRecord", f.next) ||
      !assignSymbol(*library, "cuptiGetResultString", f.resultString) ||
      !assignSymbol(*library, "cuptiGetVersion", f.version))
    return Error{ErrorCode::System,
                 library->name() + " is not a version of CUPTI that Tessera knows", ""};
  return std::unique_ptr<KernelTrace>(new CuptiTrace(std::move(*library), f));
}

} // namespace tessera::bench
