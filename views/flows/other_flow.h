// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/other_service.h"

#include <QAbstractTableModel>

#include <vector>

namespace tessera::views {

// The schedules that other schedulers make for the open pipeline, one row each. The wanted ones are
// found one after the other and become candidates. If that fails, the row says why.
class OtherFlow : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Status, What, ColumnCount };
  enum class Progress { Idle, Waiting, Running, Added, Refused };
  enum Role { ProgressRole = Qt::UserRole + 1 }; // int of Progress

  OtherFlow(OtherService service, Bridge &bridge, DocumentFlow &documents, ScheduleFlow &schedule,
            QObject *parent = nullptr);

  bool isRunning() const { return m_running >= 0; }
  bool canFind() const; // a pipeline is open, and some row is wanted
  void find();          // finds all wanted schedules that are not candidates yet
  void stop();

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
  void changed(); // the running row or the result of canFind() has changed

private:
  struct Found {
    tune::FoundOther other;
    std::optional<FoundSchedule> predicted;
  };
  struct Row {
    tune::Other other;
    bool isWanted = true;
    Progress progress = Progress::Idle;
    QString status;
  };
  void reset();
  void next();
  void take(int row, Result<std::shared_ptr<Found>> found);
  void say(int row, Progress progress, const QString &status);

  OtherService m_service;
  Bridge &m_bridge;
  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  std::vector<Row> m_rows;
  int m_running = -1;
  pipeline::PipelinePtr m_pipeline; // the pipeline that the rows belong to
};

} // namespace tessera::views
