// SPDX-License-Identifier: MIT
#include "engine/halide/compile/bundle.h"

#include "engine/halide/guard.h"
#include "engine/halide/import/file_check.h"
#include "engine/job/child_process.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tessera::halide {

namespace {

namespace fs = std::filesystem;

constexpr const char *kIndex = "bundle.json"; // present in every bundle

Error systemError(const std::string &path, const std::string &what) {
  return {ErrorCode::System, path + ": " + what, ""};
}

} // namespace

BundleFolder::BundleFolder(std::string folder, std::string output)
    : m_folder(std::move(folder)), m_output(std::move(output)) {}

BundleFolder::BundleFolder(BundleFolder &&other) noexcept
    : m_folder(std::move(other.m_folder)), m_output(std::move(other.m_output)) {
  other.m_folder.clear();
}

BundleFolder::~BundleFolder() {
  std::error_code ignored;
  if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
}

Result<BundleFolder> BundleFolder::create(const std::string &output, const std::string &scratch) {
  std::error_code error;
  const fs::path parent = fs::absolute(output, error).parent_path();
  fs::create_directories(parent, error);
  if (error) return systemError(parent.string(), error.message());
  std::string pattern = (scratch.empty() ? output : scratch + "/bundle") + ".XXXXXX";
  if (!::mkdtemp(pattern.data())) return systemError(output, std::strerror(errno));
  return BundleFolder(pattern, output);
}

Status BundleFolder::write(const std::string &name, std::string_view content) const {
  std::ofstream out(file(name), std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out)
    return systemError(file(name), "cannot be written: " + std::string(std::strerror(errno)));
  return Done{};
}

Status BundleFolder::publish() {
  std::error_code error;
  if (fs::exists(m_output, error)) {
    if (!fs::exists(fs::path(m_output) / kIndex, error) && !fs::is_empty(m_output, error))
      return Error{ErrorCode::InputRefused,
                   m_output + ": already exists and is not a bundle, so it is not replaced",
                   "Choose another folder."};
    fs::permissions(m_folder, fs::status(m_output, error).permissions(), error);
    // Two renames replace the folder, so that a half-written bundle is never visible.
    std::string old = m_output + ".XXXXXX";
    if (!::mkdtemp(old.data())) return systemError(m_output, std::strerror(errno));
    fs::rename(m_output, old, error);
    if (!error) fs::rename(m_folder, m_output, error);
    std::error_code ignored;
    fs::remove_all(old, ignored);
  } else {
    fs::rename(m_folder, m_output, error);
  }
  if (error) return systemError(m_output, error.message());
  m_folder.clear();
  return Done{};
}

Result<std::string> runtimeObject(const Halide::Target &target, const std::string &cache) {
  // The runtime is the same, however the pipeline's floats are computed.
  const Halide::Target bare = target.without_feature(Halide::Target::NoRuntime)
                                  .without_feature(Halide::Target::StrictFloat)
                                  .without_feature(Halide::Target::FuzzFloatStores);
  const std::string path =
      cache + "/halide-" + halideVersion() + "-" + bare.to_string() + ".runtime.o";
  std::error_code error;
  if (fs::exists(path, error)) return path;
  fs::create_directories(cache, error);
  if (error) return systemError(cache, error.message());
  std::string made = cache + "/runtime-XXXXXX.o";
  const int fd = ::mkstemps(made.data(), 2);
  if (fd < 0) return systemError(cache, std::strerror(errno));
  ::close(fd);
  auto status = guarded("Halide's runtime for " + bare.to_string(), [&]() -> Status {
    Halide::compile_standalone_runtime(made, bare);
    return Done{};
  });
  if (status) {
    fs::rename(made, path, error);
    if (error) status = systemError(path, error.message());
  }
  if (!status) {
    fs::remove(made, error);
    return status.error();
  }
  return path;
}

Status linkLibrary(const std::string &linker, const std::vector<std::string> &objects,
                   const std::vector<std::string> &functions, const std::string &library) {
  job::ProcessOptions options;
  options.program = linker;
  options.arguments = {"-shared", "-Wl,--as-needed", "-Wl,-z,defs", "-o", library};
  // Functions of others may have static objects, whose destructors the start files know.
  if (functions.empty()) options.arguments.emplace_back("-nostartfiles");
  for (const std::vector<std::string> *files : {&objects, &functions})
    options.arguments.insert(options.arguments.end(), files->begin(), files->end());
  options.arguments.insert(options.arguments.end(), {"-lpthread", "-ldl", "-lm"});
  const auto report = job::runProcess(options, std::chrono::minutes(1));
  if (!report) return report.error();
  if (report->timedOut || report->end != job::ProcessEnd{})
    return Error{ErrorCode::WorkerFailed,
                 linker + " could not link the compiled pipeline: " +
                     (report->timedOut ? "it did not finish within a minute" : report->errors),
                 "Use a C++ compiler that makes shared libraries."};
  return Done{};
}

} // namespace tessera::halide
