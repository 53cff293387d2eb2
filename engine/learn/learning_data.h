// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/kernel_features.h"
#include "engine/learn/training.h"
#include "engine/base/result.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::learn {

// A kernel of a schedule that was measured. Times are of all its launches, each with the gap to the
// next kernel, in milliseconds.
struct KernelRow {
  KernelFeatures features{};
  double predicted = 0; // by the analytic model
  double measured = 0;  // 0: it was not measured apart
};
// What the analytic model says of a schedule.
struct Predicted {
  double milliseconds = 0;
  std::vector<KernelRow> kernels;
};

// A schedule that was measured, with its features, and where that happened.
struct DataRow {
  std::string application;
  std::string hash;    // of the schedule
  std::string machine; // the name of the GPU
  std::string commit;  // of the program that measured; empty: not known
  Predicted predicted; // as a search predicts it
  Predicted compiled; // with the registers and spills that ptxas reported; without kernels: unknown
  Sample sample;
};

// What `tessera-cli learn data` makes, and training reads.
struct LearningData {
  std::string program; // that found the features, with its commit
  std::vector<DataRow> rows;

  std::vector<std::string> machines() const; // each once, in the order of the rows
  std::set<std::string> applicationNames() const;
  // Each once, in alphabetical order. Times are compared within an application and machine.
  std::vector<Application> applications() const;
};

// Lines of JSON: a head, the features of each algorithm once, each row, and the number of rows.
std::string toText(const LearningData &data);
// Refuses a file that is something else, is not whole, or has features of another version.
Result<LearningData> learningDataFrom(std::string_view text, const std::string &name);

} // namespace tessera::learn
