// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

class QSettings;

namespace tessera::views {

// Layouts of the docks under names given by the user, kept in the settings. The names are edited in
// place. The bytes come from the window.
class NamedLayouts : public QAbstractListModel {
  Q_OBJECT
public:
  explicit NamedLayouts(QSettings &settings, QObject *parent = nullptr);

  int count() const { return rowCount(); }
  QString nameAt(int row) const { return m_layouts[std::size_t(row)].name; }
  const QByteArray &bytesAt(int row) const { return m_layouts[std::size_t(row)].bytes; }
  std::optional<int> find(const QString &name) const; // ignores case

  // Replaces a layout with the same name. False: the name is blank.
  bool save(const QString &name, const QByteArray &bytes);
  void remove(int row);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
  void changed();
  void refused(const QString &why); // a name that is not allowed

private:
  struct Layout {
    QString name;
    QByteArray bytes;
  };
  void write();

  QSettings &m_settings;
  std::vector<Layout> m_layouts;
};

} // namespace tessera::views
