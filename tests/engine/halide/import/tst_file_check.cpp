// SPDX-License-Identifier: MIT
// Files that are not pipelines, or are damaged, are refused before Halide's reader sees them.
#include "engine/halide/import/file_check.h"
#include "engine/halide/capture.h"
#include "engine/halide/file_io.h"
#include "tests/engine/halide/captured.h"
#include "tests/engine/halide/random_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace tessera::halide::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes sampleFile() {
  const TemporaryFolder folder;
  const std::string path = folder.file("sample.hlpipe");
  if (!capturePipeline(randomPipeline(4), path)) return {};
  return *readFile(path, 1 << 24);
}

std::string refusal(const Bytes &bytes) {
  const Status status = checkPipelineFile(bytes, "some.hlpipe");
  return status ? std::string() : status.error().message;
}

TEST(FileCheck, AcceptsWhatHalideWrites) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const TemporaryFolder folder;
    const std::string path = folder.file("p.hlpipe");
    ASSERT_TRUE(capturePipeline(randomPipeline(seed), path));
    const auto bytes = readFile(path, 1 << 24);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(refusal(*bytes), "");
  }
}

TEST(FileCheck, ForeignAndEmptyFiles) {
  EXPECT_EQ(refusal({}), "some.hlpipe: the file is empty");
  EXPECT_NE(refusal(Bytes(10, 7)).find("not a Halide pipeline"), std::string::npos);
  EXPECT_NE(refusal(Bytes(5000, 0)).find("not a Halide pipeline"), std::string::npos);
  EXPECT_NE(refusal(Bytes(5000, 0xff)).find("not a Halide pipeline"), std::string::npos);
  std::string text = "int main() { return 0; } // ";
  while (text.size() < 300)
    text += text;
  EXPECT_NE(refusal(Bytes(text.begin(), text.end())).find("not a Halide pipeline"),
            std::string::npos);
}

TEST(FileCheck, OtherVersionIsNamed) {
  Bytes bytes = sampleFile();
  const std::string ours = halideVersion(), other = "19.0.0";
  const auto at = std::search(bytes.begin(), bytes.end(), ours.begin(), ours.end());
  ASSERT_NE(at, bytes.end());
  std::copy(other.begin(), other.end(), at);
  EXPECT_EQ(refusal(bytes), "some.hlpipe: made by Halide 19.0.0, but Tessera uses 21.0.0");
}

TEST(FileCheck, EveryTruncationIsRefused) {
  const Bytes bytes = sampleFile();
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 40)
    EXPECT_NE(refusal(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))), "")
        << size;
}

TEST(FileCheck, SurvivesDamage) {
  const Bytes good = sampleFile();
  std::mt19937 random(11);
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    Bytes bytes = good;
    for (int n = 1 + static_cast<int>(random() % 8); n > 0; --n)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    refused += refusal(bytes).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 1000);
}

TEST(FileCheck, ChecksumOfTheSidecarFindsDamageInValues) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("damaged.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(4), options.path));
  Bytes bytes = *readFile(options.path, 1 << 24);
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_TRUE(writeFile(options.path, bytes));
  const auto prepared = preparePipeline(options);
  ASSERT_FALSE(prepared);
  EXPECT_NE(prepared.error().message.find("damaged.hlpipe"), std::string::npos);
}

TEST(FileCheck, SidecarOfAnotherFileIsRefusedWithAHint) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(1), options.path));
  ASSERT_TRUE(capturePipeline(randomPipeline(2), folder.file("b.hlpipe")));
  std::filesystem::copy_file(folder.file("b.hlpipe"), options.path,
                             std::filesystem::copy_options::overwrite_existing);
  const auto prepared = preparePipeline(options);
  ASSERT_FALSE(prepared);
  EXPECT_NE(prepared.error().message.find("SHA-256 differs"), std::string::npos);
  EXPECT_NE(prepared.error().hint.find("remove the sidecar"), std::string::npos);
}

TEST(FileCheck, DamagedSidecarNamesItself) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(1), options.path));
  for (const std::string text :
       {"", "{", "[]", "{\"params\":3}", "{\"params\":[{\"name\":\"a\"}]}",
        "{\"params\":[{\"name\":\"a\",\"kind\":\"buffer\",\"type\":\"int99\"}]}"}) {
    ASSERT_TRUE(writeFile(sidecarPath(options.path), Bytes(text.begin(), text.end())));
    const auto prepared = preparePipeline(options);
    ASSERT_FALSE(prepared) << text;
    EXPECT_NE(prepared.error().message.find("a.estimates.json"), std::string::npos)
        << prepared.error().message;
  }
}

TEST(FileCheck, MissingFileSaysSo) {
  ImportOptions options;
  options.path = "/nowhere/at/all.hlpipe";
  const auto prepared = preparePipeline(options);
  ASSERT_FALSE(prepared);
  EXPECT_NE(prepared.error().message.find("No such file"), std::string::npos);
  EXPECT_EQ(prepared.error().code, ErrorCode::InputRefused);
}

} // namespace
} // namespace tessera::halide::testing
