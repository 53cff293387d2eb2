// SPDX-License-Identifier: MIT
// Samples with hand-written schedules become bundles that load, and the report describes them.
#include "engine/halide/compile/device_code.h"
#include "engine/base/sha256.h"
#include "engine/halide/file_io.h"
#include "engine/job/worker_client.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/halide/captured.h"
#include "tests/engine/halide/sample_schedules.h"
#include "tests/engine/schedule/sketch.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <sstream>

namespace tessera::halide::testing {
namespace {

using nlohmann::json;
using pipeline::OpKind;
using pipeline::TypeKind;
using report::CompileReport;
using report::KernelReport;
using report::KernelStage;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Compile : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    job::ProcessOptions options;
    options.program = tessera::test::binPath("tessera-halide");
    s_worker = std::make_unique<job::WorkerClient>(options);
    s_folder = std::make_unique<TemporaryFolder>();
  }
  static void TearDownTestSuite() {
    s_worker.reset();
    s_folder.reset();
  }

  static std::string file(const std::string &name) { return s_folder->file(name); }
  static std::string sample(const std::string &name) {
    return tessera::test::sharePath("samples/" + name + ".hlpipe");
  }
  static json request(const std::string &pipeline, const std::string &lines,
                      const std::string &output) {
    return {{"path", sample(pipeline)},
            {"directives", json(schedule::toJson(schedule::sketch(lines)))},
            {"output", file(output)},
            {"cache", file("cache")},
            {"linker", TESSERA_TEST_COMPILER}};
  }
  static job::Reply ask(const json &fields) {
    return s_worker->request("compile", fields, std::chrono::seconds(120));
  }
  static CompileReport compiled(const json &fields) {
    const job::Reply reply = ask(fields);
    EXPECT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
    if (reply.outcome != Outcome::Ok) return {};
    auto report = report::compileReportFromJson(reply.body.at("report"));
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : CompileReport{};
  }
  static std::string contentOf(const std::string &path) {
    const auto bytes = readFile(path, std::size_t{1} << 28);
    EXPECT_TRUE(bytes) << path;
    return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
  }
  static double operations(const KernelReport &kernel, OpKind kind, TypeKind type) {
    double sum = 0;
    for (const auto &total : kernel.operations)
      if (total.kind == kind && total.type.kind == type) sum += total.count;
    return sum;
  }

  inline static std::unique_ptr<job::WorkerClient> s_worker;
  inline static std::unique_ptr<TemporaryFolder> s_folder;
};

TEST_F(Compile, BlurIsOneKernelOfKnownShape) {
  const CompileReport report = compiled(request("blur", kBlur, "blur"));
  EXPECT_EQ(report.pipeline, "blur");
  EXPECT_EQ(report.target, "x86-64-linux-cuda-cuda_capability_86-no_runtime");
  EXPECT_EQ(report.directives, schedule::sketch(kBlur));
  ASSERT_EQ(report.arguments.size(), 2U);
  EXPECT_EQ(report.arguments[0].name, "input");
  EXPECT_EQ(report.arguments[0].region, (pipeline::Box{{0, 2561}, {0, 1921}}));
  EXPECT_EQ(report.arguments[1].kind, report::PipelineArgument::Kind::Output);
  EXPECT_THAT(report.allocations, IsEmpty());
  ASSERT_EQ(report.kernels.size(), 1U);
  const KernelReport &kernel = report.kernels[0];
  EXPECT_EQ(kernel.name, "k0_output_s0");
  EXPECT_EQ(kernel.launches, 1);
  EXPECT_THAT(kernel.blocks, ElementsAre(40, 120, 1));
  EXPECT_THAT(kernel.threads, ElementsAre(32, 4, 1));
  EXPECT_EQ(kernel.sharedBytes, 0);
  EXPECT_THAT(kernel.stages, ElementsAre(KernelStage{"output", 0}, KernelStage{"blur_x", 0}));
}

