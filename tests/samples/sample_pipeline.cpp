// SPDX-License-Identifier: MIT
#include "tests/samples/sample_pipeline.h"

#include <dlfcn.h>

#include <vector>

namespace tessera::samples {

namespace {

using namespace Halide;

// Because the context names an autoscheduler, the generator does not schedule its funcs. No
// autoscheduler runs, because nothing here calls one.
struct Unscheduled {
  Internal::AbstractGeneratorPtr generator;
  Pipeline pipeline;
  std::map<std::string, Internal::Function> funcs;

  Unscheduled(const std::string &name, const GeneratorParamsMap &parameters)
      : generator(Internal::GeneratorRegistry::create(
            name, GeneratorContext(get_host_target(), AutoschedulerParams("none", {})))) {
    generator->set_generatorparam_values(parameters);
    pipeline = generator->build_pipeline();
    std::vector<Internal::Function> outputs;
    for (const Func &output : pipeline.outputs())
      outputs.push_back(output.function());
    funcs = Internal::build_environment(outputs);
  }
};

} // namespace

Callable unscheduledOnHost(const std::string &name, const GeneratorParamsMap &parameters) {
  Unscheduled sample(name, parameters);
  for (auto &[funcName, function] : sample.funcs)
    Func(function).compute_root();
  std::vector<Argument> arguments;
  for (const auto &info : sample.generator->arginfos())
    if (info.dir == Internal::ArgInfoDirection::Input)
      for (const Parameter &p : sample.generator->input_parameter(info.name))
        arguments.emplace_back(p.name(),
                               p.is_buffer() ? Argument::InputBuffer : Argument::InputScalar,
                               p.type(), p.dimensions(), ArgumentEstimates{});
  return sample.pipeline.compile_to_callable(arguments, get_host_target());
}

Callable manualOnOpenCl(const std::string &name, const GeneratorParamsMap &parameters) {
  const Target target = get_host_target().with_feature(Target::OpenCL);
  return create_callable_from_generator(GeneratorContext(target), name, parameters);
}

Counts countsOf(const std::string &name, const GeneratorParamsMap &parameters) {
  const Unscheduled sample(name, parameters);
  Counts counts;
  for (const auto &[funcName, function] : sample.funcs) {
    // Halide wraps each input buffer in a func of its own, which is no stage of the algorithm. If
    // this process has used the name before, a "$" and a number follow it.
    if (funcName.substr(0, funcName.find('$')).ends_with("_im")) continue;
    ++counts.funcs;
    counts.stages += 1 + static_cast<int>(function.updates().size());
  }
  return counts;
}

bool haveOpenCl() {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  using GetPlatforms = int (*)(unsigned, void **, unsigned *);
  const auto getPlatforms = reinterpret_cast<GetPlatforms>(dlsym(library, "clGetPlatformIDs"));
  unsigned count = 0;
  return getPlatforms && getPlatforms(0, nullptr, &count) == 0 && count > 0;
}

} // namespace tessera::samples
