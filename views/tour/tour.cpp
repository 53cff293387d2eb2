// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tour/tour.h"

#include "views/tour/card_place.h"
#include "views/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {
constexpr int kCardWidth = 360;
} // namespace

// Darkens the window except for a hole, and lets mouse events through.
class Tour::Shade : public QWidget {
public:
  explicit Shade(QWidget *window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
  }
  void setHole(const QRect &hole) {
    m_hole = hole;
    update();
  }

protected:
  void paintEvent(QPaintEvent *) override {
    const Colors colors(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path;
    path.addRect(rect());
    const QRectF hole =
        QRectF(m_hole).adjusted(-3, -3, 3, 3) & QRectF(rect()).adjusted(2, 2, -2, -2);
    if (!m_hole.isEmpty()) path.addRoundedRect(hole, 6, 6);
    painter.fillPath(path, QColor(0, 0, 0, colors.dark ? 130 : 80));
    if (m_hole.isEmpty()) return;
    painter.setPen(QPen(colors.accent, 2.5));
    painter.drawRoundedRect(hole, 6, 6);
  }

private:
  QRect m_hole;
};

Tour::Tour(std::vector<TourStep> steps, QWidget *window)
    : QFrame(window), m_steps(std::move(steps)), m_shade(new Shade(window)),
      m_title(new QLabel(this)), m_text(new QLabel(this)), m_position(new QLabel(this)) {
  setObjectName(QStringLiteral("tour"));
  setAccessibleName(tr("Tour"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  setFrameShape(QFrame::StyledPanel);
  setFixedWidth(kCardWidth);
  m_shade->hide();
  QFont large = m_title->font();
  large.setPointSizeF(large.pointSizeF() * 1.25);
  large.setWeight(QFont::DemiBold);
  m_title->setFont(large);
  m_title->setObjectName(QStringLiteral("tourTitle"));
  m_title->setAccessibleName(tr("Title of the step"));
  m_text->setAccessibleName(tr("Explanation"));
  m_text->setWordWrap(true);
  m_position->setAccessibleName(tr("Step"));
  m_position->setForegroundRole(QPalette::PlaceholderText);
  m_skip = addButton(tr("S&kip"), QStringLiteral("tourSkip"), &Tour::end);
  m_back = addButton(tr("&Back"), QStringLiteral("tourBack"), &Tour::back);
  m_next = addButton(tr("&Next"), QStringLiteral("tourNext"), &Tour::next);
  m_next->setDefault(true);
  auto *row = new QHBoxLayout;
  row->addWidget(m_position);
  row->addStretch(1);
  for (QPushButton *button : {m_skip, m_back, m_next})
    row->addWidget(button);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(18, 14, 18, 14);
  column->setSpacing(8);
  column->addWidget(m_title);
  column->addWidget(m_text);
  column->addSpacing(4);
  column->addLayout(row);
  hide();
  window->installEventFilter(this);
}

Tour::~Tour() { delete m_shade; }

QPushButton *Tour::addButton(const QString &text, const QString &name, void (Tour::*run)()) {
  auto *button = new QPushButton(text, this);
  button->setObjectName(name);
  button->setAccessibleName(QString(text).remove('&'));
  button->setAutoDefault(true); // Return clicks the button
  button->installEventFilter(this);
  connect(button, &QPushButton::clicked, this, run);
  return button;
}

void Tour::start() {
  m_shade->show();
  m_shade->raise();
  show();
  go(0);
  m_next->setFocus();
}

void Tour::go(int step) {
  m_current = step;
  const TourStep &now = m_steps[std::size_t(step)];
  m_target = now.target ? now.target() : nullptr;
  m_title->setText(now.title);
  m_text->setText(now.text);
  setAccessibleDescription(now.title + ". " + now.text);
  m_position->setText(tr("%1 of %2").arg(step + 1).arg(m_steps.size()));
  m_back->setEnabled(step > 0);
  m_next->setText(step + 1 == int(m_steps.size()) ? tr("&Done") : tr("&Next"));
  place();
  // The card is placed again later, because a dock that was just raised gets its size only then.
  QTimer::singleShot(0, this, &Tour::place);
}

void Tour::next() { m_current + 1 < int(m_steps.size()) ? go(m_current + 1) : end(); }

void Tour::back() {
  if (m_current > 0) go(m_current - 1);
}

void Tour::end() {
  m_current = -1;
  hide();
  m_shade->hide();
  emit finished();
}

void Tour::place() {
  if (m_current < 0) return;
  QRect hole;
  if (m_target && m_target->isVisible()) {
    const auto &part = m_steps[std::size_t(m_current)].part;
    hole = part ? part(*m_target) : m_target->rect();
    hole.moveTopLeft(m_target->mapTo(parentWidget(), hole.topLeft()));
  }
  m_shade->setGeometry(parentWidget()->rect());
  // A dock comes to the front of its tabs by being raised, and is then above the shade, too.
  m_shade->raise();
  static_cast<Shade *>(m_shade.data())->setHole(hole);
  const int height = heightForWidth(kCardWidth);
  resize(kCardWidth, height > 0 ? height : sizeHint().height());
  const QRect room = parentWidget()->rect();
  setGeometry(cardPlace(hole.isEmpty() ? QRect(room.center(), QSize(1, 1)) : hole, size(), room));
  raise();
}

void Tour::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Right:
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return next();
  case Qt::Key_Left:
    return back();
  case Qt::Key_Escape:
    return end();
  default:
    QFrame::keyPressEvent(event);
  }
}

// Handles the arrow keys here. Otherwise they would move the focus between the buttons.
bool Tour::eventFilter(QObject *watched, QEvent *event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) place();
  if (watched == parentWidget() || event->type() != QEvent::KeyPress) return false;
  auto *press = static_cast<QKeyEvent *>(event);
  const bool isOurs = press->key() == Qt::Key_Left || press->key() == Qt::Key_Right;
  if (isOurs) keyPressEvent(press);
  return isOurs;
}

} // namespace tessera::views