// If rows are promised to begin at multiples of 8 bytes, the stores of four 16-bit values become
// one store of 64 bits.
TEST_F(Compile, PromisesMakeVectorStores) {
  const std::string lines = R"(
    output split x xo xi 128 round_up | split xi xi xv 4 auto | reorder xv xi y xo
    output vectorize xv | gpu_blocks xo y | gpu_threads xi
    blur_x compute_at output:xi
  )";
  const auto ptx = [&](json fields) {
    EXPECT_FALSE(compiled(fields).kernels.empty());
    return contentOf(std::string(fields.at("output")) + "/kernels.ptx");
  };
  json fields = request("blur", lines, "plain");
  EXPECT_THAT(ptx(fields), Not(HasSubstr("st.global.v2")));
  fields = request("blur", lines, "promised");
  fields["promises"] = {"output.dim(0).min == 0 && output.host_alignment == 8",
                        "output.dim(1).min == 0 && output.dim(1).stride == 2560"};
  EXPECT_THAT(ptx(fields), HasSubstr("st.global.v2"));
  const CompileReport report = compiled(fields);
  EXPECT_EQ(json(report.promises), fields["promises"]) << "whoever runs the bundle has to know";
}

// mat_mul declares the strides of its buffers. A kernel that is cut out of a schedule does so for
// the layout that the schedule gives it, which need not be dense in the declared order.
TEST_F(Compile, TheStridesThatAPipelineDeclaresAreSaidOfItsBundle) {
  json fields = request(
      "mat_mul", "output gpu_blocks y | gpu_threads x\nproduct compute_at output:x", "strides");
  EXPECT_THAT(compiled(fields).promises, Contains("output.dim(1).stride == 1024"));
  fields["promises"] = {"output.dim(1).stride == 1024"};
  fields["output"] = file("strides twice");
  const std::vector<std::string> promises = compiled(fields).promises;
  EXPECT_EQ(std::ranges::count(promises, "output.dim(1).stride == 1024"), 1);
}

// These numbers are counted by hand. A thread computes 2×4 pixels. It reads a 4×6 patch of 16-bit
// values for the 2×6 values of blur_x that it needs, and keeps those in an array.
TEST_F(Compile, CountsAreThoseOfTheLoops) {
  const KernelReport kernel = compiled(request("blur", kBlur, "counts")).kernels.at(0);
  const double threads = 40 * 120 * 32 * 4;
  EXPECT_EQ(kernel.global.stores, threads * 8);
  EXPECT_EQ(kernel.global.storeBytes, threads * 8 * 2);
  EXPECT_EQ(kernel.global.loads, threads * 2 * 6 * 3) << "three for each value of blur_x";
  EXPECT_EQ(kernel.local.stores, threads * 2 * 6);
  EXPECT_EQ(kernel.local.loads, threads * 8 * 3);
  EXPECT_EQ(kernel.global.atomics + kernel.shared.stores + kernel.shared.loads, 0);
  EXPECT_EQ(operations(kernel, OpKind::Divide, TypeKind::UInt), threads * (12 + 8));
  EXPECT_EQ(operations(kernel, OpKind::Add, TypeKind::UInt), threads * (12 + 8) * 2);
  EXPECT_EQ(operations(kernel, OpKind::Add, TypeKind::Float), 0);
}

TEST_F(Compile, HarrisHasSharedMemoryAndRaggedEdges) {
  const CompileReport report = compiled(request("harris", kHarris, "harris"));
  ASSERT_EQ(report.kernels.size(), 1U);
  const KernelReport &kernel = report.kernels[0];
  EXPECT_THAT(kernel.blocks, ElementsAre(48, 320, 1)) << "1530×2554 in tiles of 32×8";
  EXPECT_EQ(kernel.sharedBytes, (32 + 4) * (8 + 4) * 4);
  EXPECT_THAT(kernel.stages, ElementsAre(KernelStage{"output", 0}, KernelStage{"gray", 0},
                                         KernelStage{"dx", 0}, KernelStage{"dy", 0}));
  // The guard skips stores outside of the output. The count of stores is sampled, so it is not
  // exact.
  EXPECT_NEAR(kernel.global.stores, 1530.0 * 2554.0, 0.02 * 1530 * 2554);
  EXPECT_GT(kernel.shared.loads, kernel.shared.stores * 4);
}

