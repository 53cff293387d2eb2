// SPDX-License-Identifier: MIT
// samples.manual GENERATOR FILE TARGET [key=value…]: writes a pipeline with its own schedule
// applied. Halide's stock program compiles the pipeline as well, which does not finish for large
// ones.
#include <Halide.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: samples.manual GENERATOR FILE TARGET [key=value...]\n");
    return 2;
  }
  Halide::GeneratorParamsMap parameters;
  for (int i = 4; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) {
      std::fprintf(stderr, "samples.manual: not key=value: %s\n", argv[i]);
      return 2;
    }
    parameters[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  try {
    const auto generator = Halide::Internal::GeneratorRegistry::create(
        argv[1], Halide::GeneratorContext(Halide::Target(argv[3])));
    generator->set_generatorparam_values(parameters);
    if (generator->emit_hlpipe(argv[2])) return EXIT_SUCCESS;
    std::fprintf(stderr, "samples.manual: %s cannot be saved\n", argv[1]);
  } catch (const Halide::Error &error) {
    std::fprintf(stderr, "samples.manual: %s: %s\n", argv[1], error.what());
  }
  return EXIT_FAILURE;
}
