// SPDX-License-Identifier: MIT
#include "engine/measure/inputs.h"

#include "engine/array/read_array.h"
#include "engine/pipeline/measures.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tessera::measure {

namespace {

using array::Array;
using pipeline::ScalarType;
using pipeline::TypeKind;

using Extents = std::vector<std::int64_t>;

bool isNumber(std::string_view text) {
  double value = 0;
  const char *end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc() && rest == end;
}

Extents extentsOf(const std::vector<pipeline::Interval> &dims) {
  Extents extents;
  for (const pipeline::Interval &dim : dims)
    extents.push_back(dim.extent());
  return extents;
}

Extents extentsOf(const pipeline::Input &input) {
  Extents extents;
  for (const pipeline::Estimate &dim : input.dims)
    extents.push_back(dim.range.extent());
  return extents;
}

std::string namesOf(std::span<const pipeline::Input> inputs) {
  std::string names;
  for (const pipeline::Input &input : inputs)
    names += (names.empty() ? "" : ", ") + input.name;
  return names.empty() ? "It has none." : "It has: " + names + ".";
}

// The name of a size of the pipeline at which the input has these extents.
std::string sizeThatTakes(const Extents &extents, const std::string &input,
                          const open::OpenedPipeline &opened) {
  for (const open::PipelineSize &size : opened.sizes)
    for (const std::string &text : size.estimates) {
      const auto estimate = open::parseEstimate(text);
      if (estimate && estimate->name == input && extentsOf(estimate->dims) == extents)
        return size.name;
    }
  return {};
}

// An --estimate option that gives the input these extents. The number of dimensions must match.
std::string estimateFor(const Extents &extents, const pipeline::Input &input) {
  std::string text = "--estimate " + input.name + "=";
  for (std::size_t d = 0; d < extents.size(); ++d)
    text +=
        (d ? "," : "") + std::to_string(input.dims[d].range.min) + ":" + std::to_string(extents[d]);
  return text;
}

std::string whatToDo(const Array &array, const pipeline::Input &input,
                     const open::OpenedPipeline &opened) {
  const std::string known = sizeThatTakes(array.extents, input.name, opened);
  if (!known.empty()) return "The size \"" + known + "\" takes this file (--size " + known + ").";
  const bool isAsDeep = array.extents.size() == input.dims.size();
  const std::string axes = "The last dimension is NumPy's first axis.";
  if (!isAsDeep) return array.isImage() ? "" : axes;
  return (array.isImage() ? "Scale it" : axes + " Transpose the array") +
         ", or give its size, and the sizes of the outputs with it: " +
         estimateFor(array.extents, input);
}

Error otherSize(const Array &array, const pipeline::Input &input,
                const open::OpenedPipeline &opened, const std::string &file) {
  return array::refused(file,
                        "it is " + pipeline::extentsText(array.extents) + ", but \"" + input.name +
                            "\" takes " + pipeline::extentsText(extentsOf(input)) +
                            " at this size of the pipeline.",
                        whatToDo(array, input, opened));
}

template <typename Sample, typename Float>
void scale(const Array &image, std::vector<std::uint8_t> &data) {
  for (std::size_t i = 0; i < image.data.size() / sizeof(Sample); ++i) {
    Sample sample{};
    std::memcpy(&sample, &image.data[i * sizeof sample], sizeof sample);
    const Float value = static_cast<Float>(sample) / static_cast<Float>(image.white);
    std::memcpy(&data[i * sizeof value], &value, sizeof value);
  }
}

template <typename Float>
void becomeFloats(Array &image) {
  std::vector<std::uint8_t> data(image.data.size() / static_cast<std::size_t>(image.type.bytes()) *
                                 sizeof(Float));
  if (image.type.bits == 8)
    scale<std::uint8_t, Float>(image, data);
  else
    scale<std::uint16_t, Float>(image, data);
  image.data = std::move(data);
  image.type = {TypeKind::Float, 8 * sizeof(Float)};
}

Result<Array> fitted(Array array, const pipeline::Input &input, const open::OpenedPipeline &opened,
                     const std::string &file) {
  const Extents wanted = extentsOf(input);
  if (array.isImage())
    while (array.extents.size() < wanted.size() && wanted[array.extents.size()] == 1)
      array.extents.push_back(1);
  if (array.extents != wanted) return otherSize(array, input, opened, file);
  if (array.isImage() && input.type == ScalarType{TypeKind::Float, 32}) becomeFloats<float>(array);
  if (array.isImage() && input.type == ScalarType{TypeKind::Float, 64}) becomeFloats<double>(array);
  if (array.type != input.type)
    return array::refused(file,
                          "it holds " + toString(array.type) + ", but \"" + input.name +
                              "\" takes " + toString(input.type) + ".",
                          array.isImage() ? "Convert it, or give a NumPy array."
                                          : "Convert it: array.astype(…)");
  return array;
}

Result<bench::GivenInput> readGiven(const GivenValue &value, const open::OpenedPipeline &opened) {
  const auto inputs = opened.pipeline->inputs();
  const auto input = std::ranges::find(inputs, value.name, &pipeline::Input::name);
  if (input == inputs.end())
    return array::refused(value.text, "the pipeline has no input \"" + value.name + "\".",
                          namesOf(inputs));
  if (input->isScalar)
    return array::refused(value.text, "the input \"" + value.name + "\" is a scalar.",
                          "Give its value: --input " + value.name + "=VALUE");
  auto read = array::readArray(value.text);
  if (!read) return read.error();
  auto array = fitted(std::move(*read), *input, opened, value.text);
  if (!array) return array.error();
  return bench::GivenInput{value.name, std::move(*array)};
}

} // namespace

Result<GivenValue> parseInput(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return Error{ErrorCode::Usage, "'" + std::string(text) + "' is not an input.",
                 "Write NAME=FILE (.npy, .png, .pgm, .ppm), or NAME=VALUE for a scalar."};
  GivenValue value{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)),
                   false};
  value.isScalar = isNumber(value.text) || value.text == "true" || value.text == "false";
  return value;
}

Result<std::vector<bench::GivenInput>> readGivenInputs(const std::vector<GivenValue> &values,
                                                       const open::OpenedPipeline &opened) {
  std::vector<bench::GivenInput> inputs;
  for (const GivenValue &value : values) {
    if (value.isScalar) continue; // the caller has turned it into an estimate
    if (std::ranges::find(inputs, value.name, &bench::GivenInput::name) != inputs.end())
      return Error{ErrorCode::Usage, "The input \"" + value.name + "\" has two files.",
                   "Give only one of them."};
    auto input = readGiven(value, opened);
    if (!input) return input.error();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

Result<std::vector<bench::GivenInput>> readGivenInputs(const RunInputs &inputs,
                                                       const open::OpenedPipeline &opened) {
  std::vector<GivenValue> values;
  for (const RunInputs::File &file : inputs.files)
    values.push_back({file.input, file.path, false});
  return readGivenInputs(values, opened);
}

Result<std::vector<InputFile>> placedInputs(const std::vector<bench::GivenInput> &inputs,
                                            const std::string &folder) {
  if (inputs.empty()) return std::vector<InputFile>();
  if (const Status written = bench::writeInputs(inputs, folder); !written) return written.error();
  const auto placed = bench::readInputs(folder);
  if (!placed) return placed.error();
  std::vector<InputFile> files;
  for (const bench::InputFolder::Entry &entry : placed->entries)
    files.push_back({entry.name, entry.file});
  return files;
}

} // namespace tessera::measure