TEST_F(Compile, HistHasKernelsOfMadeFuncsAndAllocations) {
  const CompileReport report = compiled(request("hist", kHist, "hist"));
  ASSERT_EQ(report.kernels.size(), 5U);
  const KernelReport &first = report.kernels[0];
  EXPECT_EQ(first.name, "k0_partial_copy_s0");
  EXPECT_THAT(first.stages,
              ElementsAre(KernelStage{"partial_copy", 0}, KernelStage{"row_histogram", 0},
                          KernelStage{"row_histogram", 1}, KernelStage{"partial", 0},
                          KernelStage{"partial", 1}));
  EXPECT_EQ(first.shared.atomics, 1536.0 * 2560.0) << "each pixel counts once";
  EXPECT_THAT(first.blocks, ElementsAre(80, 1, 1));
  EXPECT_EQ(report.kernels[2].name, "k2_histogram_s1");
  ASSERT_EQ(report.allocations.size(), 3U);
  EXPECT_EQ(report.allocations[0], (report::DeviceAllocation{"partial_copy", 80 * 256 * 4, 1}));
  EXPECT_EQ(report.allocations[1], (report::DeviceAllocation{"histogram", 256 * 4, 1}));
}

// The size of a func that several kernels read contains many lets, but it is known.
TEST_F(Compile, SizesBehindLetsAreKnown) {
  const CompileReport report = compiled(request("hist", R"(
    output        split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if
    output        reorder xi yi xo yo c | gpu_threads xi yi | gpu_blocks xo yo c
    below         compute_root | split b bo bi 32 guard_with_if | gpu_threads bi | gpu_blocks bo
    below.1       gpu_single_thread
    histogram     compute_root | split b bo bi 32 guard_with_if | gpu_threads bi | gpu_blocks bo
    histogram.1   split b bo bi 32 guard_with_if | gpu_threads bi | gpu_blocks bo
    row_histogram compute_root | split b bo bi 32 guard_with_if | reorder bi bo y
    row_histogram gpu_threads bi | gpu_blocks bo y
    row_histogram.1 split y yo yi 32 guard_with_if | gpu_threads yi | gpu_blocks yo
    luma          compute_root | split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if
    luma          reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo
  )",
                                                "lets"));
  ASSERT_FALSE(report.allocations.empty());
  EXPECT_EQ(report.allocations[0], (report::DeviceAllocation{"luma", 1536 * 2560 * 4, 1}));
}

TEST_F(Compile, TheBundleLoadsAndRefersToNothingOfHalide) {
  const CompileReport report = compiled(request("harris", kHarris, "loads"));
  const std::string library = file("loads/" + report.files.library);
  void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << ::dlerror();
  EXPECT_NE(::dlsym(handle, report.entryPoint.c_str()), nullptr);
  EXPECT_NE(::dlsym(handle, (report.entryPoint + "_argv").c_str()), nullptr);
  EXPECT_NE(::dlsym(handle, "halide_set_error_handler"), nullptr);
  ::dlclose(handle);
  const std::string content = contentOf(library);
  EXPECT_EQ(report.librarySha256, sha256Hex(std::as_bytes(std::span(content))));
  EXPECT_THAT(content, Not(HasSubstr("libHalide"))) << "it would need the compiler to load";
  EXPECT_THAT(content, HasSubstr(report.kernels.at(0).name)) << "the host calls it by its new name";
}

TEST_F(Compile, TheFolderHoldsWhatTheReportSays) {
  json fields = request("hist", kHist, "folder");
  fields["want"] = {"lowered", "ptx"};
  const CompileReport report = compiled(fields);
  const auto index =
      report::compileReportFromJson(json::parse(contentOf(file("folder/bundle.json"))));
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(*index, report);
  const std::string lowered = contentOf(file("folder/" + report.files.lowered));
  EXPECT_THAT(lowered, HasSubstr("produce partial_copy {"));
  const std::string device = contentOf(file("folder/" + report.files.device));
  for (const KernelReport &kernel : report.kernels) {
    std::istringstream lines(device);
    std::string line;
    for (std::uint32_t i = 0; i < kernel.firstLine; ++i)
      std::getline(lines, line);
    EXPECT_EQ(line, ".visible .entry " + kernel.name + "(");
    for (std::uint32_t i = 1; i < kernel.lineCount; ++i)
      std::getline(lines, line);
    EXPECT_THAT(line, ::testing::StartsWith("}"));
  }
}

