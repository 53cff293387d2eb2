// SPDX-License-Identifier: MIT
#include "engine/halide/verify/opencl_device.h"
#include "engine/halide/import/load.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <dlfcn.h>

namespace tessera::halide {

namespace {

using Halide::Target;
namespace ir = Halide::Internal;

// What is needed of CL/cl.h, which a machine without the headers has not.
using Handle = void *;
using GetPlatforms = std::int32_t (*)(std::uint32_t, Handle *, std::uint32_t *);
using GetDevices = std::int32_t (*)(Handle, std::uint64_t, std::uint32_t, Handle *,
                                    std::uint32_t *);
using GetDeviceInfo = std::int32_t (*)(Handle, std::uint32_t, std::size_t, void *, std::size_t *);
constexpr std::uint64_t kAllDevices = 0xFFFFFFFF; // CL_DEVICE_TYPE_ALL
constexpr std::uint32_t kExtensions = 0x1030;     // CL_DEVICE_EXTENSIONS
constexpr std::uint32_t kMostListed = 16;         // platforms, and devices of each

template <typename Function>
Function find(void *library, const char *name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

std::string extensionsOf(GetDeviceInfo info, Handle device) {
  std::size_t size = 0;
  if (info(device, kExtensions, 0, nullptr, &size) != 0) return {};
  std::string text(size, '\0');
  if (info(device, kExtensions, size, text.data(), nullptr) != 0) return {};
  return text;
}

// The extensions of each device of this machine. The library stays loaded: Halide's runtime uses
// it.
std::vector<std::string> extensionsOfDevices() {
  std::vector<std::string> all;
  void *library = ::dlopen("libOpenCL.so.1", RTLD_NOW);
  if (!library) library = ::dlopen("libOpenCL.so", RTLD_NOW);
  if (!library) return all;
  const auto platforms = find<GetPlatforms>(library, "clGetPlatformIDs");
  const auto devices = find<GetDevices>(library, "clGetDeviceIDs");
  const auto info = find<GetDeviceInfo>(library, "clGetDeviceInfo");
  if (!platforms || !devices || !info) return all;
  std::array<Handle, kMostListed> ofMachine{}, ofPlatform{};
  std::uint32_t platformCount = 0;
  if (platforms(kMostListed, ofMachine.data(), &platformCount) != 0) return all;
  for (std::uint32_t p = 0; p < std::min(platformCount, kMostListed); ++p) {
    std::uint32_t count = 0;
    if (devices(ofMachine[p], kAllDevices, kMostListed, ofPlatform.data(), &count) != 0) continue;
    for (std::uint32_t d = 0; d < std::min(count, kMostListed); ++d)
      all.push_back(extensionsOf(info, ofPlatform[d]));
  }
  return all;
}

bool haveAll(std::span<const std::string> devices, std::string_view extension) {
  return !devices.empty() && std::ranges::all_of(devices, [&](const std::string &extensions) {
    return extensions.find(extension) != std::string::npos;
  });
}

// Finds a type that the target lacks in the definitions of a func.
class FindMissing : public ir::IRGraphVisitor {
public:
  explicit FindMissing(const Target &target)
      : m_halves(target.has_feature(Target::CLHalf)),
        m_doubles(target.has_feature(Target::CLDoubles)) {}
  const char *type = nullptr, *extension = nullptr;

  void check(const Halide::Type &of) {
    if (!m_halves && of == Halide::Float(16)) set("float16", "cl_khr_fp16");
    if (!m_doubles && of == Halide::Float(64)) set("float64", "cl_khr_fp64");
  }

  using IRGraphVisitor::include;
  void include(const Halide::Expr &e) override {
    check(e.type().element_of());
    IRGraphVisitor::include(e);
  }

private:
  void set(const char *name, const char *needed) {
    type = name;
    extension = needed;
  }

  const bool m_halves, m_doubles;
};

} // namespace

Target withTypesOf(std::span<const std::string> extensions, Target openCl) {
  if (haveAll(extensions, "cl_khr_fp16")) openCl.set_feature(Target::CLHalf);
  if (haveAll(extensions, "cl_khr_fp64")) openCl.set_feature(Target::CLDoubles);
  if (haveAll(extensions, "cl_khr_int64_base_atomics") &&
      haveAll(extensions, "cl_khr_int64_extended_atomics"))
    openCl.set_feature(Target::CLAtomics64);
  return openCl;
}

Target withTypesOfDevices(const Target &openCl) {
  return withTypesOf(extensionsOfDevices(), openCl);
}

Status checkTypesForOpenCl(const Halide::Pipeline &pipeline, const Target &openCl) {
  for (const auto &[name, function] : functionsOf(pipeline)) {
    FindMissing missing(openCl);
    for (const Halide::Type &type : function.output_types())
      missing.check(type);
    function.accept(&missing);
    if (missing.type)
      return Error{ErrorCode::InputRefused,
                   "\"" + name + "\" has values of " + missing.type +
                       ", and this machine's OpenCL device does not compute in it (it lacks " +
                       missing.extension + ")",
                   "Verify with --target lowered, which has every type, or with --target cuda on a "
                   "machine with a GPU."};
  }
  return Done{};
}

} // namespace tessera::halide
