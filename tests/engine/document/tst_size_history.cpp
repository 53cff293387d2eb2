// SPDX-License-Identifier: MIT
#include "engine/document/size_history.h"

#include "engine/document/document_file.h"
#include "engine/document/journal.h"
#include "engine/document/sections.h"
#include "tests/engine/document/documents.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::document {
namespace {

using test::difference;
using test::exampleDocument;
using test::exampleSizes;
using test::fullDocument;
using test::sized;
using test::variant;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SizeHistory, LeadsBackAndForward) {
  SizeHistory sizes;
  EXPECT_FALSE(sizes.undoName());
  sizes.push({exampleDocument(), {}, "Size small"}); // this document was left at its step 4
  ASSERT_TRUE(sizes.undoName());
  EXPECT_EQ(*sizes.undoName(), "Size small");
  const SizeHistory::Entry large = sizes.back({sized(32), {}, {}});
  EXPECT_EQ(test::difference(large.document, exampleDocument()), "");
  EXPECT_FALSE(sizes.undoName());
  EXPECT_FALSE(sizes.redoName(2)) << "its own steps come first";
  ASSERT_TRUE(sizes.redoName(4));
  EXPECT_EQ(*sizes.redoName(4), "Size small");
  const SizeHistory::Entry small = sizes.forward({large.document, {}, {}});
  EXPECT_EQ(test::difference(small.document, sized(32)), "");
  EXPECT_EQ(*sizes.undoName(), "Size small");
}

TEST(SizeHistory, IsKeptInTheDocumentsFile) {
  const SizeHistory sizes = exampleSizes();
  const auto read = readDocument(documentText(exampleDocument(), "layout", sizes));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->lost, IsEmpty());
  EXPECT_EQ(read->layout, "layout");
  EXPECT_EQ(test::difference(read->document, exampleDocument()), "");
  EXPECT_EQ(difference(read->sizes, sizes), "");
  EXPECT_EQ(documentText(read->document, "layout", read->sizes),
            documentText(exampleDocument(), "layout", sizes));
  // The measurements at the larger size still refer to the pipeline file of that size.
  const Document &large = read->sizes.behind()[1].document;
  EXPECT_EQ(large.source().contentSha256, fullDocument().source().contentSha256);
}

TEST(SizeHistory, WithoutOneTheFileIsAsBefore) {
  const std::string text = documentText(exampleDocument(), "layout");
  EXPECT_EQ(text.find("\"size "), std::string::npos);
  const auto read = readDocument(text);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->sizes.undoName());
}

// Halide's file is the largest part of a document, so equal files are stored once.
TEST(SizeHistory, KeepsAFileThatIsTheOpenOnesOnce) {
  const auto sections =
      readSections("document", 1, documentText(exampleDocument(), {}, exampleSizes()));
  ASSERT_TRUE(sections);
  std::vector<std::string> files;
  for (const Section &section : sections->sections)
    if (section.name.ends_with("file")) files.push_back(section.name);
  EXPECT_THAT(files, ElementsAre("file", "size 3 file"));
}

