// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/host_model.h"

#include "engine/host/gpu_host.h"
#include "views/text/column_head.h"
#include "views/text/error_text.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

const QString kHosts = QStringLiteral("hosts"), kChosen = QStringLiteral("host");
const QString kNothing;

QString tagOf(const QString &host) { return QStringLiteral("gpu of ") + host; }

} // namespace

QString hostText(const QString &host) {
  return host.isEmpty() ? QCoreApplication::translate("Hosts", "this computer") : host;
}

HostModel::HostModel(MeasureService service, Bridge &bridge, QSettings &settings, QObject *parent)
    : QAbstractTableModel(parent), m_service(std::move(service)), m_bridge(bridge),
      m_settings(settings), m_hosts(1) {
  for (const QString &host : settings.value(kHosts).toStringList())
    if (host::isHost(host.toStdString()) && !find(host)) m_hosts.push_back({host, {}, {}, false});
  if (const QString chosen = settings.value(kChosen).toString(); find(chosen)) m_chosen = chosen;
}

const HostModel::Host *HostModel::find(const QString &host) const {
  const auto at = std::ranges::find(m_hosts, host, &Host::name);
  return at == m_hosts.end() ? nullptr : &*at;
}

QStringList HostModel::hosts() const {
  QStringList names;
  for (const Host &host : m_hosts)
    if (!host.name.isEmpty()) names << host.name;
  return names;
}

const QString &HostModel::gpu(const QString &host) const {
  const Host *known = find(host);
  return known ? known->gpu : kNothing;
}

const QString &HostModel::whyNot(const QString &host) const {
  const Host *known = find(host);
  return known ? known->whyNot : kNothing;
}

bool HostModel::isTesting(const QString &host) const {
  const Host *known = find(host);
  return known && known->isTesting;
}

// ---- What the user does

QString HostModel::add(const QString &text) {
  const QString host = text.trimmed();
  if (!host::isHost(host.toStdString()))
    return tr("“%1” is not a host. Write user@machine, or a name from your ssh configuration.")
        .arg(host);
  if (!find(host)) {
    beginInsertRows({}, rowCount(), rowCount());
    m_hosts.push_back({host, {}, {}, false});
    endInsertRows();
  }
  choose(host);
  return {};
}

void HostModel::remove(const QString &host) {
  const Host *known = find(host);
  if (host.isEmpty() || !known) return;
  m_bridge.cancelTag(tagOf(host));
  const int row = int(std::ranges::find(m_hosts, host, &Host::name) - m_hosts.begin());
  beginRemoveRows({}, row, row);
  m_hosts.erase(m_hosts.begin() + row);
  endRemoveRows();
  if (m_chosen == host) return choose({});
  store();
}

void HostModel::choose(const QString &host) {
  if (!find(host)) return;
  m_chosen = host;
  store();
}

void HostModel::store() {
  m_settings.setValue(kHosts, hosts());
  m_settings.setValue(kChosen, m_chosen);
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  emit listChanged();
  emit changed();
}

void HostModel::test(const QString &host) {
  if (!find(host) || isTesting(host) || !m_service.gpu) return;
  set(host, gpu(host), whyNot(host), true); // the known result stays until the test ends
  m_bridge.run<std::string>(
      tagOf(host), host.isEmpty() ? QString() : tr("Looking for a GPU on %1").arg(host),
      [look = m_service.gpu, name = host.toStdString()](const job::JobContext &job) {
        return look(name, job.stop, job.progress);
      },
      this,
      [this, host](const Result<std::string> &gpu) {
        if (gpu) return found(host, QString::fromStdString(*gpu));
        if (gpu.error().code == ErrorCode::Cancelled)
          return set(host, this->gpu(host), whyNot(host), false);
        // For this computer, the hint is about an option of the command line, so it is left out.
        failed(host, host.isEmpty() ? QString::fromStdString(gpu.error().message)
                                    : errorText(gpu.error()));
      });
}

void HostModel::found(const QString &host, const QString &gpu) { set(host, gpu, {}, false); }

void HostModel::failed(const QString &host, const QString &why) { set(host, {}, why, false); }

void HostModel::set(const QString &host, QString gpu, QString whyNot, bool isTesting) {
  const auto at = std::ranges::find(m_hosts, host, &Host::name);
  if (at == m_hosts.end()) return; // the host was removed meanwhile
  at->gpu = std::move(gpu);
  at->whyNot = std::move(whyNot);
  at->isTesting = isTesting;
  const int row = int(at - m_hosts.begin());
  emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
  emit changed();
}

// ---- As a table

int HostModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_hosts.size());
}

int HostModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant HostModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Host &host = m_hosts[static_cast<std::size_t>(index.row())];
  const bool isChosen = host.name == m_chosen;
  const QString state = host.isTesting           ? tr("looking…")
                        : !host.whyNot.isEmpty() ? host.whyNot
                        : host.gpu.isEmpty()     ? tr("not tested")
                                                 : host.gpu;
  switch (role) {
  case Qt::DisplayRole:
    return index.column() == State ? state
           : isChosen              ? tr("%1 (chosen)").arg(hostText(host.name))
                                   : hostText(host.name);
  case Qt::ToolTipRole:
    return index.column() == State
               ? state
               : tr("Double-click or press Return to measure on this host from now on");
  case HostRole:
    return host.name;
  case ChosenRole:
    return isChosen;
  case FailedRole:
    return !host.whyNot.isEmpty();
  default:
    return {};
  }
}

QVariant HostModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("Host"),
       tr("The host as ssh knows it: user@machine, or a name from the ssh configuration")},
      {tr("GPU"), tr("The GPU that was found on the host")}};
  return heads[section].data(role, Qt::AlignLeft);
}

} // namespace tessera::views
