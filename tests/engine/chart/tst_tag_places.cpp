// SPDX-License-Identifier: MIT
#include "engine/chart/tag_places.h"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::chart {
namespace {

constexpr Box kPage{0, 0, 400, 400};
constexpr double kWidth = 12, kHeight = 14;

TEST(TagPlaces, TheFirstIsOnTheLeft) {
  TagPlaces places(kPage);
  const Box box = places.place({100, 100, 120, 110}, kWidth, kHeight);
  EXPECT_EQ(box.right, 97);
  EXPECT_EQ(box.left, 85);
  EXPECT_EQ((box.top + box.bottom) / 2, 105);
}

TEST(TagPlaces, ThenOnTheRight) {
  TagPlaces places(kPage);
  places.occupy({80, 90, 99, 120});
  EXPECT_EQ(places.place({100, 100, 120, 110}, kWidth, kHeight).left, 123);
}

TEST(TagPlaces, StaysOnThePage) {
  TagPlaces places(kPage);
  EXPECT_EQ(places.place({5, 100, 20, 110}, kWidth, kHeight).left, 23);
}

TEST(TagPlaces, ManyWordsAtOnePlaceCoverNothing) {
  TagPlaces places(kPage);
  const Box crowd{190, 190, 210, 200};
  places.occupy(crowd);
  std::vector<Box> boxes{crowd};
  for (int i = 0; i < 40; ++i) {
    const Box box = places.place(crowd, kWidth, kHeight);
    for (const Box &other : boxes)
      ASSERT_EQ(box.overlap(other), 0) << i;
    boxes.push_back(box);
  }
}

TEST(TagPlaces, WhereThereIsNoRoomTheyCoverLittle) {
  TagPlaces places({0, 0, 20, 20});
  places.occupy({0, 0, 20, 20});
  const Box box = places.place({5, 5, 15, 15}, kWidth, kHeight);
  // There is no free place, so the tag may overlap, but has its full width.
  EXPECT_EQ(box.right - box.left, kWidth);
}

} // namespace
} // namespace tessera::chart
