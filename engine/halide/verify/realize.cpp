// SPDX-License-Identifier: MIT
#include "engine/halide/verify/realize.h"

#include "engine/halide/file_io.h"
#include "engine/halide/import/load.h"
#include "engine/halide/import/missing_estimates.h"

#include <algorithm>
#include <cstring>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

// Outputs are filled with this byte before a run, so that a value that is never written is noticed.
// Four of these bytes are the float32 8e37.
constexpr std::uint8_t kUnwritten = 0x7e;
constexpr std::size_t kMostInputBytes = std::size_t{4} << 30;

// Collects the parameters that the pipeline's definitions refer to.
class FindParameters : public ir::IRVisitor {
public:
  std::map<std::string, Halide::Parameter> found;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *op) override {
    if (op->param.defined()) found.emplace(op->param.name(), op->param);
    IRVisitor::visit(op);
  }
  void visit(const ir::Variable *op) override {
    if (op->param.defined()) found.emplace(op->param.name(), op->param);
  }
};

std::map<std::string, Halide::Parameter> parametersIn(const Halide::Pipeline &pipeline) {
  FindParameters find;
  for (const auto &[name, function] : functionsOf(pipeline)) {
    function.accept(&find);
    for (const ir::Definition &update : function.updates())
      for (const ir::ReductionVariable &rvar : update.schedule().rvars()) {
        rvar.min.accept(&find);
        rvar.extent.accept(&find);
      }
  }
  return std::move(find.found);
}

// Whether all scalars have a value. Those that have none are asked for at once.
Status checkScalars(const PreparedPipeline &prepared) {
  for (const InputSource &input : prepared.raw.inputs)
    if (input.isScalar && input.isUsed && input.type.is_handle())
      return Error{ErrorCode::InputRefused,
                   "the input \"" + input.name +
                       "\" is a pointer, and only the program that calls the pipeline has what it "
                       "points to",
                   "Such a pipeline can be scheduled, explained and exported. Verify it in that "
                   "program."};
  const auto missing = missingScalars(prepared.raw, prepared.estimates, ScalarsFor::Run);
  if (missing.empty()) return Done{};
  return askingFor(missing, "nothing can be run without the values of all scalars");
}

Status bindScalar(Halide::Parameter &parameter, const std::string &text) {
  const Halide::Expr value = scalarFromText(parameter.type(), text);
  if (!value.defined())
    return Error{ErrorCode::InputRefused,
                 "the scalar \"" + parameter.name() + "\" is no input of the pipeline", ""};
  halide_scalar_value_t bits{};
  const Halide::Type type = parameter.type();
  if (const auto number = ir::as_const_float(value)) {
    if (type.bits() == 64)
      bits.u.f64 = *number;
    else if (type.bits() == 32)
      bits.u.f32 = static_cast<float>(*number);
    else
      bits.u.u16 = Halide::float16_t(*number).to_bits();
  } else if (const auto integer = ir::as_const_int(value)) {
    bits.u.i64 = *integer; // on little endian, the low bytes hold a narrower value
  } else if (const auto natural = ir::as_const_uint(value)) {
    bits.u.u64 = *natural;
  }
  parameter.set_scalar(type, bits);
  return Done{};
}

Layout promisedLayout(const Halide::Parameter &parameter) {
  Layout layout{{}, parameter.host_alignment()};
  for (int d = 0; d < parameter.dimensions(); ++d) {
    const Halide::Expr stride = parameter.stride_constraint(d);
    const auto constant = stride.defined() ? ir::as_const_int(stride) : std::nullopt;
    layout.strides.push_back(constant ? std::optional<std::int64_t>(*constant) : std::nullopt);
  }
  return layout;
}

pipeline::Box boxOf(const std::vector<pipeline::Estimate> &dims) {
  pipeline::Box box;
  for (const pipeline::Estimate &dim : dims)
    box.push_back(dim.range);
  return box;
}

Error cannotBeLaidOut(const std::string &name, const pipeline::Box &box, const Layout &layout) {
  std::string sizes, strides;
  for (std::size_t d = 0; d < box.size(); ++d) {
    const bool promised = d < layout.strides.size() && layout.strides[d];
    sizes += (d ? "×" : "") + std::to_string(box[d].extent());
    strides += (d ? ", " : "") + (promised ? std::to_string(*layout.strides[d]) : "any");
  }
  return {ErrorCode::InputRefused,
          "the buffer \"" + name + "\" of " + sizes +
              " elements cannot have the promised strides " + strides +
              ": elements would share memory",
          "Run it at a smaller size, with --estimate or --small, or promise other strides."};
}

Status fillFrom(const InputFile &file, const Halide::Buffer<> &buffer) {
  const auto elements = readFile(file.file, kMostInputBytes);
  if (!elements) return elements.error();
  const auto size = static_cast<std::size_t>(buffer.type().bytes());
  if (elements->size() != buffer.number_of_elements() * size)
    return Error{ErrorCode::InputRefused,
                 "'" + file.file + "': it has " + std::to_string(elements->size()) +
                     " bytes, but the input \"" + file.input + "\" takes " +
                     std::to_string(buffer.number_of_elements() * size) + ".",
                 "Give a file for this size of the pipeline."};
  forEachElement(buffer, [&](std::uint8_t *address, std::uint64_t number) {
    std::memcpy(address, elements->data() + number * size, size);
  });
  return Done{};
}

