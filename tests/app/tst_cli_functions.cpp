// SPDX-License-Identifier: MIT
// Runs pipelines with extern stages whose functions the user gives: as a source, as a library, for
// a serialized pipeline and for a document, and as a generator of the same name.

#include "tests/app/cli_test.h"

#include "engine/document/document_file.h"
#include "engine/document/pipeline_copy.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tessera {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class CliFunctions : public app::test::CliTest {
protected:
  using Words = std::vector<std::string>;

  // Copies, since what is missing is looked for beside a generator.
  CliFunctions() {
    fs::create_directories(home() + "/there");
    fs::copy(tessera::test::sourcePath("tests/data/extern_generators.cpp"), m_generators);
    fs::copy(tessera::test::sourcePath("tests/engine/halide/extern_functions.cpp"), m_functions);
  }

  Ran verify(const std::string &file, const Words &more, const std::string &schedule = "default") {
    Words words{"verify", file, "--schedule", schedule};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  // A schedule for a GPU of the generator, in a file.
  std::string scheduled(const std::string &generator, const Words &more) {
    const std::string path = home() + "/" + generator + ".json";
    Words words{"schedule", m_generators, "--generator", generator, "--trust", "-o", path};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return path;
  }

  const std::string m_generators = home() + "/generators.cpp";
  const std::string m_functions = home() + "/there/functions.cpp";
  const std::string m_library = tessera::test::binPath("libtessera_extern_functions.so");
};

TEST_F(CliFunctions, AreGivenAsASourceOrALibrary) {
  const Words opened{"--generator", "doubling", "--trust"};
  const Ran missing = verify(m_generators, opened);
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(missing.errors, AllOf(HasSubstr("doubled calls tessera_test_double"),
                                    HasSubstr("--with-source FILE or --with-library FILE")));

  // Beside the generator, the source is found, and named as it has to be given.
  const std::string beside = home() + "/functions.cpp";
  fs::copy(m_functions, beside);
  EXPECT_THAT(verify(m_generators, opened).errors, HasSubstr("--with-source " + beside));

  for (const Words &given :
       {Words{"--with-source", m_functions}, Words{"--with-library", m_library}}) {
    Words words = opened;
    words.insert(words.end(), given.begin(), given.end());
    const Ran there = verify(m_generators, words);
    SKIP_WITHOUT_OPENCL(there);
    EXPECT_EQ(there.code, 0) << given.front() << there.errors;
    EXPECT_THAT(there.output, HasSubstr("output: equal, 3072 elements, 0 differ"));
  }
}

// What a GPU has written is brought back by the function itself, as Halide demands.
TEST_F(CliFunctions, ReadWhatAGpuHasWritten) {
  const Words given{"--with-source", m_functions};
  const std::string schedule = scheduled("doubling", given);
  EXPECT_THAT(*host::readFile(schedule), HasSubstr("gpu_blocks"));
  const Words opened{"--generator", "doubling", "--with-source", m_functions, "--trust"};
  const Ran ran = verify(m_generators, opened, schedule);
  SKIP_WITHOUT_OPENCL(ran);
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("output: equal, 3072 elements, 0 differ"));
}

// A generator of the function's name is compiled for it, as stock Halide's build would.
TEST_F(CliFunctions, AreMadeByGeneratorsOfTheirName) {
  const std::string schedule = scheduled("tripling", {});
  const Words opened{"--generator", "tripling", "--trust"};
  const Ran ran = verify(m_generators, opened, schedule);
  SKIP_WITHOUT_OPENCL(ran);
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("output: equal, 3072 elements, 0 differ"));
}

// The types of all arguments are in the symbol, which is made where the generator runs.
TEST_F(CliFunctions, MayHaveNamesOfCpp) {
  const Words opened{"--generator", "scaling", "--trust"};
  const Ran missing = verify(m_generators, opened);
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(missing.errors,
              HasSubstr("scaled calls _ZN12tessera_test5scaleEP15halide_buffer_taS1_"));
  const std::string beside = home() + "/functions.cpp";
  fs::copy(m_functions, beside);
  EXPECT_THAT(verify(m_generators, opened).errors, HasSubstr("--with-source " + beside));
  const Ran there =
      verify(m_generators, {"--generator", "scaling", "--with-source", m_functions, "--trust"});
  SKIP_WITHOUT_OPENCL(there);
  EXPECT_EQ(there.code, 0) << there.errors;
  EXPECT_THAT(there.output, HasSubstr("output: equal, 3072 elements, 0 differ"));
}

