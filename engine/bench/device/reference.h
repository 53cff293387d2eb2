// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/pipeline_buffer.h"
#include "engine/bench/device/pipeline_inputs.h"
#include "engine/bench/measure_request.h"
#include "engine/report/compare_elements.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

// What a pipeline's outputs have to be: `reference.json` and a file of elements for each output, in
// a folder. Made by running a bundle for the host on the inputs.
class Reference {
public:
  static void make(const ReferenceOptions &options);
  // Fails where the folder holds that of another pipeline, size or inputs.
  static Reference read(const std::string &folder, const std::string &pipelineSha256,
                        const PipelineInputs &inputs);

  // The file that is written last, and says what the others are.
  static std::string indexOf(const std::string &folder);

  // With what the output holds on the host.
  report::OutputComparison compare(const PipelineBuffer &output);

private:
  struct Output {
    std::string name;
    pipeline::ScalarType type;
    pipeline::Box region;
    report::ComparisonRule rule;
    std::vector<std::uint8_t> elements;
    report::RoundedElements rounded; // as engine/halide/verify/rounding.h
    // What was found last and is right. Most schedules compute the very same, which is seen sooner
    // than compared.
    std::vector<std::uint8_t> right;
    report::OutputComparison comparison; // of it
  };
  std::string m_folder;
  std::vector<Output> m_outputs;
};

} // namespace tessera::bench
