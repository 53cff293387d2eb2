// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QToolButton>

class QAbstractItemModel;

namespace tessera::views {

// A button for a table. Its menu copies or saves the table as it is shown, as Markdown or CSV.
class TableExportButton : public QToolButton {
  Q_OBJECT
public:
  // `name` is the proposed file name without ending: "decisions".
  TableExportButton(const QAbstractItemModel &table, QString name, QWidget *parent = nullptr);

signals:
  void told(const QString &note); // the file could not be written

private:
  using Writer = QString (*)(const QAbstractItemModel &);
  void save(const QString &suffix, Writer write);

  const QAbstractItemModel &m_table;
  QString m_name;
};

} // namespace tessera::views
