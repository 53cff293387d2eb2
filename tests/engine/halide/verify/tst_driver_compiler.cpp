// SPDX-License-Identifier: MIT
// The requests to NVIDIA's driver, on a fake of its library.
#include "engine/halide/verify/driver_compiler.h"

#include "tests/engine/bench/fake_cuda.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

namespace tessera::halide::testing {
namespace {

class DriverCompiler : public ::testing::Test {
protected:
  ~DriverCompiler() override { letDriverOptimize(true); }

  void SetUp() override { ASSERT_NE(m_library, nullptr) << ::dlerror(); }

  template <typename Function>
  Function *function(const char *name) {
    return reinterpret_cast<Function *>(detail::driverFunction(m_library, name));
  }

  // Returns the optimisation level that the driver is given for a module; -1 if none is given.
  int level() {
    constexpr int kMaxRegisters = 0; // CU_JIT_MAX_REGISTERS
    int options[] = {kMaxRegisters};
    void *values[] = {reinterpret_cast<void *>(64)};
    void *module = nullptr;
    auto *load =
        function<int(void **, const void *, unsigned, int *, void **)>("cuModuleLoadDataEx");
    EXPECT_EQ(load(&module, "ptx", 1, options, values), 0);
    return reinterpret_cast<int (*)()>(::dlsym(m_library, "fakeOptimizationLevel"))();
  }

  void *const m_library =
      ::dlopen(tessera::test::testPath("fake_cuda/libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
};

TEST_F(DriverCompiler, OptimizesUnlessItIsToldNotTo) {
  EXPECT_EQ(level(), -1);
  letDriverOptimize(false);
  EXPECT_EQ(level(), 0);
  letDriverOptimize(true);
  EXPECT_EQ(level(), -1);
}

TEST_F(DriverCompiler, GivesEveryOtherFunctionAsItIs) {
  EXPECT_EQ(detail::driverFunction(m_library, "cuInit"), ::dlsym(m_library, "cuInit"));
  EXPECT_EQ(detail::driverFunction(m_library, "cuNoSuchFunction"), nullptr);
}

} // namespace
} // namespace tessera::halide::testing
