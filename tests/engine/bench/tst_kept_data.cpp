// SPDX-License-Identifier: MIT
#include "engine/bench/device/kept_data.h"

#include "engine/bench/device/failure.h"
#include "engine/host/files.h"

#include <gtest/gtest.h>

#include <chrono>

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;

using pipeline::TypeKind;
using report::PipelineArgument;
using report::Promise;

PipelineArgument argument(const char *name, PipelineArgument::Kind kind) {
  return {name, kind, {TypeKind::UInt, 8}, {{0, 99}}, ""};
}
const PipelineArgument kInput = argument("in", PipelineArgument::Kind::Input);
const PipelineArgument kOutput = argument("out", PipelineArgument::Kind::Output);
const std::string kPipeline(64, 'a');

class KeptDataTest : public testing::Test {
protected:
  // Returns the host memory that a run would use, and changes it as a run would.
  const std::uint8_t *used(const PipelineArgument &argument, const PipelineInputs &inputs,
                           const std::vector<Promise> &promises = {}) {
    m_kept.keepFor(kPipeline, inputs);
    PipelineBuffer buffer = m_kept.take(argument, promises, inputs);
    m_elements = buffer.elements();
    const std::uint8_t *memory = buffer.raw()->host;
    buffer.raw()->flags = HalideBuffer::kDeviceDirty;
    buffer.raw()->device = 1;
    m_kept.giveBack(std::move(buffer));
    return memory;
  }

  KeptData m_kept;
  std::vector<std::uint8_t> m_elements;
  const PipelineInputs m_one{1, ""}, m_two{2, ""};
};

TEST_F(KeptDataTest, AnInputIsFilledOnce) {
  const std::uint8_t *memory = used(kInput, m_one);
  const std::vector<std::uint8_t> elements = m_elements;
  EXPECT_EQ(used(kInput, m_one), memory);
  EXPECT_EQ(m_elements, elements);
  PipelineBuffer buffer = m_kept.take(kInput, {}, m_one);
  EXPECT_EQ(buffer.raw()->device, 0U); // every run uploads the data again
  EXPECT_EQ(buffer.raw()->flags, HalideBuffer::kHostDirty);
}

TEST_F(KeptDataTest, OtherInputsAreFilledAnew) {
  used(kInput, m_one);
  const std::vector<std::uint8_t> elements = m_elements;
  used(kInput, m_two);
  EXPECT_NE(m_elements, elements);
  used(kInput, m_one);
  EXPECT_EQ(m_elements, elements);
}

TEST_F(KeptDataTest, AnotherLayoutHasMemoryOfItsOwn) {
  const std::vector<Promise> aligned{{"in", 0, {}, {}, {}, 4096}};
  const std::uint8_t *memory = used(kInput, m_one), *other = used(kInput, m_one, aligned);
  EXPECT_NE(other, memory);
  EXPECT_EQ(used(kInput, m_one), memory);
  // A promise about another buffer does not change which memory this input uses.
  EXPECT_EQ(used(kInput, m_one, {{"out", 0, {}, {}, {}, 4096}}), memory);
}

TEST_F(KeptDataTest, TwoAtOnceDoNotShare) {
  m_kept.keepFor(kPipeline, m_one);
  PipelineBuffer one = m_kept.take(kOutput, {}, m_one), two = m_kept.take(kOutput, {}, m_one);
  EXPECT_NE(one.raw()->host, two.raw()->host);
  EXPECT_EQ(one.raw()->flags, 0U);
}

// A folder with a reference of `out` in which all elements have one value.
class KeptReferenceTest : public KeptDataTest {
protected:
  void write(char value) {
    ASSERT_TRUE(host::writeFile(folder() + "/output0.raw", std::string(100, value)));
    ASSERT_TRUE(host::writeFile(
        Reference::indexOf(folder()),
        R"({"format": "tessera-reference", "pipeline_sha256": ")" + kPipeline +
            R"(", "seed": 1, "outputs": [{"name": "out", "type": "uint8", "region": [[0, 99]],)" +
            R"( "rule": "exact", "undecided": [], "file": "output0.raw"}]})"));
    // Two files written within one tick of the file system's clock would have the same time, so the
    // time is set.
    m_time += std::chrono::seconds(1);
    fs::last_write_time(Reference::indexOf(folder()), m_time);
  }

