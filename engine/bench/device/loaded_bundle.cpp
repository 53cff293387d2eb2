// SPDX-License-Identifier: MIT
#include "engine/bench/device/loaded_bundle.h"

#include "engine/bench/device/whole_file.h"
#include "engine/base/sha256.h"
#include "engine/report/promise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>

namespace tessera::bench {

namespace {

using pipeline::TypeKind;
using report::PipelineArgument;

// What the runtime says of the current run of a host bundle. The runtime's callback carries no user
// pointer, so the text cannot go to the bundle directly.
thread_local std::string hostComplaint;

void keepComplaint(void *, const char *message) {
  if (hostComplaint.empty()) hostComplaint = message;
}

// Without a handler, Halide's runtime prints its errors and aborts the process.
void keepErrors(const SharedLibrary &library) {
  void *(*setError)(void (*)(void *, const char *)) = nullptr;
  if (!assignSymbol(library, "halide_set_error_handler", setError))
    refuse("'" + library.name() + "' has no Halide runtime that reports errors.",
           "Compile the bundle with tessera-cli compile.");
  setError(&keepComplaint); // returns the former handler, which is ignored
}

// What the compiler remarked where it did not link.
std::string whyUnlinked(const report::CompileReport &report) {
  std::string why;
  for (const std::string &remark : report.remarks)
    why += (why.empty() ? "" : "; ") + remark;
  return why.empty() ? "it was not linked" : why;
}

SharedLibrary loadLibrary(const BundleFolder &folder) {
  const report::CompileReport &report = folder.report;
  if (report.files.library.empty())
    refuse("The bundle '" + folder.path + "' has no library: " + whyUnlinked(report) + ".",
           "Compile it again on a machine with a C++ compiler.");
  const std::string path = folder.path + "/" + report.files.library;
  const std::string content = readWholeFile(path);
  if (sha256Hex(std::as_bytes(std::span(content))) != report.librarySha256)
    refuse("'" + path + "' is not the library that bundle.json describes: its checksum differs.",
           "Compile or copy the bundle again.");
  auto library = SharedLibrary::open({path});
  if (!library) refuse("The bundle's library cannot be loaded: " + library.error().message + ".");
  return std::move(*library);
}

template <typename Number>
std::uint64_t bitsOf(Number value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <typename Number>
std::uint64_t parsed(const PipelineArgument &scalar) {
  Number value{};
  const char *end = scalar.value.data() + scalar.value.size();
  const auto [rest, problem] = std::from_chars(scalar.value.data(), end, value);
  if (problem != std::errc() || rest != end)
    refuse("The scalar '" + scalar.name + "' of the bundle has the value '" + scalar.value +
               "', which does not fit its type.",
           "Set it with --estimate " + scalar.name + "=VALUE when compiling.");
  return bitsOf(value);
}

std::uint64_t scalarBits(const PipelineArgument &scalar) {
  if (scalar.type.kind == TypeKind::Float && scalar.type.bits == 64) return parsed<double>(scalar);
  if (scalar.type.kind == TypeKind::Float && scalar.type.bits == 32) return parsed<float>(scalar);
  if (scalar.type.kind == TypeKind::Int) return parsed<std::int64_t>(scalar);
  if (scalar.type == pipeline::ScalarType{TypeKind::UInt, 1}) // bool
    return scalar.value == "true" ? 1 : scalar.value == "false" ? 0 : parsed<std::uint64_t>(scalar);
  if (scalar.type.kind == TypeKind::UInt) return parsed<std::uint64_t>(scalar);
  refuse("The scalar '" + scalar.name + "' has the type " + pipeline::toString(scalar.type) +
         ", which cannot have a value here.");
}

} // namespace

BundleFolder readBundle(const std::string &path) {
  BundleFolder folder{path, {}, {}};
  const auto document = nlohmann::json::parse(readWholeFile(path + "/bundle.json"), nullptr, false);
  if (document.is_discarded())
    refuse("'" + path + "/bundle.json' is damaged: it is not JSON.", "Compile the bundle again.");
  folder.report = valueOrRefuse(report::compileReportFromJson(document));
  if (!folder.report.functions.empty())
    refuse(
        "The bundle was linked with functions of its user's (" + folder.report.functions.front() +
            "), which run in the sandbox alone, and a GPU is not measured from there.",
        "Verify the schedule, which runs them in the sandbox, and measure it in the program that "
        "has these functions.");
  for (const std::string &text : folder.report.promises)
    folder.promises.push_back(valueOrRefuse(report::promiseFromText(text)));
  return folder;
}

LoadedBundle::LoadedBundle(const BundleFolder &folder, const LaunchHooks *hooks,
                           const PipelineInputs &inputs, KeptData &kept)
    : m_kept(kept), m_library(loadLibrary(folder)), m_isOnDevice(hooks != nullptr) {
  const std::string entry = folder.report.entryPoint + "_argv";
  if (!assignSymbol(m_library, entry.c_str(), m_entry))
    refuse("The bundle's library has no function '" + entry + "'.", "Compile the bundle again.");
  if (hooks)
    hooks->install(m_library);
  else
    keepErrors(m_library);
  assignSymbol(m_library, "halide_reuse_device_allocations", m_keepAllocations);
  bindArguments(folder, inputs);
}

void LoadedBundle::bindArguments(const BundleFolder &folder, const PipelineInputs &inputs) {
  const std::vector<PipelineArgument> &arguments = folder.report.arguments;
  m_buffers.reserve(arguments.size()); // must not move: their addresses are taken below
  m_scalars.reserve(arguments.size());
  for (const PipelineArgument &argument : arguments) {
    if (argument.kind == PipelineArgument::Kind::Scalar) {
      m_arguments.push_back(&m_scalars.emplace_back(scalarBits(argument)));
      continue;
    }
    PipelineBuffer &buffer = m_buffers.emplace_back(m_kept.take(argument, folder.promises, inputs));
    m_arguments.push_back(buffer.raw());
  }
  inputs.checkAllTaken(m_buffers);
}

LoadedBundle::~LoadedBundle() {
  for (PipelineBuffer &buffer : m_buffers) {
    if (const HalideDeviceInterface *device = buffer.raw()->interface)
      device->deviceFree(nullptr, buffer.raw());
    m_kept.giveBack(std::move(buffer));
  }
  // Releases cached memory and kernels. The context stays, since it does not belong to the runtime.
  void (*release)(void *, const HalideDeviceInterface *) = nullptr;
  const HalideDeviceInterface *(*interface)() = nullptr;
  if (m_isOnDevice && assignSymbol(m_library, "halide_device_release", release) &&
      assignSymbol(m_library, "halide_cuda_device_interface", interface))
    release(nullptr, interface());
}

int LoadedBundle::run() {
  hostComplaint.clear();
  return m_entry(m_arguments.data());
}

const std::string &LoadedBundle::complaint() { return hostComplaint; }

void LoadedBundle::keepAllocations(bool keep) {
  if (m_keepAllocations) m_keepAllocations(nullptr, keep);
}

std::vector<PipelineBuffer *> LoadedBundle::outputs() {
  std::vector<PipelineBuffer *> result;
  for (PipelineBuffer &buffer : m_buffers)
    if (!buffer.isInput()) result.push_back(&buffer);
  return result;
}

int LoadedBundle::copyToHost(PipelineBuffer &buffer) {
  const HalideDeviceInterface *device = buffer.raw()->interface;
  return device ? device->copyToHost(nullptr, buffer.raw()) : 0;
}

} // namespace tessera::bench
