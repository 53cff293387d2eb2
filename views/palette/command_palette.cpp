// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/command_palette.h"

#include "views/palette/palette_delegate.h"
#include "views/theme/floating_card.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace tessera::views {

namespace {
constexpr int kWidth = 680, kTop = 56, kShadow = 14, kMostRows = 12;
} // namespace

CommandPalette::CommandPalette(QWidget *window)
    : QWidget(window), m_line(new QLineEdit(this)), m_list(new QListView(this)),
      m_nothing(new QLabel(tr("Nothing has a name like that."), this)) {
  setObjectName(QStringLiteral("commandPalette"));
  setAccessibleName(tr("Command palette"));
  m_line->setObjectName(QStringLiteral("paletteLine"));
  m_line->setAccessibleName(tr("What to do"));
  m_line->setPlaceholderText(tr("An action, a stage, a candidate, a dock…"));
  m_line->setFrame(false);
  QFont large = m_line->font();
  large.setPointSizeF(large.pointSizeF() * 1.2);
  m_line->setFont(large);
  m_line->setTextMargins(8, 8, 8, 8);
  m_line->setBackgroundRole(QPalette::Base);
  m_list->setObjectName(QStringLiteral("paletteList"));
  m_list->setAccessibleName(tr("What can be done"));
  m_list->setModel(&m_model);
  m_list->setItemDelegate(new PaletteDelegate(m_list));
  m_list->setUniformItemSizes(true);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setFocusPolicy(Qt::NoFocus); // the input line keeps the focus
  m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_nothing->setAccessibleName(tr("No match"));
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setMargin(14);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(kShadow + 1, kShadow + 1, kShadow + 1, kShadow + 5);
  column->setSpacing(0);
  column->addWidget(m_line);
  column->addSpacing(5);
  column->addWidget(m_list);
  column->addWidget(m_nothing);
  hide();
  m_line->installEventFilter(this);
  window->installEventFilter(this);
  connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(m_list, &QListView::clicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::open(std::vector<PaletteEntry> entries) {
  if (!isVisible()) m_focus = QApplication::focusWidget();
  m_model.setEntries(std::move(entries));
  m_line->clear();
  filter({});
  show();
  raise();
  m_line->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::dismiss() {
  if (!isVisible()) return;
  const bool hadFocus = m_line->hasFocus();
  hide();
  if (hadFocus && m_focus) m_focus->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::filter(const QString &typed) {
  m_model.setFilter(typed);
  const bool isEmpty = m_model.rowCount() == 0;
  m_list->setVisible(!isEmpty);
  m_nothing->setVisible(isEmpty);
  if (!isEmpty) m_list->setCurrentIndex(m_model.index(0));
  place();
}

// The height fits the rows, and the width fits the window.
void CommandPalette::place() {
  const QSize room = parentWidget()->size();
  const int row = m_list->sizeHintForRow(0);
  const int most =
      std::max(1, (room.height() - 2 * kTop - m_line->sizeHint().height()) / std::max(1, row));
  m_list->setFixedHeight(std::max(0, row) * std::min({m_model.rowCount(), kMostRows, most}));
  const int width = std::min(kWidth + 2 * kShadow, room.width() - 16);
  setFixedWidth(width);
  layout()->activate();
  resize(width, sizeHint().height());
  move((room.width() - width) / 2, kTop - kShadow);
}

void CommandPalette::step(int rows) {
  const int count = m_model.rowCount();
  if (count == 0) return;
  const int now = m_list->currentIndex().row();
  // Single steps wrap around; page steps stop at the ends.
  const int next =
      std::abs(rows) == 1 ? (now + rows + count) % count : std::clamp(now + rows, 0, count - 1);
  m_list->setCurrentIndex(m_model.index(next));
}

void CommandPalette::runCurrent() {
  const QModelIndex index = m_list->currentIndex();
  if (!index.isValid() || !m_model.entryAt(index.row()).whyNot.isEmpty()) return;
  m_model.remember(index.row());
  const auto run = m_model.entryAt(index.row()).run;
  dismiss(); // dismissed first, because the command may look at the focus
  run();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event) {
  if (watched == parentWidget()) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return false;
  }
  if (event->type() == QEvent::FocusOut) {
    const auto reason = static_cast<QFocusEvent *>(event)->reason();
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) hide();
    return false;
  }
  // The window uses some of these keys as shortcuts; here the input line gets them.
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter) event->accept();
    return false;
  }
  if (event->type() != QEvent::KeyPress) return false;
  switch (static_cast<QKeyEvent *>(event)->key()) {
  case Qt::Key_Up:
    return step(-1), true;
  case Qt::Key_Down:
    return step(1), true;
  case Qt::Key_PageUp:
    return step(-kMostRows), true;
  case Qt::Key_PageDown:
    return step(kMostRows), true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return runCurrent(), true;
  case Qt::Key_Escape:
    return dismiss(), true;
  case Qt::Key_Tab:
  case Qt::Key_Backtab:
    return true; // no other widget can take the focus
  default:
    return false;
  }
}

void CommandPalette::paintEvent(QPaintEvent *) {
  const Colors colors(palette());
  QPainter painter(this);
  const QRectF card = QRectF(rect()).adjusted(kShadow, kShadow, -kShadow, -kShadow);
  paintFloatingCard(painter, card, kShadow, palette());
  painter.setPen(colors.line);
  const qreal y = m_line->geometry().bottom() + 2.5;
  painter.drawLine(QPointF(card.left() + 1, y), QPointF(card.right() - 1, y));
}

} // namespace tessera::views
