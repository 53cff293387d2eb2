// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/layout_menu.h"

#include "views/window/layout_dialog.h"
#include "views/window/window_settings.h"

#include <QAction>
#include <QInputDialog>
#include <QMainWindow>

namespace tessera::views {

LayoutMenu::LayoutMenu(QMainWindow &window, QSettings &settings)
    : QMenu(tr("&Layouts"), &window), m_window(window), m_layouts(settings) {
  setObjectName(QStringLiteral("layoutMenu"));
  connect(&m_layouts, &NamedLayouts::changed, this, &LayoutMenu::fill);
  connect(&m_layouts, &NamedLayouts::refused, this, &LayoutMenu::told);
  fill();
}

void LayoutMenu::fill() {
  clear();
  for (int row = 0; row < m_layouts.count(); ++row)
    connect(addAction(QString(m_layouts.nameAt(row)).replace('&', QLatin1String("&&"))),
            &QAction::triggered, this, [this, row] { switchTo(row); });
  if (m_layouts.count() > 0) addSeparator();
  connect(addAction(tr("&Save Layout As…")), &QAction::triggered, this, &LayoutMenu::askForName);
  connect(addAction(tr("&Manage Layouts…")), &QAction::triggered, this, &LayoutMenu::manage);
}

void LayoutMenu::askForName() {
  auto *dialog = new QInputDialog(&m_window);
  dialog->setObjectName(QStringLiteral("layoutName"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Save the Layout"));
  dialog->setLabelText(tr("Name (replaces an existing layout of the same name):"));
  dialog->setTextValue(m_layouts.count() == 0 ? tr("My layout") : QString());
  // The layout is captured now, because the docks may change while the dialog is open.
  connect(dialog, &QInputDialog::textValueSelected, this,
          [this, layout = layoutOf(m_window)](const QString &name) {
            if (m_layouts.save(name, layout))
              emit told(tr("Saved the layout %1").arg(name.trimmed()));
          });
  dialog->open();
}

void LayoutMenu::manage() {
  auto *dialog = new LayoutDialog(m_layouts, &m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &LayoutDialog::layoutWanted, this, &LayoutMenu::switchTo);
  dialog->open();
}

void LayoutMenu::switchTo(int row) {
  if (!restoreLayout(m_window, m_layouts.bytesAt(row)))
    emit told(tr("%1 was saved by another version of Tessera, which has other docks.")
                  .arg(m_layouts.nameAt(row)));
}

} // namespace tessera::views