// Halide's own names tell which func a line stores to and which stage a loop belongs to. The report
// has to agree with them.
void expectStagesFit(const std::string &lowered, const CompileReport &report) {
  std::set<std::string> funcs;
  for (const KernelReport &kernel : report.kernels)
    for (const KernelStage &stage : kernel.stages)
      funcs.insert(stage.func);
  auto lines = report.loweredLines.begin();
  std::istringstream text(lowered);
  std::string line;
  std::size_t stores = 0, loops = 0;
  for (std::uint32_t number = 1; std::getline(text, line); ++number) {
    while (lines != report.loweredLines.end() && lines->last < number)
      ++lines;
    const bool inside = lines != report.loweredLines.end() && lines->first <= number;
    line.erase(0, line.find_first_not_of(' '));
    const std::string buffer = line.substr(0, line.find('['));
    const bool ofHost = buffer.ends_with(".shared_size"); // on the host, before the launch
    if (!ofHost && funcs.count(buffer.substr(0, buffer.find('.'))) &&
        line.find("] = ") != std::string::npos) {
      ASSERT_TRUE(inside) << number << ": " << line;
      EXPECT_EQ(lines->stage.func, buffer.substr(0, buffer.find('.'))) << number << ": " << line;
      ++stores;
    }
    const auto loop = line.ends_with("{") ? line.find(" (") : std::string::npos;
    const auto stage = loop == std::string::npos ? std::string::npos : line.find(".s", loop);
    const std::string func =
        stage == std::string::npos ? "" : line.substr(loop + 2, stage - loop - 2);
    if (funcs.count(func)) {
      ASSERT_TRUE(inside) << number << ": " << line;
      const auto digit = static_cast<std::uint32_t>(line[stage + 2] - '0');
      EXPECT_EQ(lines->stage, (KernelStage{func, digit})) << number << ": " << line;
      ++loops;
    }
  }
  EXPECT_GT(stores, 0U);
  EXPECT_GT(loops, 0U);
}

TEST_F(Compile, EachLineOfTheLoopsKnowsItsStage) {
  for (const auto &[pipeline, schedule] :
       {std::pair{"blur", kBlur}, {"harris", kHarris}, {"hist", kHist}}) {
    SCOPED_TRACE(pipeline);
    json fields = request(pipeline, schedule, "lines");
    fields["want"] = {"lowered"};
    const CompileReport report = compiled(fields);
    expectStagesFit(contentOf(file("lines/" + report.files.lowered)), report);
    // Every stage that a kernel computes has lines.
    for (const KernelReport &kernel : report.kernels)
      for (const KernelStage &stage : kernel.stages)
        EXPECT_THAT(report.loweredLines,
                    ::testing::Contains(::testing::Field(&report::StageLines::stage, stage)))
            << stage.func << " " << stage.stage;
  }
  EXPECT_THAT(compiled(request("blur", kBlur, "lines")).loweredLines, IsEmpty())
      << "nobody asked for the text";
}

TEST_F(Compile, TheSameScheduleGivesTheSameBytes) {
  compiled(request("hist", kHist, "same"));
  const std::string device = contentOf(file("same/kernels.ptx"));
  const std::string library = contentOf(file("same/pipeline.so"));
  compiled(request("blur", kBlur, "between"));
  compiled(request("hist", kHist, "same"));
  EXPECT_TRUE(contentOf(file("same/kernels.ptx")) == device);
  EXPECT_TRUE(contentOf(file("same/pipeline.so")) == library);
}

TEST_F(Compile, ARepeatedRequestIsQuick) {
  const json fields = request("blur", kBlur, "quick");
  compiled(fields);
  const job::Reply reply = ask(fields);
  ASSERT_EQ(reply.outcome, Outcome::Ok);
  EXPECT_LT(reply.body["seconds"]["runtime"].get<double>(), 0.05) << "compiled once and kept";
}

TEST_F(Compile, WithoutToolsTheReportSaysSoOnce) {
  json fields = request("hist", kHist, "bare");
  fields.erase("linker");
  fields["want"] = {"sass"};
  const CompileReport report = compiled(fields);
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("ptxas was not found"),
                                          HasSubstr("no C++ compiler was found")));
  EXPECT_TRUE(report.files.library.empty());
  EXPECT_FALSE(report.kernels.at(0).assembler);
  EXPECT_TRUE(report.architecture.empty());
}

