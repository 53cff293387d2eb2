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

// The expected outputs of a pipeline: a folder with `reference.json` and a file of elements for
// each output. Made by running a host bundle on the inputs.
class Reference {
public:
  static void make(const ReferenceOptions &options);
  // Fails if the reference in the folder is for another pipeline or for other inputs. compare()
  // checks the size.
  static Reference read(const std::string &folder, const std::string &pipelineSha256,
                        const PipelineInputs &inputs);

  // The index file. It is written last and describes the other files.
  static std::string indexOf(const std::string &folder);

  // Compares the host's copy of `output` with the expected elements.
  report::OutputComparison compare(const PipelineBuffer &output);

private:
  struct Output {
    std::string name;
    pipeline::ScalarType type;
    pipeline::Box region;
    report::ComparisonRule rule;
    std::vector<std::uint8_t> elements;
    report::RoundedElements rounded; // see engine/halide/verify/rounding.h
    // The last output that was found right. Most schedules compute identical bytes, and testing
    // that is faster than a comparison.
    std::vector<std::uint8_t> right;
    report::OutputComparison comparison; // the comparison of `right`
  };
  std::string m_folder;
  std::vector<Output> m_outputs;
};

} // namespace tessera::bench
