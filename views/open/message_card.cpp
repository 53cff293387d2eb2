// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/open/message_card.h"

#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

QLabel *addLabel(QWidget *parent, QVBoxLayout *column) {
  auto *label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->hide();
  column->addWidget(label);
  return label;
}

constexpr int kOutputLines = 14;
constexpr int kWidth = 680, kOutputWidth = 940; // an output has lines of 100 letters

void showText(QLabel *label, const QString &text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

} // namespace

MessageCard::MessageCard(Tone tone, const QString &iconName, QWidget *parent)
    : QFrame(parent), m_tone(tone), m_iconName(iconName), m_icon(new QLabel(this)),
      m_column(new QVBoxLayout), m_buttons(new QHBoxLayout) {
  setObjectName(QStringLiteral("messageCard"));
  setMinimumWidth(420);
  setMaximumWidth(kWidth);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(26, 24, 28, 22);
  row->setSpacing(18);
  row->addWidget(m_icon, 0, Qt::AlignTop);
  row->addLayout(m_column, 1);
  m_column->setSpacing(10);
  m_title = addLabel(this, m_column);
  m_text = addLabel(this, m_column);
  buildOutput();
  m_hint = addLabel(this, m_column);
  m_column->addSpacing(4);
  m_column->addLayout(m_buttons);
  m_buttons->addStretch(1);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 1.35);
  large.setWeight(QFont::DemiBold);
  m_title->setFont(large);
  restyle();
}

// A compiler points at columns, which a proportional font would move.
void MessageCard::buildOutput() {
  m_output = new QPlainTextEdit(this);
  m_output->setObjectName(QStringLiteral("messageOutput"));
  m_output->setAccessibleName(tr("Output of the program"));
  m_output->setReadOnly(true);
  m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_output->viewport()->setBackgroundRole(QPalette::Window); // its frame is not seen on a dark card
  m_output->hide();
  m_column->addWidget(m_output);
}

void MessageCard::setOutput(const QString &output) {
  m_output->setPlainText(output);
  m_output->setVisible(!output.isEmpty());
  const int lines = qMin(int(output.count('\n')) + 2, kOutputLines); // one more for the scroll bar
  m_output->setFixedHeight(lines * m_output->fontMetrics().lineSpacing() + 14);
  setMaximumWidth(output.isEmpty() ? kWidth : kOutputWidth);
}

void MessageCard::setTitle(const QString &title) {
  showText(m_title, title);
  setAccessibleName(title);
}

void MessageCard::setText(const QString &text) {
  showText(m_text, text);
  setAccessibleDescription(text);
}

void MessageCard::setHint(const QString &hint) { showText(m_hint, hint); }

void MessageCard::setContent(QWidget *content) { m_column->insertWidget(4, content); }

QPushButton *MessageCard::addButton(const QString &text, const QString &objectName,
                                    bool isDefault) {
  auto *button = new QPushButton(text, this);
  button->setObjectName(objectName);
  button->setAccessibleName(QString(text).remove('&'));
  button->setAutoDefault(true);
  button->setDefault(isDefault);
  m_buttons->addWidget(button);
  return button;
}

void MessageCard::changeEvent(QEvent *event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) restyle();
}

void MessageCard::restyle() {
  const Colors colors(palette());
  const QColor tone = m_tone == Tone::Error      ? colors.error
                      : m_tone == Tone::Question ? colors.accent
                                                 : colors.faintText;
  m_icon->setPixmap(iconPixmap(m_iconName, tone, 30, devicePixelRatioF()));
  QPalette faint = m_hint->palette();
  faint.setColor(QPalette::WindowText, colors.faintText);
  m_hint->setPalette(faint);
  m_border = mix(colors.line, tone, 0.25);
}

void MessageCard::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(m_border);
  painter.setBrush(palette().base());
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10);
}

} // namespace tessera::views
