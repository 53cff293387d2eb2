// SPDX-License-Identifier: MIT
#include "engine/host/ceilings.h"

#include "engine/host/files.h"
#include "engine/base/sha256.h"
#include "engine/machine/gpu_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <span>

namespace tessera::host {

namespace fs = std::filesystem;
using bench::MeasuredCeilings;

namespace {

fs::path folderOf(const ToolPaths &tools) { return fs::path(tools.cacheDir) / "ceilings"; }

fs::path fileOf(const std::string &name, const std::string &uuid, const std::string &driver,
                const ToolPaths &tools) {
  const std::string key = name + "\n" + uuid + "\n" + driver;
  constexpr std::size_t kDigits = 16;
  return folderOf(tools) / (sha256Hex(std::as_bytes(std::span(key))).substr(0, kDigits) + ".json");
}

std::optional<MeasuredCeilings> readCeilings(const fs::path &path) {
  const auto text = readFile(path.string());
  if (!text) return std::nullopt;
  const auto document = nlohmann::json::parse(*text, nullptr, false);
  if (document.is_discarded()) return std::nullopt;
  auto ceilings = bench::ceilingsFromJson(document);
  if (!ceilings) return std::nullopt;
  return std::move(*ceilings);
}

} // namespace

Status keepCeilings(const MeasuredCeilings &ceilings, const ToolPaths &tools) {
  return writeFile(fileOf(ceilings.machine, ceilings.uuid, ceilings.driver, tools).string(),
                   toJson(ceilings).dump(2) + "\n");
}

std::optional<MeasuredCeilings> keptCeilings(const bench::DeviceDescription &device,
                                             const ToolPaths &tools) {
  return readCeilings(fileOf(device.name, device.uuid, device.driver, tools));
}

std::optional<MeasuredCeilings> keptCeilings(const std::string &title, const ToolPaths &tools) {
  std::optional<MeasuredCeilings> newest;
  std::error_code problem;
  for (fs::directory_iterator entry(folderOf(tools), problem), end; !problem && entry != end;
       entry.increment(problem)) {
    auto ceilings = readCeilings(entry->path());
    if (ceilings && machine::isSameGpu(ceilings->machine, title) &&
        (!newest || ceilings->date > newest->date))
      newest = std::move(ceilings);
  }
  return newest;
}

cost::Ceilings ceilingsOf(const MeasuredCeilings &measured) {
  cost::Ceilings c;
  c.dram = std::max(
      {measured.rate("dram_read"), measured.rate("dram_write"), measured.rate("dram_copy")});
  c.l2 = measured.rate("l2_read");
  c.l1 = measured.rate("l1_read");
  c.shared = measured.rate("shared_read");
  c.fp64 = measured.rate("fp64_fma");
  c.fp32 = measured.rate("fp32_fma");
  c.fp16 = measured.rate("fp16x2_fma");
  c.integerAdd = measured.rate("int32_add");
  c.integerMultiply = measured.rate("int32_mad");
  c.integer = std::max({c.integerAdd, c.integerMultiply, measured.rate("int32_both")});
  c.areMeasured = true;
  c.source = "measured on " + measured.machine + ", driver " +
             (measured.driver.empty() ? "unknown" : measured.driver) + ", " +
             measured.date.substr(0, measured.date.find('T')) +
             (measured.after.multiprocessorMhz > 0
                  ? ", at " + std::to_string(measured.after.multiprocessorMhz) + " MHz"
                  : "");
  return c;
}

std::optional<cost::Ceilings>
knownCeilings(const std::string &gpu, const machine::Machine *description, const ToolPaths &tools) {
  if (const auto kept = keptCeilings(gpu, tools)) return ceilingsOf(*kept);
  if (description && machine::isSameGpu(description->title, gpu))
    return cost::ceilingsOf(*description);
  return std::nullopt;
}

cost::Ceilings ceilingsFor(const machine::Machine &machine, const ToolPaths &tools) {
  const auto kept = keptCeilings(machine.title, tools);
  return kept ? ceilingsOf(*kept) : cost::ceilingsOf(machine);
}

} // namespace tessera::host