// The output of both disassemblers for two kernels.
TEST(LinesOfSass, OfBothDisassemblers) {
  const std::string nvdisasm = "\t.target\tsm_90\n\n\n"
                               "//--------------------- .text.k1_g --------------------------\n"
                               "\t.section\t.text.k1_g,\"ax\",@progbits\n"
                               "        /*0000*/  EXIT ;\n"
                               ".L_x_1:\n\n\n"
                               "//--------------------- .text.k1_g2 --------------------------\n"
                               "        /*0000*/  NOP ;\n\n"
                               "//--------------------- SYMBOLS --------------------------\n";
  const auto lines = [](const std::string &text, const char *kernel) {
    const LineRange range = linesOfSass(text, kernel);
    return std::pair(range.first, range.count);
  };
  EXPECT_EQ(lines(nvdisasm, "k1_g"), std::pair(4U, 4U));
  EXPECT_EQ(lines(nvdisasm, "k1_g2"), std::pair(10U, 2U));
  EXPECT_EQ(lines(nvdisasm, "k1"), std::pair(0U, 0U));
  const std::string cuobjdump = "\tcode for sm_90\n\n"
                                "\t\tFunction : k1_g2\n  /*0000*/ NOP ;\n\t\t..........\n\n\n"
                                "\t\tFunction : k1_g\n  /*0000*/ EXIT ;\n\t\t..........\n\n";
  EXPECT_EQ(lines(cuobjdump, "k1_g2"), std::pair(3U, 3U));
  EXPECT_EQ(lines(cuobjdump, "k1_g"), std::pair(8U, 3U));
}

TEST_F(Compile, GivesMachineCodeWhereThereIsADisassembler) {
  if (std::string(TESSERA_TEST_PTXAS).empty()) GTEST_SKIP() << "no ptxas here";
  if (std::string(TESSERA_TEST_DISASSEMBLER).empty()) GTEST_SKIP() << "no nvdisasm here";
  json fields = request("hist", kHist, "sass");
  fields["ptxas"] = tessera::test::sourcePath(TESSERA_TEST_PTXAS);
  fields["disassembler"] = tessera::test::sourcePath(TESSERA_TEST_DISASSEMBLER);
  fields["want"] = {"sass"};
  const CompileReport report = compiled(fields);
  EXPECT_THAT(report.remarks, IsEmpty());
  const std::string sass = contentOf(file("sass/" + report.files.sass));
  EXPECT_THAT(sass, HasSubstr("EXIT"));
  std::set<std::uint32_t> firsts;
  for (const KernelReport &kernel : report.kernels) {
    EXPECT_GT(kernel.sassLineCount, 20U) << kernel.name;
    EXPECT_TRUE(firsts.insert(kernel.sassFirstLine).second) << kernel.name;
  }
}

TEST_F(Compile, WithoutADisassemblerTheReportSaysSoOnce) {
  if (std::string(TESSERA_TEST_PTXAS).empty()) GTEST_SKIP() << "no ptxas here";
  json fields = request("hist", kHist, "no_sass");
  fields["ptxas"] = tessera::test::sourcePath(TESSERA_TEST_PTXAS);
  fields["want"] = {"sass"};
  const CompileReport report = compiled(fields);
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("neither nvdisasm nor cuobjdump was found")));
  EXPECT_TRUE(report.files.sass.empty());
  EXPECT_TRUE(report.kernels.at(0).assembler) << "the rest works";
  fields["disassembler"] = "/bin/false";
  EXPECT_THAT(compiled(fields).remarks, ElementsAre(HasSubstr("/bin/false gave no SASS")));
}

TEST_F(Compile, OpenClAndHostCompileToo) {
  json fields = request("blur", kBlur, "opencl");
  fields["target"] = "opencl";
  const CompileReport opencl = compiled(fields);
  ASSERT_EQ(opencl.kernels.size(), 1U);
  EXPECT_THAT(opencl.kernels[0].blocks, ElementsAre(40, 120, 1));
  EXPECT_GT(opencl.kernels[0].lineCount, 10U);
  EXPECT_THAT(contentOf(file("opencl/" + opencl.files.device)), HasSubstr(opencl.kernels[0].name));

  fields = request("blur", "blur_x compute_root", "host");
  fields["target"] = "host";
  const CompileReport host = compiled(fields);
  EXPECT_THAT(host.kernels, IsEmpty());
  EXPECT_FALSE(host.files.library.empty());
}

