// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/code/code_view.h"

#include "views/theme/theme.h"

#include <QFontDatabase>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

constexpr int kBar = 5;      // width of the bar in a kernel's colour
constexpr int kTabStops = 4; // in letters; PTX is indented by tabs

QColor colorOf(const Colors &colors, CodeToken::Kind kind) {
  switch (kind) {
  case CodeToken::Kind::Keyword:
    return colors.hue(StageKind::Update, false);
  case CodeToken::Kind::Call:
    return colors.producer;
  case CodeToken::Kind::Number:
    return colors.consumer;
  case CodeToken::Kind::String:
    return colors.success;
  case CodeToken::Kind::Register:
    return colors.warning;
  case CodeToken::Kind::Comment:
    break;
  }
  return colors.faintText;
}

class Margin : public QWidget {
public:
  explicit Margin(CodeView *view) : QWidget(view), m_view(view) {}
  QSize sizeHint() const override { return {m_view->marginWidth(), 0}; }

protected:
  void paintEvent(QPaintEvent *event) override { m_view->paintMargin(event); }

private:
  CodeView *m_view;
};

} // namespace

CodeView::CodeView(QWidget *parent) : QPlainTextEdit(parent), m_margin(new Margin(this)) {
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(NoWrap);
  setFrameShape(NoFrame);
  setUndoRedoEnabled(false);
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPointSizeF(font().pointSizeF());
  setFont(fixed);
  setTabStopDistance(kTabStops * fontMetrics().horizontalAdvance(' '));
  setCursorWidth(2);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &area, int scrolled) {
    if (scrolled)
      m_margin->scroll(0, scrolled);
    else
      m_margin->update(0, area.y(), m_margin->width(), area.height());
  });
}

void CodeView::load(CodeKind kind, const QString &text) {
  m_kind = kind;
  ++m_generation;
  replaceLines(text);
  m_lit.reset();
  setViewportMargins(marginWidth(), 0, 0, 0);
  resizeEvent(nullptr);
  search(m_wanted);
}

// Replaces only the lines between the first and the last one that differ, because the loops of a
// large pipeline have thousands, of which an edit of its schedule changes a few.
void CodeView::replaceLines(const QString &text) {
  const QString before = std::exchange(m_text, text);
  if (document()->characterCount() != before.size() + 1) return setPlainText(text);
  qsizetype same = std::ranges::mismatch(before, text).in1 - before.begin(), end = 0;
  same = same > 0 ? before.lastIndexOf('\n', same - 1) + 1 : 0;
  const qsizetype most = std::min(before.size(), text.size()) - same;
  while (end < most && before[before.size() - end - 1] == text[text.size() - end - 1])
    ++end;
  const qsizetype line = text.indexOf('\n', text.size() - end);
  end = line < 0 ? 0 : text.size() - line;
  QTextCursor cursor(document());
  cursor.setPosition(int(same));
  cursor.setPosition(int(before.size() - end), QTextCursor::KeepAnchor);
  cursor.insertText(text.sliced(same, text.size() - end - same));
  setTextCursor(QTextCursor(document()));
}

void CodeView::showText(CodeKind kind, const QString &text, std::vector<LineMark> marks,
                        KernelColours colours) {
  const bool isSameKind = kind == m_kind && m_changes.empty();
  const int place = verticalScrollBar()->value();
  m_changes.clear();
  m_marks = std::move(marks);
  m_colours = std::move(colours);
  load(kind, text);
  // Keeps the scroll position, because the new text is usually similar.
  if (isSameKind) verticalScrollBar()->setValue(place);
}

void CodeView::showDifference(CodeKind kind, const TextDifference &difference,
                              std::vector<LineMark> marks, KernelColours colours) {
  m_marks = std::move(marks);
  m_colours = std::move(colours);
  m_changes = difference.changes;
  load(kind, difference.lines.join('\n'));
  const auto first =
      std::ranges::find_if(m_changes, [](LineChange change) { return change != LineChange::Same; });
  if (first == m_changes.end()) return;
  setTextCursor(QTextCursor(document()->findBlockByNumber(int(first - m_changes.begin()))));
  centerCursor();
}