// Checks that each file is for a buffer input of the pipeline and that no input has two files.
Status checkFiles(const PreparedPipeline &prepared, const std::vector<InputFile> &files) {
  for (auto file = files.begin(); file != files.end(); ++file) {
    const auto refused = [&](const std::string &why, const std::string &hint) {
      return Error{ErrorCode::InputRefused, "'" + file->file + "': " + why, hint};
    };
    const auto input = prepared.raw.inputIndex.find(file->input);
    if (input == prepared.raw.inputIndex.end()) {
      std::string names;
      for (const InputSource &known : prepared.raw.inputs)
        if (!known.isScalar && !known.image.defined())
          names += (names.empty() ? "" : ", ") + known.name;
      return refused("the pipeline has no input \"" + file->input + "\".",
                     "It has: " + (names.empty() ? "none" : names) + ".");
    }
    if (prepared.raw.inputs[input->second].isScalar)
      return refused("the input \"" + file->input + "\" is a scalar.",
                     "Give its value: --estimate " + file->input + "=VALUE");
    if (std::ranges::count(files, file->input, &InputFile::input) > 1)
      return refused("the input \"" + file->input + "\" has two files.", "Give only one of them.");
  }
  return Done{};
}

} // namespace

Result<RunInputs> inputsOf(const PreparedPipeline &prepared, const RandomNumbers &random,
                           const std::vector<InputFile> &files) {
  if (auto status = checkFiles(prepared, files); !status) return status.error();
  RunInputs inputs;
  for (std::size_t i = 0; i < prepared.raw.inputs.size(); ++i) {
    const InputSource &input = prepared.raw.inputs[i];
    const Estimates::Input &estimate = prepared.estimates.inputs[i];
    if (input.isScalar || input.image.defined() || !estimate.complete()) continue;
    const pipeline::Box box = boxOf(estimate.dims);
    const Layout layout{estimate.strides, estimate.hostAlignment};
    std::optional<OwnedBuffer> buffer = makeBuffer(input.type, box, layout, 0);
    if (!buffer) return cannotBeLaidOut(input.name, box, layout);
    const auto file = std::ranges::find(files, input.name, &InputFile::input);
    if (file == files.end()) {
      fillRandom(buffer->buffer, input.name, random.seed, random.drawing);
    } else {
      if (auto status = fillFrom(*file, buffer->buffer); !status) return status.error();
    }
    inputs.buffers.emplace(input.name, std::move(*buffer));
  }
  return inputs;
}

Result<RunOutputs> unwrittenOutputs(const Halide::Pipeline &pipeline,
                                    const PreparedPipeline &prepared) {
  RunOutputs outputs;
  for (std::size_t o = 0; o < prepared.raw.outputs.size(); ++o) {
    const ir::Function function = pipeline.outputs()[o].function();
    const pipeline::Box box = boxOf(prepared.estimates.outputs[o]);
    for (int i = 0; i < function.outputs(); ++i) {
      const auto number = static_cast<std::size_t>(i);
      const Layout layout = promisedLayout(function.output_buffers()[number]);
      outputs.names.push_back(function.outputs() == 1 ? function.name()
                                                      : function.name() + "." + std::to_string(i));
      auto buffer = makeBuffer(function.output_types()[number], box, layout, kUnwritten);
      if (!buffer) return cannotBeLaidOut(outputs.names.back(), box, layout);
      outputs.buffers.push_back(std::move(*buffer));
    }
  }
  return outputs;
}

Result<RunOutputs> runPipeline(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                               const RunInputs &inputs, const Halide::Target &target) {
  if (auto status = checkScalars(prepared); !status) return status.error();
  for (auto &[name, parameter] : parametersIn(pipeline)) {
    if (isUserContext(name)) continue;
    Halide::Parameter bound = parameter;
    if (!parameter.is_buffer()) {
      const auto input = prepared.raw.inputIndex.find(name);
      const std::string value = input == prepared.raw.inputIndex.end()
                                    ? std::string()
                                    : prepared.estimates.inputs[input->second].scalar;
      if (auto status = bindScalar(bound, value); !status) return status.error();
      continue;
    }
    const auto buffer = inputs.buffers.find(name);
    if (buffer == inputs.buffers.end()) continue;
    Halide::Buffer<> shared = buffer->second.buffer;
    shared.set_host_dirty();
    bound.set_buffer(shared);
  }
  auto outputs = unwrittenOutputs(pipeline, prepared);
  if (!outputs) return outputs.error();
  std::vector<Halide::Buffer<>> realized;
  for (const OwnedBuffer &output : outputs->buffers)
    realized.push_back(output.buffer);
  Halide::Realization realization(realized);
  pipeline.realize(realization, target);
  for (Halide::Buffer<> &buffer : realized) {
    buffer.copy_to_host();
    buffer.device_deallocate();
  }
  // The next run must start from the host's values: discards the device copies, which a schedule
  // may have changed.
  for (const auto &[name, input] : inputs.buffers) {
    Halide::Buffer<> buffer = input.buffer;
    buffer.set_device_dirty(false);
    buffer.device_deallocate();
  }
  return outputs;
}

} // namespace tessera::halide
