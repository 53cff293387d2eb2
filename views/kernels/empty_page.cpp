// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kernels/empty_page.h"

#include "views/flows/shown_kernels.h"

#include <QCoreApplication>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tessera::views {

QLabel *emptyPage(QStackedWidget &stack) {
  auto *page = new QWidget(&stack);
  page->setAutoFillBackground(true);
  page->setBackgroundRole(QPalette::Base);
  auto *label = new QLabel(page);
  label->setAccessibleName(QCoreApplication::translate("EmptyPage", "Why this is empty"));
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::PlaceholderText);
  auto *column = new QVBoxLayout(page);
  column->addWidget(label);
  stack.addWidget(page);
  return label;
}

QString emptyText(const ShownKernels &kernels) {
  if (kernels.error())
    return QString::fromStdString(kernels.error()->message + " " + kernels.error()->hint).trimmed();
  return QCoreApplication::translate("EmptyPage",
                                     "There is no schedule yet.\nPress Ctrl+R to search for one.");
}

} // namespace tessera::views
