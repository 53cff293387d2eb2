// SPDX-License-Identifier: MIT
// A plugin for a generator's program that lists what each generator's inputs and outputs lack:
//
//   GENERATOR -g NAME -o DIR -p PATH/libtessera_arguments.so target=…
//
// prints the marker and a JSON object in one line, and ends the program before any generator runs:
//   {"smooth": [{"name": "in", "output": false, "type": true, "dim": false, "size": false}], …}
// An argument is listed if its type, its dimensions or the size of its array are not set.
#include <Halide.h>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tessera::halide {

namespace {

using Halide::Internal::AbstractGenerator;
using Halide::Internal::ArgInfoDirection;
using Halide::Internal::GeneratorRegistry;
using nlohmann::ordered_json;

Halide::Internal::AbstractGeneratorPtr made(const std::string &name) {
  const Halide::Target target("host-cuda-cuda_capability_86-no_runtime");
  return GeneratorRegistry::create(name, Halide::GeneratorContext(target));
}

// A generator takes only what its source leaves open.
bool isOpen(const std::string &generator, const std::string &parameter) {
  try {
    made(generator)->set_generatorparam_value(parameter, std::string("1"));
    return true;
  } catch (const Halide::Error &) {
    return false;
  }
}

ordered_json unsetOf(const std::string &name) {
  ordered_json unset = ordered_json::array();
  const auto generator = made(name);
  if (!generator) return unset;
  for (const AbstractGenerator::ArgInfo &info : generator->arginfos()) {
    const bool type = info.types.empty();
    const bool dim = info.dimensions == 0 && isOpen(name, info.name + ".dim");
    const bool size = isOpen(name, info.name + ".size");
    if (type || dim || size)
      unset.push_back({{"name", info.name},
                       {"output", info.dir == ArgInfoDirection::Output},
                       {"type", type},
                       {"dim", dim},
                       {"size", size}});
  }
  return unset;
}

const bool kListed = [] {
  ordered_json all = ordered_json::object();
  for (const std::string &name : GeneratorRegistry::enumerate()) {
    try {
      all[name] = unsetOf(name);
    } catch (const std::exception &) {
      all[name] = ordered_json::array(); // it may need a parameter before it has inputs
    }
  }
  std::printf("\ntessera-arguments: %s\n", all.dump().c_str());
  std::fflush(nullptr);
  std::_Exit(0);
  return true;
}();

} // namespace

// Keeps the listing alive: linkers drop objects that nothing refers to.
extern "C" bool tesseraArgumentsListed() { return kListed; }

} // namespace tessera::halide