// --- stages

bool CodeView::isLit(const LineMark &mark) const {
  return m_lit && std::ranges::find(mark.subjects, *m_lit) != mark.subjects.end();
}

int CodeView::litLines() const {
  int lines = 0;
  for (const LineMark &mark : m_marks)
    if (isLit(mark)) lines += mark.last - mark.first + 1;
  return lines;
}

void CodeView::light(std::optional<Subject> subject, Scroll scroll) {
  m_lit = subject;
  viewport()->update();
  m_margin->update();
  if (scroll == Scroll::No) return;
  const int cursor = textCursor().blockNumber();
  const LineMark *here = markAt(m_marks, cursor);
  if (here && isLit(*here)) return; // the cursor is already in a line of the stage
  const auto first =
      std::ranges::find_if(m_marks, [&](const LineMark &mark) { return isLit(mark); });
  if (first == m_marks.end()) return;
  setTextCursor(QTextCursor(document()->findBlockByNumber(first->first)));
  centerCursor();
}

void CodeView::mouseReleaseEvent(QMouseEvent *event) {
  QPlainTextEdit::mouseReleaseEvent(event);
  if (!textCursor().hasSelection()) emit lineChosen(textCursor().blockNumber());
}

void CodeView::keyReleaseEvent(QKeyEvent *event) {
  QPlainTextEdit::keyReleaseEvent(event);
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    emit lineChosen(textCursor().blockNumber());
}

// --- find

void CodeView::search(const QString &text) {
  m_wanted = text;
  m_matches.clear();
  // Upper limit for the number of matches: a single letter can occur very often in a long text.
  constexpr std::size_t kMost = 100'000;
  for (qsizetype at = 0; !text.isEmpty() && m_matches.size() < kMost; at += text.size()) {
    at = m_text.indexOf(text, at, Qt::CaseInsensitive);
    if (at < 0) break;
    m_matches.push_back(int(at));
  }
  viewport()->update();
  if (!m_matches.empty()) {
    const auto next = std::ranges::lower_bound(m_matches, textCursor().selectionStart());
    showMatch(std::size_t(next == m_matches.end() ? 0 : next - m_matches.begin()));
  }
  emit matchesChanged();
}

void CodeView::findNext(bool backwards) {
  if (m_matches.empty()) return;
  const int current = currentMatch() - 1, count = matches();
  if (current >= 0) {
    showMatch(std::size_t((current + (backwards ? count - 1 : 1)) % count));
  } else {
    const auto next = std::ranges::lower_bound(m_matches, textCursor().position());
    const int after = int(next - m_matches.begin());
    showMatch(std::size_t((backwards ? after + count - 1 : after) % count));
  }
  emit matchesChanged();
}

void CodeView::showMatch(std::size_t index) {
  QTextCursor cursor(document());
  cursor.setPosition(m_matches[index]);
  cursor.setPosition(m_matches[index] + int(m_wanted.size()), QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  centerCursor();
}

int CodeView::currentMatch() const {
  const QTextCursor cursor = textCursor();
  if (cursor.selectionEnd() - cursor.selectionStart() != m_wanted.size()) return 0;
  const auto found = std::ranges::lower_bound(m_matches, cursor.selectionStart());
  return found != m_matches.end() && *found == cursor.selectionStart()
             ? int(found - m_matches.begin()) + 1
             : 0;
}

// --- painting

template <typename Visit>
void CodeView::forSeen(const QRect &area, const Visit &visit) {
  QTextBlock block = firstVisibleBlock();
  double top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && top <= area.bottom()) {
    const double height = blockBoundingRect(block).height();
    if (top + height >= area.top()) visit(block, QRectF(0, top, viewport()->width(), height));
    block = block.next();
    top += height;
  }
}

