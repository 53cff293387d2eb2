// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"
#include "engine/document/size_history.h"
#include "engine/base/result.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tessera::document {

// The start of a journal: a document as it was opened or saved.
struct JournalBase {
  Document document;
  std::string path;       // path of its file; empty: none
  bool isUnsaved = false; // it already differs from its file
  SizeHistory sizes = {}; // the other sizes of the document
};

// Records on disk what happened to a document since it was opened or saved, so that a crash of the
// program costs at most the last edit:
//
//   recovery/7fKq2x.lock      held while the program lives
//   recovery/7fKq2x.journal   the base, then one line with a checksum for each operation
//   recovery/7fKq2x.new       the next journal, until its base is on disk
//
// A disk can take half a second to sync, so nobody waits for that: append() waits only until the
// previous operation is written. One thread writes operations; another one syncs them, and prepares
// the file of a new base. Until that file takes its place, operations go to the old one too.
class Journal {
public:
  // Creates the folder. The first line is on disk when this returns.
  static Result<std::unique_ptr<Journal>> begin(const std::string &folder, const JournalBase &base);
  ~Journal(); // waits for pending writes; the files stay for a recovery
  Journal(const Journal &) = delete;
  Journal &operator=(const Journal &) = delete;

  void append(Operation operation);
  // The document was saved: starts a new journal, which replaces the old one as a whole.
  void rebase(JournalBase base);
  // Waits until everything requested is on disk. Returns the first error, if there was one; after
  // an error nothing more is written.
  Status flush();
  std::optional<Error> failure(); // like flush(), but does not wait
  // Ends the session regularly: removes the journal, so that nothing is left to recover.
  void discard();

private:
  using Lock = std::unique_lock<std::mutex>;

  Journal(std::string path, int lock);
  void writeOperations();
  void keep();
  void sync(Lock &lock);
  void placeBase(Lock &lock);
  Status write(int file, const Operation &operation) const;
  Status writeSince(Lock &lock, int file, std::uint64_t rebase);
  Status rename(Lock &lock, int file);

  const std::string m_path; // without the file extension
  const int m_lock;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  int m_file = -1; // of the journal; m_keeper changes it while nothing is being written
  std::optional<Operation> m_next;   // to be written
  std::optional<JournalBase> m_base; // not in place yet
  std::vector<Operation> m_since;    // operations since m_base, not yet in its new file
  std::uint64_t m_rebases = 0;
  bool m_isWriting = false;  // m_writer has taken m_next
  bool m_isUnsynced = false; // something was written since the last sync
  bool m_isKeeping = false;  // m_keeper waits for the disk
  bool m_ends = false;
  std::optional<Error> m_failed;
  std::thread m_writer, m_keeper;
};

// The journal of a program that has ended without removing it.
struct Recoverable {
  std::string journal; // path of the journal
  std::string path;    // path of the document; empty: none
  std::string pipeline;
  std::size_t operations = 0;
  std::chrono::system_clock::time_point changed;
};
// The recoverable journals, newest first. Journals of running programs are skipped. A journal that
// has no changes since the last save, or no intact line, is removed.
std::vector<Recoverable> findRecoverable(const std::string &folder);

struct Recovered {
  JournalBase base;     // includes all recorded operations
  bool isWhole = false; // false: a line is damaged, and all after it is lost
};
Result<Recovered> recover(const std::string &journal);
void removeJournal(const std::string &journal);

} // namespace tessera::document