// What only the program can give that calls the pipeline.
TEST_F(CliFunctions, ThatCannotRunHereAreRefusedWithTheReason) {
  const auto errors = [&](const std::string &generator) {
    const Ran ran =
        verify(m_generators, {"--generator", generator, "--with-source", m_functions, "--trust"});
    EXPECT_NE(ran.code, 0);
    return ran.errors;
  };
  EXPECT_THAT(errors("on_device"), HasSubstr("scaled calls tessera_test_double, which works on a "
                                             "device: it needs the context and the queue"));
  EXPECT_THAT(errors("pointing"),
              HasSubstr("the input \"factor\" is a pointer, and only the "
                        "program that calls the pipeline has what it points to"));
}

TEST_F(CliFunctions, ABundleIsLinkedWithThem) {
  const auto bundleOf = [&](const Words &given) {
    Words words{"compile", m_generators, "--generator", "doubling", "--schedule",
                "default", "--trust",    "--json",      "--output", home() + "/bundle"};
    words.insert(words.end(), given.begin(), given.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return json::parse(ran.output);
  };
  const json without = bundleOf({});
  EXPECT_EQ(without.at("files").at("library"), "");
  EXPECT_FALSE(without.contains("functions"));
  const json linked = bundleOf({"--with-source", m_functions});
  EXPECT_NE(linked.at("files").at("library"), "");
  EXPECT_EQ(linked.at("functions"), json::array({"tessera_test_double"}));
}

class CliFunctionsOfFiles : public CliFunctions {
protected:
  // Opens the generator as the explorer does, and keeps its pipeline as a file and as a document.
  CliFunctionsOfFiles() {
    host::ToolPaths tools =
        host::findTools({.programPath = tessera::test::binPath("tessera-cli"),
                         .searchPath = "/usr/bin:/bin",
                         .home = home(),
                         .halideRoot = tessera::test::sourcePath(TESSERA_TEST_HALIDE_ROOT)});
    tools.cacheDir = home();
    open::PipelineOpener opener(tools, m_trust);
    open::OpenRequest request;
    request.path = m_generators;
    request.generator = "doubling";
    request.build.sources = {m_functions};
    for (const std::string &file : {m_generators, m_functions})
      if (!m_trust->trust(*host::fileHash(file), file)) throw std::runtime_error("not trusted");
    const auto opened = opener.open(request);
    if (!opened) throw std::runtime_error(opened.error().message);
    fs::copy(opened->file.pipeline, m_pipeline);
    document::Document document(
        std::make_shared<const document::PipelineCopy>(document::copyOf(request, *opened)));
    if (const Status edited = document.apply(
            document::EditSchedule{"Default", schedule::defaultSchedule(opened->pipeline)});
        !edited)
      throw std::runtime_error(edited.error().message);
    if (const Status saved = document::saveDocument(m_document, document, "layout"); !saved)
      throw std::runtime_error(saved.error().message);
  }

  const std::string m_pipeline = home() + "/doubling.hlpipe";
  const std::string m_document = home() + "/doubling.tessera";
  const std::shared_ptr<host::TrustStore> m_trust =
      std::make_shared<host::TrustStore>(home() + "/trust.json");
};

// A document says where they were; they run only if the user has allowed that.
TEST_F(CliFunctionsOfFiles, OfADocumentAreThoseItWasOpenedWith) {
  const Ran refused = verify(m_document, {}, "current");
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("extern stages are made from '"),
                                    HasSubstr("has not been allowed to run")));
  ASSERT_EQ(run({"inspect", m_generators, "--generator", "doubling", "--with-source", m_functions,
                 "--trust"})
                .code,
            0);
  const Ran ran = verify(m_document, {}, "current");
  SKIP_WITHOUT_OPENCL(ran);
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("output: equal, 3072 elements, 0 differ"));
}

TEST_F(CliFunctionsOfFiles, AreGivenToASerializedPipeline) {
  const Ran missing = verify(m_pipeline, {});
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(missing.errors, HasSubstr("doubled calls tessera_test_double"));
  const Ran ran = verify(m_pipeline, {"--with-source", m_functions, "--trust"});
  SKIP_WITHOUT_OPENCL(ran);
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("output: equal, 3072 elements, 0 differ"));
}

} // namespace
} // namespace tessera
