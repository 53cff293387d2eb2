// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/wrapped_label.h"

namespace tessera::views {

namespace {
// Widths in letters, without a look at the text: what is enough for most words, and what looks
// well.
constexpr int kLeast = 16, kGood = 48;
} // namespace

WrappedLabel::WrappedLabel(QWidget *parent) : QLabel(parent) {
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

int WrappedLabel::lettersWide(int count) const {
  const QMargins around = contentsMargins();
  return fontMetrics().averageCharWidth() * count + around.left() + around.right();
}

int WrappedLabel::lineHeight() const {
  const QMargins around = contentsMargins();
  return fontMetrics().height() + around.top() + around.bottom();
}

int WrappedLabel::heightForWidth(int width) const {
  if (m_known.text != text() || m_known.font != font()) m_known = {text(), font(), {}};
  const auto [at, isNew] = m_known.heights.try_emplace(width, 0);
  if (isNew) at->second = QLabel::heightForWidth(width);
  return at->second;
}

// Layouts ask heightForWidth() for the height.
QSize WrappedLabel::sizeHint() const { return {lettersWide(kGood), lineHeight()}; }

QSize WrappedLabel::minimumSizeHint() const { return {lettersWide(kLeast), lineHeight()}; }

} // namespace tessera::views
