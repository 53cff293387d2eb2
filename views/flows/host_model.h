// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/measure_service.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

class QSettings;

namespace tessera::views {

// Where there may be a GPU to measure on: this computer, and the hosts that the user has named, as
// ssh knows them. One is chosen. They are kept in the settings; what was found there is not.
class HostModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, State, ColumnCount };
  enum Role {
    HostRole = Qt::UserRole + 1, // QString; empty: this computer
    ChosenRole,                  // bool
    FailedRole                   // bool: there is no GPU, or no connection
  };

  HostModel(MeasureService service, Bridge &bridge, QSettings &settings, QObject *parent = nullptr);

  QStringList hosts() const;                         // without this computer
  const QString &chosen() const { return m_chosen; } // empty: this computer
  // What is known of the GPU there.
  const QString &gpu(const QString &host) const;    // its name; empty: not known
  const QString &whyNot(const QString &host) const; // why there is none; empty: not known
  bool isTesting(const QString &host) const;
  bool canTest() const { return m_service.gpu != nullptr; }

  // Chooses it. Empty, or why it is no host.
  QString add(const QString &host);
  void remove(const QString &host);
  void choose(const QString &host);
  void test(const QString &host); // on a thread; what is being tested already is not tested twice
  // What a measurement found out by the way.
  void found(const QString &host, const QString &gpu);
  void failed(const QString &host, const QString &why);

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
  void changed();     // any of it
  void listChanged(); // other hosts, or another is chosen

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
