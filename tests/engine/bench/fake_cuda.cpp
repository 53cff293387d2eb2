// SPDX-License-Identifier: MIT
// A libcuda.so.1 without a GPU. Device memory is host memory. A kernel takes 20 µs of a clock that
// only launches advance. It computes nothing, or writes the bytes of a file. TESSERA_FAKE_CUDA
// makes it misbehave; its words are separated by blanks, and a FILE with blanks is in quotes:
//
//   fail CALL CODE   the call returns the code, from now on
//   after N          failures begin with the n-th launch instead of at once
//   hang CALL        the call never returns
//   die CALL         the call raises SIGSEGV
//   device M N       compute capability M.N instead of 9.0
//   write FILE       a launch writes the file into every buffer of its size that was not uploaded
//   writebelow DIR   as write, with the first output of a reference found anywhere below DIR at the
//                    first launch
//   crawl N          launches from the n-th on really take two milliseconds
//   flip N           launches from the n-th on write one wrong byte
//   spoil KERNEL     launches of this kernel write one wrong byte
//   in KERNEL        calls fail, hang and die only if the last launch, or the requested one, is of
//                    this kernel
//   lack KERNEL      no module has this kernel
//   waitinrun        each launch of a bundle is followed by a wait, which a capture forbids
//   misreplay        the kernels of a graph write one wrong byte
//   uploads FILE     data copied to the device is appended to the file
//   ceilings N FILE  the kernels of ceiling_kernels.h take N ns more for each step; each launch
//                    adds a line to the file: name, blocks, threads, mask, steps
#include "tests/engine/bench/fake_cuda.h"

#include <elf.h>
#include <cuda.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

using tessera::bench::test::FakeLaunch;
using tessera::bench::test::kFakeKernelNanoseconds;

struct Event {
  std::uint64_t at = 0;
};

// The kernels that were launched while a stream was captured. Stands for the CUDA graph and for its
// executable.
struct Graph {
  std::vector<std::string> kernels;
};

struct Allocation {
  std::size_t bytes = 0;
  bool isUploaded = false;
};

struct Fake {
  std::map<std::string, int, std::less<>> failures;
  std::set<std::string, std::less<>> hanging, dying, lacking;
  int optimizationLevel = -1; // of the last module; -1 if none was given
  int failAfter = 0, flipFrom = 0, crawlFrom = 0;
  int major = 9, minor = 0;
  std::string content, contentBelow;    // what launches write, and the folder in which it is found
  std::string onlyIn, spoiling, kernel; // kernel: the kernel of the last launch
  std::string logFile, uploadFile;
  std::uint64_t perStep = 0; // nanoseconds that a step of a ceiling kernel takes

  std::uint64_t clock = 1;
  int launches = 0;
  std::map<CUdeviceptr, Allocation> memory;
  std::set<std::string> kernels; // a set, so that the addresses of the names stay valid
  std::vector<FakeLaunch> log;
  bool waitsInRun = false, misreplays = false;
  CUstream capturing = nullptr; // the stream that is being captured, if any
  Graph captured;
  bool isCaptureBroken = false;

  Fake() {
    const char *wishes = std::getenv("TESSERA_FAKE_CUDA");
    std::istringstream words(wishes ? wishes : "");
    for (std::string verb, call; words >> verb;) {
      if (verb == "fail") words >> call >> failures[call];
      if (verb == "after") words >> failAfter;
      if (verb == "hang" && words >> call) hanging.insert(call);
      if (verb == "die" && words >> call) dying.insert(call);
      if (verb == "device") words >> major >> minor;
      if (verb == "flip") words >> flipFrom;
      if (verb == "crawl") words >> crawlFrom;
      if (verb == "spoil") words >> spoiling;
      if (verb == "waitinrun") waitsInRun = true;
      if (verb == "misreplay") misreplays = true;
      if (verb == "uploads") words >> std::quoted(uploadFile);
      if (verb == "in") words >> onlyIn;
      if (verb == "lack" && words >> call) lacking.insert(call);
      if (verb == "ceilings") words >> perStep >> std::quoted(logFile);
      if (verb == "write" && words >> std::quoted(call)) read(call);
      if (verb == "writebelow") words >> std::quoted(contentBelow);
    }
  }

