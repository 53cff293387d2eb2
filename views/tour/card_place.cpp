// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tour/card_place.h"

#include <algorithm>

namespace tessera::views {

namespace {

constexpr int kGap = 14;

int within(int wanted, int size, int from, int to) {
  return std::max(from, std::min(wanted, to - size + 1));
}

} // namespace

QRect cardPlace(const QRect &target, const QSize &card, const QRect &room) {
  const QRect inner = room.adjusted(kGap, kGap, -kGap, -kGap);
  const int x = target.center().x() - card.width() / 2, y = target.center().y() - card.height() / 2;
  const QPoint below(x, target.bottom() + kGap), above(x, target.top() - kGap - card.height()),
      left(target.left() - kGap - card.width(), y), right(target.right() + kGap, y);
  for (const QPoint &corner : {below, above, left, right}) {
    const QRect moved(QPoint(within(corner.x(), card.width(), inner.left(), inner.right()),
                             within(corner.y(), card.height(), inner.top(), inner.bottom())),
                      card);
    if (!moved.intersects(target) && inner.contains(moved)) return moved;
  }
  return {QPoint(within(x, card.width(), inner.left(), inner.right()),
                 within(y, card.height(), inner.top(), inner.bottom())),
          card};
}

} // namespace tessera::views