// Lays out the block again with its colours. Colours do not change its metrics.
void CodeView::colour(QTextBlock &block) const {
  const Colors colors(palette());
  QList<QTextLayout::FormatRange> formats;
  for (const CodeToken &token : tokensOf(m_kind, block.text())) {
    QTextLayout::FormatRange range;
    range.start = int(token.from);
    range.length = int(token.length);
    range.format.setForeground(colorOf(colors, token.kind));
    formats << range;
  }
  block.clearLayout();
  block.layout()->setFormats(formats);
  block.setUserState(m_generation);
}

void CodeView::colourSeen() {
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    if (block.userState() != m_generation) colour(block);
    if (blockBoundingGeometry(block).translated(contentOffset()).top() > viewport()->height())
      break;
  }
}

void CodeView::paintBackgrounds(QPaintEvent *event) {
  const Colors colors(palette());
  QPainter painter(viewport());
  const QFontMetricsF metrics(font());
  forSeen(event->rect(), [&](const QTextBlock &block, const QRectF &place) {
    const auto line = std::size_t(block.blockNumber());
    if (const LineMark *mark = markAt(m_marks, int(line)); mark && isLit(*mark))
      painter.fillRect(place, mix(colors.canvas, colors.accent, 0.14));
    if (line < m_changes.size() && m_changes[line] != LineChange::Same)
      painter.fillRect(
          place, mix(colors.canvas,
                     m_changes[line] == LineChange::Added ? colors.success : colors.error, 0.16));
    const auto from = std::ranges::lower_bound(m_matches, block.position());
    for (auto match = from; match != m_matches.end() && *match < block.position() + block.length();
         ++match) {
      const QTextLine row = block.layout()->lineForTextPosition(0);
      if (!row.isValid()) break;
      const double left = row.cursorToX(*match - block.position());
      const double right = row.cursorToX(*match - block.position() + int(m_wanted.size()));
      painter.fillRect(
          QRectF(left + contentOffset().x(), place.top(), right - left, place.height()),
          mix(colors.canvas, colors.warning, 0.4));
    }
  });
}

void CodeView::paintEvent(QPaintEvent *event) {
  colourSeen();
  paintBackgrounds(event);
  QPlainTextEdit::paintEvent(event);
}

int CodeView::marginWidth() const {
  const int digits = int(QString::number(qMax(99, blockCount())).size());
  const int sign = m_changes.empty() ? 0 : fontMetrics().horizontalAdvance('+') + 4;
  return kBar + 8 + digits * fontMetrics().horizontalAdvance('9') + 8 + sign;
}

void CodeView::paintMargin(QPaintEvent *event) {
  const Colors colors(palette());
  QPainter painter(m_margin);
  painter.fillRect(event->rect(), mix(colors.canvas, colors.text, 0.03));
  painter.setFont(font());
  forSeen(event->rect(), [&](const QTextBlock &block, const QRectF &place) {
    const int line = block.blockNumber();
    const LineMark *mark = markAt(m_marks, line);
    const int colour = mark ? m_colours[std::size_t(mark - m_marks.data())] : 0;
    if (colour > 0)
      painter.fillRect(QRectF(0, place.top(), kBar, place.height()), colors.kernelBlock(colour));
    QRectF number(0, place.top(), m_margin->width() - 8, place.height());
    if (!m_changes.empty() && m_changes[std::size_t(line)] != LineChange::Same) {
      const bool isAdded = m_changes[std::size_t(line)] == LineChange::Added;
      painter.setPen(isAdded ? colors.success : colors.error);
      painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter,
                       isAdded ? QStringLiteral("+") : QStringLiteral("−"));
    }
    if (!m_changes.empty())
      number.setRight(number.right() - fontMetrics().horizontalAdvance('+') - 4);
    painter.setPen(mark && isLit(*mark) ? colors.text : mix(colors.canvas, colors.text, 0.4));
    painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
  });
}

void CodeView::resizeEvent(QResizeEvent *event) {
  if (event) QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  m_margin->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

void CodeView::changeEvent(QEvent *event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) ++m_generation;
}

} // namespace tessera::views