  void read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(file), {});
  }

  // Reads the first output of the reference, which the worker computes before the first launch.
  void findContent() {
    std::error_code ignored;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(contentBelow, ignored))
      if (entry.path().filename() == "output0.raw") return read(entry.path());
  }

  CUresult enter(std::string_view call) {
    if (!onlyIn.empty() && kernel != onlyIn) return CUDA_SUCCESS;
    while (hanging.contains(call) && launches >= failAfter)
      ::pause();
    if (dying.contains(call) && launches >= failAfter) ::kill(::getpid(), SIGSEGV);
    const auto failure = failures.find(call);
    if (failure == failures.end() || launches < failAfter) return CUDA_SUCCESS;
    return static_cast<CUresult>(failure->second);
  }

  // During a capture, a call that waits, allocates or uses the default stream breaks the capture.
  CUresult enterOutsideOfCapture(std::string_view call, CUresult forbidden) {
    if (!capturing) return enter(call);
    isCaptureBroken = true;
    return forbidden;
  }

  void run(const char *name, std::uint64_t nanoseconds, bool isReplay) {
    log.push_back({clock, clock + nanoseconds, name});
    if (crawlFrom > 0 && launches >= crawlFrom) ::usleep(2000);
    clock += nanoseconds;
    write(isReplay && misreplays);
  }

  void write(bool isDamaged) {
    if (content.empty() && !contentBelow.empty()) findContent();
    if (content.empty()) return;
    for (const auto &[address, allocation] : memory) {
      // Halide's runtime may allocate a little more than the output needs.
      const bool fits = allocation.bytes >= content.size() &&
                        allocation.bytes <= content.size() + content.size() / 4;
      if (!fits || allocation.isUploaded) continue;
      auto *bytes = reinterpret_cast<char *>(address);
      std::memcpy(bytes, content.data(), content.size());
      const bool isWrong =
          isDamaged || (flipFrom > 0 && launches >= flipFrom) || spoiling == kernel;
      if (isWrong) bytes[content.size() / 2] ^= 0x40;
    }
  }
};

Fake &fake() {
  static Fake theFake;
  return theFake;
}

void *addressOf(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }

// The image is PTX, or an object file from ptxas with a section for each kernel.
bool hasKernel(const char *image, const std::string &name) {
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0)
    return std::strstr(image, (".entry " + name).c_str());
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  const std::string_view file(image, header.e_shoff + header.e_shnum * header.e_shentsize);
  return file.find(".text." + name) != std::string_view::npos;
}

} // namespace