  // The elements 0, 1, …, of which runs of the reference changed the one at 7 by 9.
  void writeUnsure(int drawing) {
    std::string elements(100, '\0');
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<char>(i);
    const std::uint64_t number = 7;
    const double spread = 9;
    const auto bytesOf = [](const auto &value) {
      return std::string(reinterpret_cast<const char *>(&value), sizeof value);
    };
    ASSERT_TRUE(host::writeFile(folder() + "/output0.raw", elements));
    ASSERT_TRUE(host::writeFile(folder() + "/output0.elements", bytesOf(number)));
    ASSERT_TRUE(host::writeFile(folder() + "/output0.spreads", bytesOf(spread)));
    ASSERT_TRUE(host::writeFile(
        Reference::indexOf(folder()),
        R"({"format": "tessera-reference", "pipeline_sha256": ")" + kPipeline +
            R"(", "seed": 1, "drawing": )" + std::to_string(drawing) +
            R"(, "outputs": [{"name": "out", "type": "uint8", "region": [[0, 99]], "rule": )" +
            R"("exact", "file": "output0.raw", "uncertainty": {"runs": 5, "moved": 1, )" +
            R"("moved_far": 1, "elements": 1}}]})"));
  }

  std::int64_t differentFrom(char value) {
    PipelineBuffer output(kOutput, {});
    output.fillWith(static_cast<std::uint8_t>(value));
    return read()->compare(output).different;
  }

  std::shared_ptr<Reference> read() { return m_kept.reference(folder(), kPipeline, m_one); }
  const std::string &folder() const { return m_scratch->path(); }

private:
  fs::file_time_type m_time = fs::file_time_type::clock::now();
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

TEST_F(KeptReferenceTest, KnowsHowSureItIs) {
  writeUnsure(2);
  EXPECT_EQ(read()->drawing(), pipeline::Drawing::Centred);
  PipelineBuffer output(kOutput, {});
  const auto comparedWith = [&](std::size_t element) {
    std::vector<std::uint8_t> elements(100);
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<std::uint8_t>(i);
    elements[element] = 200;
    EXPECT_TRUE(output.fillFrom(elements));
    return read()->compare(output);
  };
  EXPECT_EQ(comparedWith(8).verdict(), report::Verdict::Different);
  EXPECT_EQ(read()->compare(output, {.absolute = 255}).verdict(), report::Verdict::Equal);
  EXPECT_EQ(read()->compare(output).verdict(), report::Verdict::Different) << "as was not allowed";
  EXPECT_EQ(comparedWith(7).undecided, 1) << "how far it goes, few runs do not tell";
  EXPECT_EQ(read()->compare(output).verdict(), report::Verdict::Equal) << "one in a hundred";
}

TEST_F(KeptReferenceTest, OneThatIsDamagedIsRefused) {
  writeUnsure(2);
  ASSERT_TRUE(host::writeFile(folder() + "/output0.spreads", "short"));
  EXPECT_THROW(read(), Failure);
  writeUnsure(4);
  EXPECT_THROW(read(), Failure) << "there is no fifth way to draw inputs";
}

TEST_F(KeptReferenceTest, IsReadOnce) {
  write(3);
  const auto reference = read();
  EXPECT_EQ(read(), reference);
  EXPECT_EQ(differentFrom(3), 0);
  EXPECT_EQ(differentFrom(4), 100); // found wrong, although an earlier output was equal
  EXPECT_EQ(differentFrom(3), 0);
}

TEST_F(KeptReferenceTest, IsReadAnewWhenItIsMadeAnew) {
  write(3);
  EXPECT_EQ(differentFrom(3), 0);
  write(4);
  EXPECT_EQ(differentFrom(3), 100);
}

TEST_F(KeptReferenceTest, OneThatIsNoLongerThereIsRefused) {
  write(3);
  EXPECT_EQ(differentFrom(3), 0);
  fs::remove(Reference::indexOf(folder()));
  EXPECT_THROW(read(), Failure);
}

TEST_F(KeptReferenceTest, TooFewElementsAreRefused) {
  write(3);
  fs::resize_file(folder() + "/output0.raw", 99);
  EXPECT_THROW(read(), Failure);
}

} // namespace
} // namespace tessera::bench
