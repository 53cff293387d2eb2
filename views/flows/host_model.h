// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/measure_service.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

class QSettings;

namespace tessera::views {

// The hosts that may have a GPU to measure on: this computer, and hosts that the user has added
// under their names for ssh. One of them is chosen. The hosts are kept in the settings; the GPUs
// found there are not.
class HostModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, State, ColumnCount };
  enum Role {
    HostRole = Qt::UserRole + 1, // QString; empty: this computer
    ChosenRole,                  // bool
    FailedRole                   // bool: it has no GPU, or the connection failed
  };

  HostModel(MeasureService service, Bridge &bridge, QSettings &settings, QObject *parent = nullptr);

  QStringList hosts() const;                         // without this computer
  const QString &chosen() const { return m_chosen; } // empty: this computer
  // The result of the last test of `host`.
  const QString &gpu(const QString &host) const;    // its name; empty: not known
  const QString &whyNot(const QString &host) const; // why it has no GPU; empty: not known
  bool isTesting(const QString &host) const;
  bool canTest() const { return m_service.gpu != nullptr; }

  // Adds and chooses the host. Returns an empty text, or why `host` is not valid.
  QString add(const QString &host);
  void remove(const QString &host);
  void choose(const QString &host);
  void test(const QString &host); // on a thread; a test that is already running is not repeated
  // Records the GPU that a measurement has found.
  void found(const QString &host, const QString &gpu);
  void failed(const QString &host, const QString &why);

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
  void changed();     // any data has changed
  void listChanged(); // hosts were added or removed, or another one is chosen

private:
  struct Host {
    QString name; // empty: this computer
    QString gpu, whyNot;
    bool isTesting = false;
  };
  const Host *find(const QString &host) const;
  void set(const QString &host, QString gpu, QString whyNot, bool isTesting);
  void store();

  MeasureService m_service;
  Bridge &m_bridge;
  QSettings &m_settings;
  std::vector<Host> m_hosts; // this computer first
  QString m_chosen;
};

QString hostText(const QString &host); // "this computer"

} // namespace tessera::views