// Each entry point first returns the failure that the test wished, if any.
#define ENTER(call)                                                                                \
  if (const CUresult wished = fake().enter(#call); wished != CUDA_SUCCESS) return wished
#define ENTER_OUTSIDE_OF_CAPTURE(call, forbidden)                                                  \
  if (const CUresult wished = fake().enterOutsideOfCapture(#call, forbidden);                      \
      wished != CUDA_SUCCESS)                                                                      \
  return wished

extern "C" {

int fakeOptimizationLevel() { return fake().optimizationLevel; }

std::vector<FakeLaunch> *takeFakeLaunches() {
  static std::vector<FakeLaunch> taken;
  taken.swap(fake().log);
  fake().log.clear();
  return &taken;
}

CUresult cuInit(unsigned) {
  ENTER(cuInit);
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult code, const char **name) {
  static const std::map<int, const char *> kNames{{1, "CUDA_ERROR_INVALID_VALUE"},
                                                  {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                  {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
                                                  {100, "CUDA_ERROR_NO_DEVICE"},
                                                  {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                                  {218, "CUDA_ERROR_INVALID_PTX"},
                                                  {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                  {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
                                                  {719, "CUDA_ERROR_LAUNCH_FAILED"},
                                                  {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
                                                  {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
                                                  {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
                                                  {702, "CUDA_ERROR_LAUNCH_TIMEOUT"}};
  const auto found = kNames.find(code);
  if (found == kNames.end()) return CUDA_ERROR_INVALID_VALUE;
  *name = found->second;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char **text) {
  *text = "as the test wished";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount);
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(length));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice) {
  std::memset(uuid, 0xab, sizeof *uuid);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char *name, int length, CUdevice) {
  std::strncpy(name, "0000:01:00.0", static_cast<std::size_t>(length));
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice) {
  *bytes = std::size_t{8} << 30;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice) {
  const std::map<CUdevice_attribute, int> known{
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, fake().major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, fake().minor},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 7},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 1 << 20},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1'500'000},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10}};
  const auto found = known.find(attribute);
  if (found == known.end()) return CUDA_ERROR_INVALID_VALUE;
  *value = found->second;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  ENTER(cuDevicePrimaryCtxRetain);
  *context = reinterpret_cast<CUcontext>(&fake());
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPushCurrent_v2(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  *context = reinterpret_cast<CUcontext>(&fake());
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  ENTER_OUTSIDE_OF_CAPTURE(cuCtxSynchronize, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) {
  ENTER_OUTSIDE_OF_CAPTURE(cuCtxSynchronize, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return CUDA_SUCCESS;
}
// Halide's runtime calls these when the worker gives it no context.
CUresult cuCtxCreate_v2(CUcontext *context, unsigned, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&fake());
  return CUDA_SUCCESS;
}
CUresult cuCtxDestroy_v2(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxGetApiVersion(CUcontext, unsigned *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuProfilerStop() { return CUDA_SUCCESS; }
CUresult cuPointerGetAttribute(void *, CUpointer_attribute, CUdeviceptr) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values) {
  if (const CUresult wished = fake().enter("cuModuleLoadDataEx"); wished != CUDA_SUCCESS) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
        std::strcpy(static_cast<char *>(values[i]), "ptxas fatal: as the test wished");
    return wished;
  }
  fake().optimizationLevel = -1;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_OPTIMIZATION_LEVEL)
      fake().optimizationLevel = static_cast<int>(reinterpret_cast<std::intptr_t>(values[i]));
  *module = static_cast<CUmodule>(const_cast<void *>(image));
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  ENTER(cuModuleGetFunction);
  if (fake().lacking.contains(std::string_view(name)) ||
      !hasKernel(reinterpret_cast<const char *>(module), name))
    return CUDA_ERROR_NOT_FOUND;
  *function =
      reinterpret_cast<CUfunction>(const_cast<char *>(fake().kernels.insert(name).first->c_str()));
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction) {
  *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS                ? 24
           : attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
                                                                  : 0;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction, int threads,
                                                     std::size_t) {
  *blocks = 1024 / threads;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned blocks, unsigned, unsigned, unsigned threads,
                        unsigned, unsigned, unsigned, CUstream stream, void **arguments, void **) {
  Fake &f = fake();
  f.kernel = reinterpret_cast<const char *>(function);
  ENTER(cuLaunchKernel);
  ++f.launches;
  const char *name = reinterpret_cast<const char *>(function);
  std::uint64_t took = kFakeKernelNanoseconds;
  const bool isOfBundle = name[0] == 'k' && std::isdigit(static_cast<unsigned char>(name[1]));
  // A ceiling kernel; the parameters are those of ceiling_kernels.h.
  if (f.perStep > 0 && !isOfBundle) {
    const auto mask = *static_cast<std::uint32_t *>(arguments[2]);
    const auto steps = *static_cast<std::uint32_t *>(arguments[3]);
    took += f.perStep * steps;
    std::ofstream(f.logFile, std::ios::app)
        << name << " " << blocks << " " << threads << " " << mask << " " << steps << "\n";
  }
  if (f.waitsInRun && isOfBundle)
    ENTER_OUTSIDE_OF_CAPTURE(cuCtxSynchronize, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  if (f.capturing && f.capturing == stream)
    f.captured.kernels.emplace_back(name);
  else if (f.capturing)
    return f.isCaptureBroken = true, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  else
    f.run(name, took, false);
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  ENTER(cuStreamCreate);
  *stream = reinterpret_cast<CUstream>(new Event);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  delete reinterpret_cast<Event *>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  ENTER(cuStreamBeginCapture);
  fake().capturing = stream;
  fake().captured = {};
  fake().isCaptureBroken = false;
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream, CUgraph *graph) {
  fake().capturing = nullptr;
  *graph = nullptr;
  if (fake().isCaptureBroken) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  *graph = reinterpret_cast<CUgraph>(new Graph(fake().captured));
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long) {
  ENTER(cuGraphInstantiate);
  *executable = reinterpret_cast<CUgraphExec>(new Graph(*reinterpret_cast<Graph *>(graph)));
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream) {
  ENTER(cuGraphLaunch);
  for (const std::string &kernel : reinterpret_cast<Graph *>(executable)->kernels)
    fake().run(fake().kernels.find(kernel)->c_str(), kFakeKernelNanoseconds, true);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  delete reinterpret_cast<Graph *>(executable);
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  delete reinterpret_cast<Graph *>(graph);
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, std::size_t bytes) {
  ENTER_OUTSIDE_OF_CAPTURE(cuMemAlloc, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  *address = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  fake().memory[*address] = {bytes, false};
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  fake().memory.erase(address);
  std::free(addressOf(address));
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, std::size_t bytes) {
  std::memset(addressOf(address), value, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t bytes, CUstream) {
  return cuMemsetD8_v2(address, value, bytes);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, std::size_t bytes) {
  ENTER_OUTSIDE_OF_CAPTURE(cuMemcpyHtoD, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  // Halide may copy a buffer row by row, so the address may lie inside of the buffer.
  if (auto after = fake().memory.upper_bound(to); after != fake().memory.begin())
    std::prev(after)->second.isUploaded = true;
  if (!fake().uploadFile.empty())
    std::ofstream(fake().uploadFile, std::ios::binary | std::ios::app)
        .write(static_cast<const char *>(from), static_cast<std::streamsize>(bytes));
  std::memcpy(addressOf(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, std::size_t bytes) {
  ENTER_OUTSIDE_OF_CAPTURE(cuMemcpyDtoH, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  std::memcpy(to, addressOf(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  std::memcpy(addressOf(to), addressOf(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, std::size_t bytes, CUstream) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return cuMemcpyDtoD_v2(to, from, bytes);
}

CUresult cuEventCreate(CUevent *event, unsigned) {
  ENTER(cuEventCreate);
  *event = reinterpret_cast<CUevent>(new Event);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  delete reinterpret_cast<Event *>(event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream) {
  reinterpret_cast<Event *>(event)->at = fake().clock;
  return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to) {
  const auto nanoseconds = reinterpret_cast<Event *>(to)->at - reinterpret_cast<Event *>(from)->at;
  *milliseconds = static_cast<float>(static_cast<double>(nanoseconds) / 1e6);
  return CUDA_SUCCESS;
}

} // extern "C"
