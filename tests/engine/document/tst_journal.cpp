// SPDX-License-Identifier: MIT
#include "engine/document/journal.h"

#include "engine/host/files.h"

#include "tests/engine/document/documents.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>

namespace tessera::document {
namespace {

namespace fs = std::filesystem;
using test::exampleDocument;
using test::variant;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class JournalTest : public host::test::ScratchTest {
protected:
  std::unique_ptr<Journal> begin(const Document &document, bool isUnsaved = false) {
    auto journal = Journal::begin(folder() + "/recovery", {document, "/x/a.tessera", isUnsaved});
    EXPECT_TRUE(journal) << (journal ? "" : journal.error().message);
    return std::move(*journal);
  }
  std::vector<Recoverable> recoverable() const { return findRecoverable(folder() + "/recovery"); }

  // Applies an operation to the document and the journal, as the program does.
  void edit(Document &document, Journal &journal, const Operation &operation) {
    ASSERT_TRUE(document.apply(operation));
    journal.append(operation);
  }
};

TEST_F(JournalTest, EveryOperationComesBack) {
  Document document = exampleDocument();
  auto journal = begin(document);
  edit(document, *journal, EditSchedule{"Tile", variant(document, 4)});
  edit(document, *journal, Undo{});
  edit(document, *journal, Redo{});
  edit(document, *journal, AddCandidate{test::candidateOf(variant(document, 4), "four")});
  edit(document, *journal, SetMeasurement{3, test::exampleMeasurement()});
  edit(document, *journal,
       SetMeasurement{2, test::measurementOf(document, document.candidate(2)->schedule)});
  edit(document, *journal,
       SetVerification{3, test::verificationOf(document, document.candidate(3)->schedule)});
  edit(document, *journal, pinned(document, 3, Pin::B, "Pin as B"));
  edit(document, *journal, SetTarget{"a100", "autogpu"});
  ASSERT_TRUE(journal->flush());
  EXPECT_THAT(recoverable(), IsEmpty()) << "its program lives";
  journal.reset(); // no discard(), as after a crash
  const auto found = recoverable();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "/x/a.tessera");
  EXPECT_EQ(found[0].operations, 9U);
  const auto recovered = recover(found[0].journal);
  ASSERT_TRUE(recovered) << recovered.error().message;
  EXPECT_TRUE(recovered->isWhole);
  EXPECT_TRUE(recovered->base.isUnsaved);
  EXPECT_EQ(test::difference(recovered->base.document, document), "");
  removeJournal(found[0].journal);
  EXPECT_TRUE(fs::is_empty(folder() + "/recovery"));
}

// The bytes are fixed, checksum included, as another version of the program may have written them.
TEST_F(JournalTest, ALineLooksAsItAlwaysDid) {
  Document document = exampleDocument();
  auto journal = begin(document);
  edit(document, *journal, EditSchedule{"Tile", variant(document, 4)});
  edit(document, *journal, Undo{});
  journal.reset();
  const auto bytes = host::readFile(recoverable().at(0).journal);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_THAT(*bytes, EndsWith("\n85ae4516 {\"do\":\"undo\"}\n"));
}

TEST_F(JournalTest, ASaveIsANewBeginning) {
  Document document = exampleDocument();
  auto journal = begin(document);
  edit(document, *journal, EditSchedule{"Tile", variant(document, 4)});
  journal->rebase({document, "/x/b.tessera", false});
  edit(document, *journal, Undo{});
  journal.reset();
  const auto found = recoverable();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "/x/b.tessera");
  EXPECT_EQ(found[0].operations, 1U);
  EXPECT_EQ(test::difference(recover(found[0].journal)->base.document, document), "");
}

TEST_F(JournalTest, NothingIsOfferedWhereNothingIsLost) {
  Document document = exampleDocument();
  begin(document)->discard();
  EXPECT_TRUE(fs::is_empty(folder() + "/recovery"));
  begin(document).reset(); // a crash after everything was saved
  EXPECT_THAT(recoverable(), IsEmpty());
  EXPECT_TRUE(fs::is_empty(folder() + "/recovery"));
  begin(document, true).reset();
  EXPECT_EQ(recoverable().size(), 1U);
}

TEST_F(JournalTest, ATornLineCostsItselfAlone) {
  Document document = exampleDocument();
  auto journal = begin(document);
  edit(document, *journal, EditSchedule{"Tile", variant(document, 4)});
  const Document before = document;
  edit(document, *journal, EditSchedule{"Tile", variant(document, 2)});
  journal.reset();
  const std::string path = recoverable().at(0).journal;
  fs::resize_file(path, fs::file_size(path) - 3);
  const auto recovered = recover(path);
  ASSERT_TRUE(recovered);
  EXPECT_FALSE(recovered->isWhole);
  EXPECT_EQ(test::difference(recovered->base.document, before), "");
}

TEST_F(JournalTest, ANewBeginningMendsAFullDisk) {
  Document document = exampleDocument();
  auto journal = begin(document);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{64, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  edit(document, *journal, EditSchedule{"Tile", variant(document, 4)});
  const Status failed = journal->flush();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("journal"));
  edit(document, *journal, Undo{});
  EXPECT_FALSE(journal->flush()) << "what follows a hole is not written";
  journal->rebase({document, "/x/b.tessera", false});
  edit(document, *journal, Redo{});
  EXPECT_TRUE(journal->flush());
  journal.reset();
  EXPECT_EQ(test::difference(recover(recoverable().at(0).journal)->base.document, document), "");
}

// Operations that come while a base is prepared belong to it; nothing is lost, whichever file is
// the journal then.
TEST_F(JournalTest, ManyNewBeginningsLoseNothing) {
  Document document = exampleDocument();
  auto journal = begin(document);
  std::size_t since = 0;
  for (int i = 0; i < 300; ++i) {
    edit(document, *journal, EditSchedule{"Tile", variant(document, 2 + i % 7)});
    ++since;
    if (i % 5 != 3) continue;
    journal->rebase({document, "/x/" + std::to_string(i) + ".tessera", false});
    if (i % 3 == 0) journal->rebase({document, "/x/twice.tessera", false});
    since = 0;
    edit(document, *journal, Undo{});
    edit(document, *journal, Redo{});
    since += 2;
  }
  ASSERT_TRUE(journal->flush());
  journal.reset();
  const auto found = recoverable();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].operations, since);
  EXPECT_EQ(found[0].path, "/x/298.tessera");
  const auto recovered = recover(found[0].journal);
  ASSERT_TRUE(recovered) << recovered.error().message;
  EXPECT_TRUE(recovered->isWhole);
  EXPECT_EQ(test::difference(recovered->base.document, document), "");
  removeJournal(found[0].journal);
  EXPECT_TRUE(fs::is_empty(folder() + "/recovery"));
}

TEST_F(JournalTest, SaysWhereItCannotWrite) {
  file("plain", "");
  const auto journal = Journal::begin(folder() + "/plain", {exampleDocument(), {}, false});
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().message, HasSubstr("plain"));
  EXPECT_FALSE(recover(file("a.journal", "nonsense")));
  EXPECT_FALSE(recover(folder() + "/none.journal"));
}

} // namespace
} // namespace tessera::document
