// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/size_menu.h"

#include "views/flows/open_flow.h"

#include <QAction>
#include <QActionGroup>

namespace tessera::views {

SizeMenu::SizeMenu(OpenFlow &opening, QWidget *parent)
    : QMenu(tr("Si&ze"), parent), m_opening(opening) {
  setObjectName(QStringLiteral("sizeMenu"));
  connect(&m_opening, &OpenFlow::documentChanged, this, &SizeMenu::fill);
  // Filled again before each showing, because a failed open leaves the old pipeline open without a
  // signal.
  connect(this, &QMenu::aboutToShow, this, &SizeMenu::fill);
  fill();
}

void SizeMenu::fill() {
  clear();
  qDeleteAll(findChildren<QActionGroup *>());
  const auto &document = m_opening.document();
  setEnabled(document && !document->opened.sizes.empty());
  if (!isEnabled()) return;
  auto *group = new QActionGroup(this);
  add(std::string(open::kOwnSize), tr("As in the file"), *group);
  for (const open::PipelineSize &size : document->opened.sizes)
    add(size.name,
        tr("%1 (%2)").arg(QString::fromStdString(size.name), QString::fromStdString(size.from)),
        *group);
}

// Choosing another size drops the estimates that were made by hand.
void SizeMenu::add(const std::string &size, const QString &text, QActionGroup &group) {
  const std::string &current = m_opening.document()->request.size;
  QAction *action = addAction(text);
  action->setCheckable(true);
  action->setChecked(size == (current.empty() ? std::string(open::kOwnSize) : current));
  group.addAction(action);
  connect(action, &QAction::triggered, this, [this, size] {
    open::OpenRequest request = m_opening.document()->request;
    request.size = size;
    request.estimates.clear();
    emit openWanted(request);
  });
}

} // namespace tessera::views
