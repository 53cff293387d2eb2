// SPDX-License-Identifier: MIT
// A part of the plugin `autoschedule_tessera`: for each generator NAME of the program that loads
// it, it registers a second one, NAME_as_scheduled, which writes the pipeline with the generator's
// own schedule. Halide's own `-e hlpipe` writes the schedule too, but drops what the generator
// promises of its inputs, often only where it schedules itself.
//
//   GENERATOR -g NAME_as_scheduled -f NAME -o DIR -e hlpipe -p autoschedule_tessera target=…
#include "engine/halide/capture.h"
#include "engine/halide/extern_symbols.h"

#include <Halide.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

namespace {

using Halide::Internal::AbstractGenerator;
using Halide::Internal::AbstractGeneratorPtr;
using Halide::Internal::GeneratorRegistry;

// Another generator, but for what it writes to a file.
class AsScheduled : public AbstractGenerator {
public:
  AsScheduled(std::string name, Halide::GeneratorContext context)
      : m_name(std::move(name)), m_context(std::move(context)) {}

  std::string name() override { return generator().name(); }
  Halide::GeneratorContext context() const override { return generator().context(); }
  std::vector<ArgInfo> arginfos() override { return generator().arginfos(); }
  void set_generatorparam_value(const std::string &name, const std::string &value) override {
    generator().set_generatorparam_value(name, value);
  }
  void set_generatorparam_value(const std::string &name, const Halide::LoopLevel &value) override {
    generator().set_generatorparam_value(name, value);
  }
  Halide::Pipeline build_pipeline() override { return generator().build_pipeline(); }
  std::vector<Halide::Parameter> input_parameter(const std::string &name) override {
    return generator().input_parameter(name);
  }
  std::vector<Halide::Func> output_func(const std::string &name) override {
    return generator().output_func(name);
  }
  void bind_input(const std::string &name, const std::vector<Halide::Parameter> &v) override {
    generator().bind_input(name, v);
  }
  void bind_input(const std::string &name, const std::vector<Halide::Func> &v) override {
    generator().bind_input(name, v);
  }
  void bind_input(const std::string &name, const std::vector<Halide::Expr> &v) override {
    generator().bind_input(name, v);
  }
  bool emit_cpp_stub(const std::string &path) override { return generator().emit_cpp_stub(path); }
  bool allow_out_of_order_inputs_and_outputs() const override {
    return generator().allow_out_of_order_inputs_and_outputs();
  }

  bool emit_hlpipe(const std::string &path) override {
    const Halide::Pipeline pipeline = generator().build_pipeline();
    useExternSymbols(pipeline, generator().context().target());
    if (const Status status = capturePipeline(pipeline, path); !status)
      throw Halide::CompileError("writing the scheduled pipeline: " + status.error().message);
    // Halide would go on to lower the pipeline, which nobody needs. No destructors of plugins run.
    std::fflush(nullptr);
    std::_Exit(0);
  }

private:
  // The registry is locked while it creates a generator, so that the other one is made later.
  AbstractGenerator &generator() const {
    if (!m_generator) m_generator = GeneratorRegistry::create(m_name, m_context);
    if (!m_generator) throw Halide::CompileError("there is no generator " + m_name);
    return *m_generator;
  }

  const std::string m_name;
  const Halide::GeneratorContext m_context;
  mutable AbstractGeneratorPtr m_generator; // made at the first use
};

const bool kGeneratorsRegistered = [] {
  const std::vector<std::string> names = GeneratorRegistry::enumerate();
  for (const std::string &name : names) {
    const std::string second = name + "_as_scheduled";
    if (std::find(names.begin(), names.end(), second) != names.end()) continue;
    GeneratorRegistry::register_factory(
        second, [name](const Halide::GeneratorContext &context) -> AbstractGeneratorPtr {
          return std::make_unique<AsScheduled>(name, context);
        });
  }
  return true;
}();

} // namespace

// Keeps the registration alive: linkers drop objects that nothing refers to.
extern "C" bool tesseraScheduledGeneratorsRegistered() { return kGeneratorsRegistered; }

} // namespace tessera::halide
