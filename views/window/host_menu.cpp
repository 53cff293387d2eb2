// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/host_menu.h"

#include "views/workspace/workspace.h"

#include <QAction>
#include <QActionGroup>
#include <QSettings>

namespace tessera::views {

namespace {
const QString kCounts = QStringLiteral("measure/counts");
} // namespace

HostMenu::HostMenu(Workspace &workspace, QWidget *parent)
    : QMenu(tr("Measure &On"), parent), m_workspace(workspace) {
  setObjectName(QStringLiteral("hostMenu"));
  setToolTipsVisible(true);
  buildCounts();
  // Queued, so that the menu is not filled while one of its own actions runs.
  connect(&workspace.hosts(), &HostModel::listChanged, this, &HostMenu::fill, Qt::QueuedConnection);
  connect(&workspace.hosts(), &HostModel::changed, this, &HostMenu::nameHosts);
  fill();
}

void HostMenu::buildCounts() {
  // The action is not a child of this menu, so that the menu's clear() does not delete it.
  m_counts = new QAction(tr("&Read Hardware Counters Too"), parentWidget());
  m_counts->setObjectName(QStringLiteral("countToo"));
  m_counts->setToolTip(tr("Also count bytes, operations and achieved occupancy of each kernel, "
                          "where the driver allows it; this takes a few more runs"));
  m_counts->setCheckable(true);
  m_counts->setChecked(m_workspace.settings().value(kCounts).toBool());
  m_workspace.measuring().setCounts(m_counts->isChecked());
  connect(m_counts, &QAction::toggled, this, [this](bool counts) {
    m_workspace.settings().setValue(kCounts, counts);
    m_workspace.measuring().setCounts(counts);
  });
}

void HostMenu::fill() {
  clear();
  qDeleteAll(findChildren<QActionGroup *>());
  auto *group = new QActionGroup(this);
  for (const QString &host : QStringList{QString()} + m_workspace.hosts().hosts()) {
    QAction *action = addAction(host);
    action->setObjectName(QStringLiteral("host.") + host);
    action->setData(host);
    action->setCheckable(true);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, host] { m_workspace.chooseHost(host); });
  }
  addSeparator();
  addAction(m_counts);
  QAction *hosts = addAction(tr("&Hosts…"), this, &HostMenu::hostsWanted);
  hosts->setObjectName(QStringLiteral("showHosts"));
  nameHosts();
}

// Each host is listed with what is known about it.
void HostMenu::nameHosts() {
  const HostModel &hosts = m_workspace.hosts();
  for (QAction *action : actions()) {
    if (!action->data().isValid()) continue;
    const QString host = action->data().toString();
    const QString name = host.isEmpty() ? tr("This Computer") : host;
    const QString &gpu = hosts.gpu(host);
    QString text = gpu.isEmpty() ? name : tr("%1 — %2").arg(name, gpu);
    action->setText(text.replace('&', QStringLiteral("&&")));
    action->setToolTip(hosts.whyNot(host).isEmpty() ? action->text() : hosts.whyNot(host));
    action->setChecked(host == hosts.chosen());
  }
}

} // namespace tessera::views