// Each section in turn is damaged by one byte. The open document is never lost. A size is lost only
// if its step or its pipeline is damaged, together with the sizes that were reached through it.
TEST(SizeHistory, ADamagedSizeCostsNoMoreThanItself) {
  const SizeHistory sizes = exampleSizes();
  const std::string whole = documentText(exampleDocument(), {}, sizes);
  const auto sections = readSections("document", 1, whole);
  ASSERT_TRUE(sections);
  std::size_t seen = 0;
  for (const Section &section : sections->sections) {
    if (!section.name.starts_with("size ")) continue;
    ++seen;
    std::string text = whole;
    const std::size_t head = text.find("{\"section\":\"" + section.name + "\"");
    text[text.find('\n', head) + 1 + section.text.size() / 2] ^= 1;
    const auto read = readDocument(text);
    ASSERT_TRUE(read) << section.name << ": " << read.error().message;
    EXPECT_EQ(test::difference(read->document, exampleDocument()), "") << section.name;
    ASSERT_FALSE(read->lost.empty());
    EXPECT_EQ(read->lost.front(), section.name);
    const std::string what = section.name.substr(6);
    const bool isLost = what.empty() || what == " pipeline";
    const std::size_t left = read->sizes.behind().size() + read->sizes.ahead().size();
    const bool isOnTheWay = isLost && section.name[5] == '4'; // size 3 is reached through size 4
    EXPECT_EQ(left, 4U - isLost - isOnTheWay) << section.name;
    EXPECT_EQ(read->lost.size(), 1U + isOnTheWay) << section.name;
    if (what == " history") {
      const SizeHistory::Entry &entry = section.name[5] < '3'
                                            ? read->sizes.behind()[section.name[5] - '1']
                                            : read->sizes.ahead()[section.name[5] - '3'];
      ASSERT_TRUE(entry.document.current());
      EXPECT_EQ(entry.document.parts().steps.size(), 0U);
    }
    if (section.name == "size 3 file") {
      EXPECT_EQ(read->sizes.ahead()[0].document.source().serialized, "")
          << "another's file is not its own";
      const auto again = readDocument(documentText(read->document, {}, read->sizes));
      ASSERT_TRUE(again);
      EXPECT_EQ(difference(again->sizes, read->sizes), "");
    }
  }
  EXPECT_GT(seen, 20U);
}

TEST(SizeHistory, IsReachedWhereTheOpenHistoryIsLost) {
  std::string text = documentText(exampleDocument(), {}, exampleSizes());
  const std::size_t head = text.find("{\"section\":\"history\"");
  text[text.find('\n', head) + 20] ^= 1;
  const auto read = readDocument(text);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->sizes.redoName(read->document.parts().position));
  EXPECT_EQ(*read->sizes.redoName(0), "Sizes");
  EXPECT_EQ(*read->sizes.undoName(), "Size large");
}

using SizeHistoryFiles = host::test::ScratchTest;

TEST_F(SizeHistoryFiles, OfASavedDocumentCanBeOpened) {
  const std::string path = folder() + "/one.tessera";
  ASSERT_TRUE(saveDocument(path, exampleDocument(), {}, exampleSizes()));
  auto read = openDocument(path);
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->sizes.unpack(folder()));
  for (const SizeHistory::Entry &entry : read->sizes.ahead()) {
    EXPECT_EQ(entry.opened.pipeline, entry.document.pipeline());
    EXPECT_FALSE(entry.opened.file.pipeline.empty());
  }
}

TEST_F(SizeHistoryFiles, AJournalKeepsWhatCanStillBeReached) {
  Document document = exampleDocument();
  const auto recovered = [&](const std::vector<Operation> &operations) {
    {
      auto journal = Journal::begin(folder(), {document, "/x/a.tessera", true, exampleSizes()});
      EXPECT_TRUE(journal);
      for (const Operation &operation : operations)
        (*journal)->append(operation);
    } // no discard(), as after a crash
    const auto found = findRecoverable(folder());
    EXPECT_EQ(found.size(), 1U);
    auto result = recover(found.at(0).journal);
    EXPECT_TRUE(result);
    EXPECT_TRUE(result->isWhole);
    removeJournal(found.at(0).journal);
    return std::move(result->base.sizes);
  };
  EXPECT_EQ(difference(recovered({}), exampleSizes()), "");
  EXPECT_EQ(difference(recovered({Undo{}, Redo{}}), exampleSizes()), "");
  const SizeHistory edited = recovered({EditSchedule{"Tile", variant(document, 2)}});
  EXPECT_EQ(edited.behind().size(), 2U);
  EXPECT_THAT(edited.ahead(), IsEmpty()) << "another edit forgets what was undone";
}

} // namespace
} // namespace tessera::document
