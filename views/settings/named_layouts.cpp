// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/named_layouts.h"

#include <QSettings>

#include <algorithm>

namespace tessera::views {

namespace {
const QString kArray = QStringLiteral("layouts"), kName = QStringLiteral("name"),
              kBytes = QStringLiteral("docks");
} // namespace

NamedLayouts::NamedLayouts(QSettings &settings, QObject *parent)
    : QAbstractListModel(parent), m_settings(settings) {
  const int count = m_settings.beginReadArray(kArray);
  for (int i = 0; i < count; ++i) {
    m_settings.setArrayIndex(i);
    Layout layout{m_settings.value(kName).toString().trimmed(),
                  m_settings.value(kBytes).toByteArray()};
    // The settings may have been edited by hand, so each entry is checked.
    if (!layout.name.isEmpty() && !layout.bytes.isEmpty() && !find(layout.name))
      m_layouts.push_back(std::move(layout));
  }
  m_settings.endArray();
}

std::optional<int> NamedLayouts::find(const QString &name) const {
  const auto same = std::ranges::find_if(m_layouts, [&](const Layout &layout) {
    return layout.name.compare(name.trimmed(), Qt::CaseInsensitive) == 0;
  });
  return same == m_layouts.end() ? std::nullopt : std::optional(int(same - m_layouts.begin()));
}

bool NamedLayouts::save(const QString &name, const QByteArray &bytes) {
  const QString trimmed = name.trimmed();
  if (trimmed.isEmpty()) {
    emit refused(tr("A layout needs a name."));
    return false;
  }
  if (const auto row = find(trimmed)) {
    m_layouts[std::size_t(*row)] = {trimmed, bytes};
    emit dataChanged(index(*row), index(*row));
  } else {
    beginInsertRows({}, count(), count());
    m_layouts.push_back({trimmed, bytes});
    endInsertRows();
  }
  write();
  return true;
}

void NamedLayouts::remove(int row) {
  beginRemoveRows({}, row, row);
  m_layouts.erase(m_layouts.begin() + row);
  endRemoveRows();
  write();
}

void NamedLayouts::write() {
  m_settings.remove(kArray); // otherwise old entries beyond the last one would remain
  m_settings.beginWriteArray(kArray, count());
  for (int i = 0; i < count(); ++i) {
    m_settings.setArrayIndex(i);
    m_settings.setValue(kName, nameAt(i));
    m_settings.setValue(kBytes, bytesAt(i));
  }
  m_settings.endArray();
  emit changed();
}

int NamedLayouts::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_layouts.size());
}

QVariant NamedLayouts::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  return role == Qt::DisplayRole || role == Qt::EditRole ? QVariant(nameAt(index.row()))
                                                         : QVariant();
}

bool NamedLayouts::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || !index.isValid()) return false;
  const QString name = value.toString().trimmed();
  const auto same = find(name);
  const bool isTaken = same && *same != index.row();
  if (name.isEmpty() || isTaken) {
    emit refused(isTaken ? tr("There is a layout named %1 already.").arg(name)
                         : tr("A layout needs a name."));
    return false;
  }
  if (name == nameAt(index.row())) return true;
  m_layouts[std::size_t(index.row())].name = name;
  emit dataChanged(index, index);
  write();
  return true;
}

Qt::ItemFlags NamedLayouts::flags(const QModelIndex &index) const {
  return QAbstractListModel::flags(index) |
         (index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

} // namespace tessera::views
