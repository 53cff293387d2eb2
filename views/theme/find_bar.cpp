// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/find_bar.h"

#include "views/theme/icons.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace tessera::views {

FindBar::FindBar(const Words &words, QWidget *parent)
    : QWidget(parent), m_line(new QLineEdit(this)), m_position(new QLabel(this)) {
  setObjectName(words.id + QStringLiteral("Bar"));
  setAccessibleName(words.name);
  m_line->setObjectName(words.id + QStringLiteral("Line"));
  m_line->setAccessibleName(words.line);
  m_line->setPlaceholderText(words.placeholder);
  m_line->setClearButtonEnabled(true);
  m_line->setMaximumWidth(320);
  m_position->setAccessibleName(tr("Matches"));

  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 5, 8, 5);
  layout->addWidget(m_line, 1);
  const auto addButton = [&](const QString &iconName, const QString &name, const QString &keys) {
    auto *button = new QToolButton(this);
    button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(QStringLiteral("%1 (%2)").arg(name, keys));
    layout->addWidget(button);
    return button;
  };
  auto *previous = addButton(QStringLiteral("up"), tr("Previous match"), tr("Shift+Enter"));
  auto *next = addButton(QStringLiteral("down"), tr("Next match"), tr("Enter"));
  layout->addWidget(m_position);
  layout->addStretch(1);
  auto *close = addButton(QStringLiteral("close"), tr("Close the find bar"), tr("Esc"));
  connect(previous, &QToolButton::clicked, this, &FindBar::previousWanted);
  connect(next, &QToolButton::clicked, this, &FindBar::nextWanted);
  connect(close, &QToolButton::clicked, this, &FindBar::closed);
  connect(m_line, &QLineEdit::textChanged, this, &FindBar::textChanged);
  hide();
}

void FindBar::open() {
  show();
  m_line->setFocus(Qt::ShortcutFocusReason);
  m_line->selectAll();
}

QString FindBar::text() const { return m_line->text(); }

void FindBar::showPosition(int current, int matches) {
  m_position->setText(m_line->text().isEmpty() ? QString()
                      : matches == 0           ? tr("no match")
                                               : tr("%1 of %2").arg(current).arg(matches));
}

void FindBar::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return event->modifiers() & Qt::ShiftModifier ? emit previousWanted() : emit nextWanted();
  case Qt::Key_Escape:
    return emit closed();
  default:
    QWidget::keyPressEvent(event);
  }
}

} // namespace tessera::views
