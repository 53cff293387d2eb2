// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/note_bar.h"

#include "views/theme/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <utility>

namespace tessera::views {

namespace {
constexpr int kMostLetters = 420; // about four lines; the log and the tooltip have the whole text
}

NoteBar::NoteBar(QWidget *parent)
    : QFrame(parent), m_text(new QLabel(this)), m_accept(new QPushButton(this)),
      m_forGood(new QPushButton(this)) {
  setObjectName(QStringLiteral("noteBar"));
  setAccessibleName(tr("Note"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_accept->setObjectName(QStringLiteral("noteAccept"));
  m_forGood->setObjectName(QStringLiteral("noteForGood"));
  auto *close = new QToolButton(this);
  close->setIcon(icon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Dismiss the note"));
  close->setToolTip(tr("Dismiss"));
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(12, 5, 8, 5);
  row->addWidget(m_text, 1);
  row->addWidget(m_accept);
  row->addWidget(m_forGood);
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  for (const auto button : {m_accept, m_forGood})
    connect(button, &QPushButton::clicked, this, &QWidget::hide);
  connect(m_accept, &QPushButton::clicked, this, [this] {
    if (const auto again = std::exchange(m_again, nullptr)) return again();
    emit accepted();
  });
  connect(m_forGood, &QPushButton::clicked, this, &NoteBar::acceptedForGood);
  hide();
}

void NoteBar::showText(const QString &text) {
  const bool isLong = text.size() > kMostLetters;
  m_text->setText(isLong ? text.left(kMostLetters).section(' ', 0, -2) + QStringLiteral(" …")
                         : text);
  m_text->setToolTip(isLong ? text : QString());
  setAccessibleDescription(text);
  show();
}

void NoteBar::tell(const QString &text) {
  m_again = nullptr;
  m_accept->hide();
  m_forGood->hide();
  showText(text);
}

void NoteBar::ask(const QString &text, const QString &accept, std::function<void()> then) {
  offer(text, accept);
  m_again = std::move(then);
}

void NoteBar::offerRetry(const QString &text, std::function<void()> again) {
  ask(text, tr("&Retry"), std::move(again));
}

void NoteBar::offer(const QString &text, const QString &accept, const QString &acceptForGood) {
  m_again = nullptr;
  m_accept->setText(accept);
  m_accept->setAccessibleName(QString(accept).remove('&'));
  m_forGood->setText(acceptForGood);
  m_forGood->setAccessibleName(QString(acceptForGood).remove('&'));
  m_accept->show();
  m_forGood->setVisible(!acceptForGood.isEmpty());
  showText(text);
}

} // namespace tessera::views
