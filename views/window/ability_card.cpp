// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/ability_card.h"

#include "views/window/ability_mark.h"
#include "views/theme/floating_card.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QStatusBar>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

constexpr int kWidth = 560, kShadow = 14, kMargin = 8;

QString buttonText(Ability::Remedy remedy) {
  switch (remedy) {
  case Ability::Remedy::None:
    return {};
  case Ability::Remedy::LookForGpu:
    return AbilityCard::tr("&Look Again");
  case Ability::Remedy::ClimbBack:
    return AbilityCard::tr("&Turn On");
  case Ability::Remedy::ShowTools:
    return AbilityCard::tr("&Tools…");
  }
  return {};
}

QLabel *words(const QString &text, QWidget *parent) {
  auto *label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

} // namespace

AbilityCard::AbilityCard(Abilities &abilities, QWidget *window)
    : QWidget(window), m_abilities(abilities) {
  setObjectName(QStringLiteral("abilityCard"));
  setAccessibleName(tr("What works here"));
  setFocusPolicy(Qt::StrongFocus);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(kShadow + 14, kShadow + 12, kShadow + 14, kShadow + 10);
  auto *title = new QLabel(tr("What works here"), this);
  QFont strong = title->font();
  strong.setPointSizeF(strong.pointSizeF() * 1.15);
  strong.setWeight(QFont::DemiBold);
  title->setFont(strong);
  column->addWidget(title);
  column->addSpacing(4);
  hide();
  connect(&m_abilities, &Abilities::changed, this, [this] {
    if (isVisible()) fill();
  });
}

void AbilityCard::open() {
  m_abilities.look();
  if (!isVisible()) m_focus = QApplication::focusWidget();
  fill();
  show();
  raise();
  qApp->installEventFilter(this);
  // The focus is not on a button, because Space would press it before the card is read.
  setFocus(Qt::PopupFocusReason);
}

void AbilityCard::dismiss() {
  if (!isVisible()) return;
  qApp->removeEventFilter(this);
  const bool hadFocus = hasFocus() || isAncestorOf(QApplication::focusWidget());
  hide();
  if (hadFocus && m_focus) m_focus->setFocus(Qt::PopupFocusReason);
}

void AbilityCard::fill() {
  if (m_rows && m_rows->isAncestorOf(QApplication::focusWidget())) setFocus(Qt::OtherFocusReason);
  delete m_rows;
  m_rows = new QWidget(this);
  auto *grid = new QGridLayout(m_rows);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(2);
  grid->setColumnStretch(1, 1);
  for (const bool limits : {true, false}) // what does not work comes first
    for (const Ability &ability : m_abilities.all())
      if (ability.limits() == limits) addRow(*grid, ability);
  layout()->addWidget(m_rows);
  m_rows->show();
  place();
}

void AbilityCard::addRow(QGridLayout &grid, const Ability &ability) {
  const int line = grid.rowCount();
  auto *mark = new QLabel(m_rows);
  mark->setPixmap(markOf(ability.state, palette(), devicePixelRatioF()));
  mark->setAccessibleName(stateText(ability.state));
  mark->setToolTip(stateText(ability.state));
  auto *title = new QLabel(ability.title, m_rows);
  QFont strong = title->font();
  strong.setWeight(QFont::DemiBold);
  title->setFont(strong);
  grid.addWidget(mark, line, 0, Qt::AlignTop);
  grid.addWidget(title, line, 1);
  auto *is = words(ability.is, m_rows);
  is->setObjectName(QStringLiteral("ability.") + ability.id);
  is->setAccessibleName(ability.title);
  grid.addWidget(is, line + 1, 1, 1, 2);
  if (ability.limits()) {
    auto *more = words(ability.still + QLatin1Char(' ') + ability.advice, m_rows);
    more->setObjectName(QStringLiteral("advice.") + ability.id);
    more->setAccessibleName(tr("What to do about it"));
    more->setForegroundRole(QPalette::PlaceholderText);
    grid.addWidget(more, line + 2, 1, 1, 2);
  } else {
    is->setForegroundRole(QPalette::PlaceholderText);
  }
  if (const QString text = buttonText(ability.remedy); !text.isEmpty()) {
    auto *button = new QPushButton(text, m_rows);
    button->setObjectName(QStringLiteral("remedy.") + ability.id);
    button->setAccessibleName(QString(text).remove('&') + QStringLiteral(": ") + ability.title);
    grid.addWidget(button, line, 2, 1, 1, Qt::AlignTop);
    connect(
        button, &QPushButton::clicked, this,
        [this, remedy = ability.remedy] {
          // The page of tools is about to be shown, and the card would hide it.
          if (remedy == Ability::Remedy::ShowTools) dismiss();
          emit remedyWanted(remedy);
        },
        Qt::QueuedConnection); // queued, because the remedy may delete the button
  }
  grid.setRowMinimumHeight(line + 3, 7);
}

void AbilityCard::place() {
  QWidget *window = parentWidget();
  const int width = qMin(kWidth, window->width());
  const int height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width)
                                                   : layout()->totalSizeHint().height();
  const auto *main = qobject_cast<QMainWindow *>(window);
  const int bottom = window->height() - (main ? main->statusBar()->height() : 0);
  setGeometry(window->width() - width - kMargin + kShadow, qMax(0, bottom - height + kShadow - 4),
              width, height);
}

bool AbilityCard::eventFilter(QObject *watched, QEvent *event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) place();
  if (event->type() == QEvent::MouseButtonPress) {
    const auto *widget = qobject_cast<QWidget *>(watched);
    // A press on the status bar's button does not dismiss the card here, because the button toggles
    // it.
    const bool isInside = widget && (widget == this || isAncestorOf(widget) ||
                                     widget->objectName() == QLatin1String("abilities"));
    if (widget && !isInside) dismiss();
  }
  // While the card is open, Escape closes it instead of triggering the job indicator's shortcut.
  if (event->type() == QEvent::ShortcutOverride && watched == QApplication::focusWidget() &&
      static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
    event->accept();
  return false;
}

void AbilityCard::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape) return dismiss();
  QWidget::keyPressEvent(event);
}

// Tab stays within the card. Otherwise it would move on to the widgets below.
bool AbilityCard::focusNextPrevChild(bool next) {
  const QList<QPushButton *> buttons = m_rows->findChildren<QPushButton *>();
  if (buttons.isEmpty()) return true;
  const qsizetype now = buttons.indexOf(qobject_cast<QPushButton *>(QApplication::focusWidget()));
  const qsizetype count = buttons.size(),
                  to = now < 0 ? (next ? 0 : count - 1) : (now + (next ? 1 : count - 1)) % count;
  buttons[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

// An event that is not accepted would reach the window, and the press would count as one outside
// the card.
void AbilityCard::mousePressEvent(QMouseEvent *event) { event->accept(); }

void AbilityCard::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  paintFloatingCard(painter, QRectF(rect()).adjusted(kShadow, kShadow, -kShadow, -kShadow), kShadow,
                    palette());
}

} // namespace tessera::views
