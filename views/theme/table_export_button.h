// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QToolButton>

class QAbstractItemModel;

namespace tessera::views {

// The button of a table whose menu copies and saves it as it is shown, as Markdown and CSV.
class TableExportButton : public QToolButton {
  Q_OBJECT
public:
  // `name` of the file that is proposed, without an ending: "decisions".
  TableExportButton(const QAbstractItemModel &table, QString name, QWidget *parent = nullptr);

signals:
  void told(const QString &note); // it could not be written

private:
  using Writer = QString (*)(const QAbstractItemModel &);
  void save(const QString &suffix, Writer write);

  const QAbstractItemModel &m_table;
  QString m_name;
};

} // namespace tessera::views
