// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/open_service.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// The way from "open this file" to a pipeline, with the questions on that way. It holds the open
// pipeline, which stays open while another open asks a question, fails or is dismissed.
//
//            ┌──────────── dismiss() ────────────┐
//   Idle ─ open() ─▶ Working ─▶ Idle + opened(), documentChanged()
//                       ├─▶ AskTrust ── allow() ──────▶ Working
//                       ├─▶ AskGenerator ── choose() ─▶ Working
//                       ├─▶ AskEstimates ── estimate() ▶ Working
//                       ├─▶ AskBuild ── build() ──────▶ Working
//                       └─▶ Failed ── askBuild() ─────▶ AskBuild
//
// A generator that leaves the types of its inputs open comes back to AskGenerator, with an error
// that asks for them.
class OpenFlow : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Working, AskTrust, AskGenerator, AskEstimates, AskBuild, Failed };
  Q_ENUM(State)

  struct OpenedFile {
    open::OpenRequest request;
    open::OpenedPipeline opened;
  };
  using DocumentPtr = std::shared_ptr<const OpenedFile>;

  OpenFlow(OpenService service, Bridge &bridge, QObject *parent = nullptr);

  State state() const { return m_state; }
  const DocumentPtr &document() const { return m_document; }

  // Details of the current state.
  const open::OpenRequest &request() const { return m_request; }
  // Set if Failed or AskEstimates, and if what AskGenerator or AskBuild asks for was missing.
  const std::optional<Error> &error() const { return m_error; }
  struct Code {
    std::string path, hash;
  };
  const std::vector<Code> &code() const { return m_code; } // if AskTrust: the file, and its sources
  std::optional<open::SourceKind> kind() const { return m_kind; } // if AskTrust
  const std::vector<open::Generator> &generators() const { return m_generators; }
  open::BuildOptions buildNear() const; // if AskBuild: found without being asked for
  bool isSource() const;                // what is being opened is compiled first
  // Whether the open pipeline's source, or the functions that its extern stages call, are compiled.
  bool canChangeBuild() const;

  void open(const open::OpenRequest &request);
  void open(const QString &path);
  // Another flow has opened `document` and told its receivers; this document is the open one now.
  void adopt(DocumentPtr document);
  void reload();        // opens the same file again with the same choices
  void changeChoices(); // asks again for the generator and its parameters
  void changeBuild();   // asks how the open pipeline, or what it calls, is compiled
  void close();         // closes what is open
  void dismiss();       // returns to what was open before

  void allow();
  void choose(const QString &generator, std::vector<std::pair<std::string, std::string>> parameters,
              open::OwnSchedule ownSchedule);
  void estimate(std::vector<open::EstimateOverride> estimates);
  void askBuild(); // if a source failed
  void build(open::BuildOptions options);

signals:
  void stateChanged();
  // Emitted only for opens by this flow; null: closed. Receivers use it to get ready before
  // documentChanged() tells the panels.
  void opened(const tessera::views::OpenFlow::DocumentPtr &document);
  void documentChanged(); // another pipeline is open, or none
  void changedOnDisk();   // the open file has changed

private:
  void setState(State state);
  void ask();     // asks which generator to use, if the file may have several
  void proceed(); // opens with the current choices
  void again();   // opens, and asks before which generator to use, if that is not chosen yet
  void fail(Error error);
  void take(open::OpenedPipeline opened);
  void watch();

  OpenService m_service;
  Bridge &m_bridge;
  State m_state = State::Idle;
  DocumentPtr m_document;
  open::OpenRequest m_request;
  std::optional<Error> m_error;
  std::vector<Code> m_code;
  std::optional<open::SourceKind> m_kind;
  std::vector<open::Generator> m_generators;
  QFileSystemWatcher m_watcher;
  QTimer m_settle; // waits until a file that is being written has settled
};

} // namespace tessera::views