TEST_F(Compile, RefusalsNameTheirCause) {
  const auto message = [](const json &fields) {
    const job::Reply reply = ask(fields);
    EXPECT_EQ(reply.outcome, Outcome::CompileError);
    return reply.error.message;
  };
  EXPECT_THAT(message(request("blur", "output unroll q", "no")),
              HasSubstr("directive 1, output.unroll: output has no loop \"q\""));
  EXPECT_THAT(message(request("blur", "blur_x compute_at output:x | gpu_threads x", "no")),
              HasSubstr("the schedule does not compile: Halide says: "));
  json fields = request("blur", kBlur, "no");
  fields["capability"] = 90;
  EXPECT_THAT(message(fields), HasSubstr("Halide cannot compile for CUDA compute capability 90"));
  fields = request("blur", kBlur, "no");
  fields["target"] = "metal";
  EXPECT_THAT(message(fields), HasSubstr("\"target\" is not \"cuda\", \"opencl\" or \"host\""));
  fields = request("blur", kBlur, "no");
  fields["register_cap"] = 1000;
  EXPECT_THAT(message(fields), HasSubstr("\"register_cap\" is not a number from 16 to 255"));
  fields = request("blur", kBlur, "no");
  fields["want"] = {"gold"};
  EXPECT_THAT(message(fields), HasSubstr("\"want\" is not a list of available items: \"gold\""));
  fields = request("blur", kBlur, "no");
  fields["linker"] = "/bin/false";
  EXPECT_THAT(message(fields), HasSubstr("/bin/false could not link"));
  EXPECT_FALSE(std::filesystem::exists(file("no")));
}

// A thread needs three rows of blur_x. Halide sees that two are too few, warns, and leaves out the
// kernel.
TEST_F(Compile, ASchedulesMissingKernelsAreAnError) {
  const job::Reply reply = ask(request("blur",
                                       "output split x xo xt 64 guard_with_if | "
                                       "gpu_threads xt | gpu_blocks xo y\n"
                                       "blur_x compute_at output:xt | bound_storage y 2",
                                       "none"));
  EXPECT_EQ(reply.outcome, Outcome::CompileError);
  EXPECT_THAT(
      reply.error.message,
      HasSubstr("Halide leaves no kernel of the schedule: it sees that a check always fails, "
                "halide_error_storage_bound_too_small(\"blur_x\""));
}

TEST_F(Compile, AFolderOfSomebodyElseIsNotReplaced) {
  std::filesystem::create_directory(file("precious"));
  ASSERT_TRUE(writeFile(file("precious/letter"), ""));
  const job::Reply reply = ask(request("blur", kBlur, "precious"));
  EXPECT_THAT(reply.error.message, HasSubstr("already exists and is not a bundle"));
  EXPECT_TRUE(std::filesystem::exists(file("precious/letter")));
  const auto leftovers = std::distance(std::filesystem::directory_iterator(file("")),
                                       std::filesystem::directory_iterator());
  compiled(request("blur", kBlur, "another"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file("")),
                          std::filesystem::directory_iterator()),
            leftovers + 1)
      << "temporary folders are gone";
}

TEST_F(Compile, AssemblesWhereThereIsAnAssembler) {
  if (std::string(TESSERA_TEST_PTXAS).empty()) GTEST_SKIP() << "no ptxas here";
  json fields = request("hist", kHist, "assembled");
  fields["ptxas"] = tessera::test::sourcePath(TESSERA_TEST_PTXAS);
  fields["register_cap"] = 32;
  const CompileReport report = compiled(fields);
  EXPECT_EQ(report.architecture, "sm_90");
  EXPECT_EQ(report.registerCap, 32);
  for (const KernelReport &kernel : report.kernels) {
    ASSERT_TRUE(kernel.assembler) << kernel.name;
    EXPECT_GT(kernel.assembler->registers, 4);
    EXPECT_LE(kernel.assembler->registers, 32);
  }
  fields["sm"] = "sm_1";
  EXPECT_THAT(compiled(fields).remarks, ElementsAre(HasSubstr("ptxas failed")));
}

} // namespace
} // namespace tessera::halide::testing
