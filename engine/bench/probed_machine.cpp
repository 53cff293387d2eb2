// SPDX-License-Identifier: MIT
#include "engine/bench/probed_machine.h"

#include "engine/machine/fields.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace tessera::bench {

using machine::Machine;

namespace {

// Turns a title into a name: "NVIDIA H200 SXM" → "nvidia-h200-sxm".
std::string wordOf(const std::string &title) {
  std::string word;
  for (const char c : title)
    if (std::isalnum(static_cast<unsigned char>(c)))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!word.empty() && word.back() != '-')
      word += '-';
  while (word.ends_with('-'))
    word.pop_back();
  return word.empty() ? "probed" : word;
}

std::string capabilityText(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

} // namespace

const Machine *nearestMachine(const DeviceDescription &device, std::span<const Machine> known) {
  const auto multiprocessors = device.values.find("multiprocessors");
  const double wanted = multiprocessors == device.values.end() ? 0 : multiprocessors->second;
  const auto distance = [&](const Machine &machine) {
    const int capability = 10 * machine.major + machine.minor;
    return std::tuple(std::abs(capability - (10 * device.major + device.minor)),
                      device.name.find(machine.title) == std::string::npos &&
                          machine.title.find(device.name) == std::string::npos,
                      std::abs(static_cast<double>(machine.multiprocessors) - wanted));
  };
  const Machine *nearest = nullptr;
  for (const Machine &machine : known)
    if (machine.api == machine::Api::Cuda && machine.major > 0 &&
        (!nearest || distance(machine) < distance(*nearest)))
      nearest = &machine;
  return nearest;
}

Machine probedMachine(const DeviceDescription &device, const Machine &base) {
  Machine machine = base;
  machine.title = device.name;
  machine.name = wordOf(device.name);
  machine.major = device.major;
  machine.minor = device.minor;
  const std::string asked =
      "reported by " + (device.driver.empty() ? "the driver, CUDA " + device.cudaVersion
                                              : "driver " + device.driver);
  const bool isSame = base.major == device.major && base.minor == device.minor;
  const std::string taken =
      "taken from " + base.name +
      (isSame ? ", of the same compute capability"
              : ", whose compute capability " + capabilityText(base.major, base.minor) +
                    " is the nearest") +
      ": ";
  machine::forEachField(machine, [&](const char *name, auto &value, const char *) {
    const auto told = device.values.find(name);
    if (told != device.values.end()) {
      value = static_cast<std::remove_reference_t<decltype(value)>>(told->second);
      machine.sources[name] = asked;
      return;
    }
    const auto source = base.sources.find(name);
    machine.sources[name] =
        taken + (source == base.sources.end() ? "unknown source" : source->second);
  });
  return machine;
}

} // namespace tessera::bench
