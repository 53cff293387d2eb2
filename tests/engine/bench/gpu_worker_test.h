// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"
#include "engine/host/files.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

namespace tessera::bench::test {

inline const std::string kBundle = tessera::test::testPath("measured_bundle");
inline const std::string kReference = kBundle + "/reference";
// Makes the fake device write the correct output.
inline const std::string kRight = "write \"" + kReference + "/output0.raw\" ";
inline constexpr std::chrono::seconds kTimeout{60};

// The real tessera-gpu on fakes of NVIDIA's libraries. fake_cuda.cpp lists what a test can wish.
class GpuWorkerTest : public testing::Test {
protected:
  static job::ProcessOptions worker(const std::string &wishes, const std::string &cupti = "",
                                    const std::string &nvml = "") {
    job::ProcessOptions options;
    options.program = tessera::test::binPath("tessera-gpu");
    options.environment = {{"LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda")},
                           {"TESSERA_FAKE_CUDA", wishes},
                           {"TESSERA_FAKE_CUPTI", cupti},
                           {"TESSERA_FAKE_NVML", nvml}};
    return options;
  }

  // A short measurement that includes everything.
  static MeasureOptions options() {
    MeasureOptions options;
    options.bundle = kBundle;
    options.reference = kReference;
    options.warmUpSeconds = 0.02;
    options.batchSeconds = 1e-4;
    return options;
  }

  // A copy of the bundle that a test may damage.
  std::string bundleCopy() {
    const std::string copy = m_scratch->path() + "/bundle";
    std::filesystem::copy(kBundle, copy, std::filesystem::copy_options::recursive);
    return copy;
  }
  const std::string &folder() const { return m_scratch->path(); }

private:
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

} // namespace tessera::bench::test
