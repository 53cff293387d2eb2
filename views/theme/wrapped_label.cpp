// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/wrapped_label.h"

namespace tessera::views {

WrappedLabel::WrappedLabel(QWidget *parent) : QLabel(parent) {
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

WrappedLabel::Known &WrappedLabel::known() const {
  if (m_known.text != text() || m_known.font != font()) m_known = {text(), font(), {}, {}, {}};
  return m_known;
}

int WrappedLabel::heightForWidth(int width) const {
  const auto [at, isNew] = known().heights.try_emplace(width, 0);
  if (isNew) at->second = QLabel::heightForWidth(width);
  return at->second;
}

QSize WrappedLabel::sizeHint() const {
  std::optional<QSize> &hint = known().hint;
  if (!hint) hint = QLabel::sizeHint();
  return *hint;
}

QSize WrappedLabel::minimumSizeHint() const {
  std::optional<QSize> &least = known().least;
  if (!least) least = QLabel::minimumSizeHint();
  return *least;
}

} // namespace tessera::views
