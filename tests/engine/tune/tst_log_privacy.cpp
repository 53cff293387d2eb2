// SPDX-License-Identifier: MIT
// The log on disk with the real workers: it tells what happened to them, and contains nothing of
// the user's.
#include "engine/job/process_event.h"
#include "engine/open/open.h"
#include "engine/record/words.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"
#include "tests/support/telltale.h"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <sstream>

namespace tessera::tune {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class LogPrivacyTest : public host::test::ScratchTest {
protected:
  LogPrivacyTest() {
    m_tools = builtTools();
    m_tools.record = record::Record::open({folder() + "/logs", "tessera"});
  }

  open::PipelineOpener opener() {
    return {m_tools, std::make_shared<host::TrustStore>(m_tools.configDir + "/trust.json")};
  }

  std::string log() {
    const auto text = host::readFile(folder() + "/logs/tessera.log");
    return text ? *text : "";
  }

  // Returns the log after its last line has been written.
  std::string wholeLog() {
    m_tools.record = {};
    return log();
  }

  // Waits for the log line of the first answer and returns the pid in it. Another thread writes the
  // line, so it may come late.
  pid_t firstWorker() {
    const std::string mark = "request ended program=tessera-halide pid=";
    std::size_t at = std::string::npos;
    std::string text;
    while ((at = text.find(mark)) == std::string::npos)
      text = log();
    return std::stoi(text.substr(at + mark.size()));
  }

  host::ToolPaths m_tools;
};

TEST_F(LogPrivacyTest, NoNameOfTheUsersIsInIt) {
  const auto path = tessera::test::writeTelltale(folder());
  ASSERT_TRUE(path) << path.error().message;
  {
    open::PipelineOpener real = opener();
    const auto opened = real.open({.path = *path});
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->pipeline->funcs()[0].name, "zaqxwv");

    EXPECT_EQ(real.open({.path = tessera::test::testPath("libtwo_generators.so")}).error().code,
              ErrorCode::NotTrusted);
    const std::string damaged =
        file("wombats/ocelot.hlpipe", host::readFile(*path)->substr(0, 3000));
    EXPECT_THAT(real.open({.path = damaged}).error().message, HasSubstr("ocelot"));
  }
  {
    // This worker crashes after it has printed names from the user's pipeline.
    m_tools.halideWorker =
        file("crashing", "#!/bin/sh\necho 'zaqxwv(x, y) reads quokk: corrupted' >&2\n"
                         "kill -SEGV $$\n");
    std::filesystem::permissions(m_tools.halideWorker, std::filesystem::perms::owner_all);
    const auto opened = opener().open({.path = *path});
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, AllOf(HasSubstr("zaqxwv"), HasSubstr("pangolin")));
  }
  const std::string text = wholeLog();
  EXPECT_THAT(tessera::test::telltalesIn(text), IsEmpty()) << text;
  EXPECT_THAT(text, HasSubstr("file opened file=1 kind=\"serialized pipeline\" bytes="));
  EXPECT_THAT(text, HasSubstr("kind=\"generator library\""));
  EXPECT_THAT(text, HasSubstr("outcome=\"not trusted\""));
  EXPECT_THAT(text, HasSubstr("file=3 kind=\"serialized pipeline\" bytes=3000 outcome="));
  EXPECT_THAT(text, HasSubstr("signal=SIGSEGV signal_number=11 said=corrupted said_lines=1"));
}

TEST_F(LogPrivacyTest, ARealWorkerThatIsKilledIsToldOf) {
  const auto path = tessera::test::writeTelltale(folder());
  ASSERT_TRUE(path) << path.error().message;
  {
    open::PipelineOpener real = opener();
    ASSERT_TRUE(real.open({.path = *path}));
    ASSERT_EQ(::kill(firstWorker(), SIGKILL), 0);
    // Requests go to two worker processes alternately, so one of these requests meets the killed
    // process. That request fails if the process is not quite gone yet. Otherwise it starts a new
    // process at once, as a request after a failure does.
    int failed = 0;
    for (int i = 0; i < 3; ++i)
      if (const auto opened = real.open({.path = *path}); !opened) {
        ++failed;
        EXPECT_THAT(opened.error().message, HasSubstr("SIGKILL"));
      }
    EXPECT_LE(failed, 1);
  }
  const std::string text = wholeLog();
  EXPECT_THAT(text, HasSubstr("process ended program=tessera-halide"));
  EXPECT_THAT(text, HasSubstr("signal=SIGKILL"));
  EXPECT_THAT(tessera::test::telltalesIn(text), IsEmpty()) << text;
}

// Returns the request types in the hint "It knows import, schedule".
std::vector<std::string> requestsOf(const job::Reply &refusal) {
  std::string hint = refusal.error.hint;
  const std::string begin = "It knows ";
  if (!hint.starts_with(begin)) return {};
  std::vector<std::string> types;
  std::istringstream words(hint.substr(begin.size()));
  for (std::string type; std::getline(words, type, ',');)
    types.push_back(type.substr(type.find_first_not_of(' ')));
  return types;
}

TEST(LogVocabulary, EachWorkerGreetsAndItsRequestsAreKnown) {
  for (const std::string program : {"tessera-halide", "tessera-layout", "tessera-gpu"}) {
    std::string version;
    job::ProcessOptions options;
    options.program = tessera::test::binPath(program);
    options.listener = [&](const job::ProcessEvent &event) {
      if (event.kind == job::ProcessEvent::Kind::Greeted) version = event.version;
    };
    job::WorkerClient client(options);
    const auto types =
        requestsOf(client.request("what do you know?", {}, std::chrono::seconds(60)));
    EXPECT_FALSE(types.empty()) << program;
    for (const std::string &type : types)
      EXPECT_EQ(record::requestWord(type).text(), type) << program;
    EXPECT_NE(version, "") << program;
    EXPECT_EQ(record::Version(version).text(), version) << program;
  }
}

} // namespace
} // namespace tessera::tune
