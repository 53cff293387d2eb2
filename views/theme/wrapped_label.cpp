// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/wrapped_label.h"

#include <algorithm>

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

int WrappedLabel::heightForWidth(int width) const {
  if (m_known.text != text() || m_known.font != font()) m_known = {text(), font(), {}};
  const auto [at, isNew] = m_known.heights.try_emplace(width, 0);
  if (isNew) at->second = QLabel::heightForWidth(width);
  return at->second;
}

QSize WrappedLabel::sizeHint() const {
  return {lettersWide(kGood), heightForWidth(std::max(width(), lettersWide(kLeast)))};
}

QSize WrappedLabel::minimumSizeHint() const {
  const QMargins around = contentsMargins();
  return {lettersWide(kLeast), fontMetrics().height() + around.top() + around.bottom()};
}

} // namespace tessera::views
