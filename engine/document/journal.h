// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/document/document.h"
#include "engine/document/size_history.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tessera::document {

// What a journal begins with: a document as it was opened or saved.
struct JournalBase {
  Document document;
  std::string path;       // its file; empty: it has none
  bool isUnsaved = false; // it differs from its file already
  SizeHistory sizes = {}; // around it
};

// What happened to a document since then, on disk, so that a crash costs the last edit at most:
//
//   recovery/7fKq2x.lock      held for as long as the program lives
//   recovery/7fKq2x.journal   the base, then a line for each operation, each with a checksum
//
// A thread writes and syncs; an append waits only for the one before it.
class Journal {
public:
  // Makes the folder. The first line is on disk when this returns.
  static Result<std::unique_ptr<Journal>> begin(const std::string &folder, const JournalBase &base);
  ~Journal(); // waits for what is under way, and leaves the files to a recovery
  Journal(const Journal &) = delete;
  Journal &operator=(const Journal &) = delete;

  void append(Operation operation);
  // The document was saved: a new beginning, which replaces the old one as a whole.
  void rebase(JournalBase base);
  // All is on disk that was asked for. The first thing that went wrong, if any did: from there on
  // nothing is written any more.
  Status flush();
  std::optional<Error> failure(); // the same without waiting
  // The end of a session in order: nothing is left to recover.
  void discard();

private:
  using Task = std::variant<Operation, JournalBase>;

  Journal(std::string path, int lock);
  void post(Task task);
  void work();
  Status write(const Task &task);

  const std::string m_path; // without ending
  const int m_lock;
  int m_file = -1; // of the thread
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::optional<Task> m_next;
  bool m_isWriting = false, m_isSyncing = false, m_ends = false;
  std::optional<Error> m_failed;
  std::thread m_thread;
};

// The journal of a program that is gone.
struct Recoverable {
  std::string journal; // its path
  std::string path;    // of the document; empty: it had none
  std::string pipeline;
  std::size_t operations = 0;
  std::chrono::system_clock::time_point changed;
};
// The newest first. Journals of programs that live are none, and those in which nothing happened to
// a document that is saved are removed.
std::vector<Recoverable> findRecoverable(const std::string &folder);

struct Recovered {
  JournalBase base;     // with all that happened
  bool isWhole = false; // false: what came after a damaged line is lost
};
Result<Recovered> recover(const std::string &journal);
void removeJournal(const std::string &journal);

} // namespace tessera::document
