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

// The way from "open this file" to a pipeline, with the questions that lie on it. It holds what is
// open; an open that fails, asks or is dismissed leaves that as it is.
//
//            ┌──────────── dismiss() ────────────┐
//   Idle ─ open() ─▶ Working ─▶ Idle + opened(), documentChanged()
//                       ├─▶ AskTrust ── allow() ──────▶ Working
//                       ├─▶ AskGenerator ── choose() ─▶ Working
//                       ├─▶ AskEstimates ── estimate() ▶ Working
//                       └─▶ Failed
class OpenFlow : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Working, AskTrust, AskGenerator, AskEstimates, Failed };
  Q_ENUM(State)

  struct OpenedFile {
    open::OpenRequest request;
    open::OpenedPipeline opened;
  };
  using DocumentPtr = std::shared_ptr<const OpenedFile>;

  OpenFlow(OpenService service, Bridge &bridge, QObject *parent = nullptr);

  State state() const { return m_state; }
  const DocumentPtr &document() const { return m_document; }

  // What the present state is about.
  const open::OpenRequest &request() const { return m_request; }
  const std::optional<Error> &error() const { return m_error; }   // Failed, AskEstimates
  const QString &hash() const { return m_hash; }                  // AskTrust
  std::optional<open::SourceKind> kind() const { return m_kind; } // AskTrust
  const std::vector<open::Generator> &generators() const { return m_generators; }

  void open(const open::OpenRequest &request);
  void open(const QString &path);
  // What somebody else has opened, and already handed on, is open from now on.
  void adopt(DocumentPtr document);
  void reload();        // what is open, with the same choices
  void changeChoices(); // asks again for generator and parameters of what is open
  void close();         // nothing is open any more
  void dismiss();       // back to what was open before

  void allow();
  void choose(const QString &generator, std::vector<std::pair<std::string, std::string>> parameters,
              open::OwnSchedule ownSchedule);
  void estimate(std::vector<open::EstimateOverride> estimates);

signals:
  void stateChanged();
  // By this flow; null: closed. Whoever has to be ready before the panels are told listens to it.
  void opened(const tessera::views::OpenFlow::DocumentPtr &document);
  void documentChanged(); // another pipeline, or none
  void changedOnDisk();   // the file that is open

private:
  void setState(State state);
  void ask();     // for generators, where the file may have several
  void proceed(); // open with what is chosen
  void fail(Error error);
  void take(open::OpenedPipeline opened);
  void watch();

  OpenService m_service;
  Bridge &m_bridge;
  State m_state = State::Idle;
  DocumentPtr m_document;
  open::OpenRequest m_request;
  std::optional<Error> m_error;
  QString m_hash;
  std::optional<open::SourceKind> m_kind;
  std::vector<open::Generator> m_generators;
  QFileSystemWatcher m_watcher;
  QTimer m_settle; // a file being written changes many times
};

} // namespace tessera::views
