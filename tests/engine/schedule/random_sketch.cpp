// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/random_sketch.h"

#include <array>

namespace tessera::schedule::testing {

namespace {

constexpr auto kIndices = std::to_array<const char *>(
    {"(x; y)", "(x+[-1,1]; y)", "(x; y+[0,2])", "(2*x+[0,1]; y)", "(x/2; y/2+[0,1])", "(y; x)",
     "(clamp(x+[-2,2],0,99); clamp(y,0,63))", "(x; ?)"});
// The loops of an update, and the index at which it reads its own func and another one.
struct Update {
  const char *loops, *index;
};
constexpr auto kUpdates = std::to_array<Update>({
    {"(x y) r:0:3:fixed commutative", "(x; y)"},
    {"(x y) r:0:16 q:0:5 commutative", "(x; y+r)"},
    {"(x y) r:0:7 q:0:3:fixed", "(x+q; y)"},
    {"(x r) r:1:60:independent", "(x; r)"},
});

const auto &oneOf(Random &random, const auto &words) { return words[random() % words.size()]; }

} // namespace

std::string randomSketch(Random &random, std::size_t funcs) {
  std::string text = "input in 100 100\n";
  const auto name = [](std::size_t f) { return f == 0 ? "in" : "f" + std::to_string(f); };
  for (std::size_t f = 1; f <= funcs; ++f) {
    text += "func " + name(f) + "(x y) 100 64 = " + name(f - 1) + oneOf(random, kIndices);
    if (random() % 3 == 0) text += " " + name(random() % f) + oneOf(random, kIndices);
    if (random() % 4 == 0) {
      const Update &update = oneOf(random, kUpdates);
      text += "\nupdate " + name(f) + update.loops + " = " + name(f) + update.index + " " +
              name(random() % f) + update.index;
    }
    text += "\n";
  }
  return text + "output " + name(funcs) + (random() % 2 ? " fixed\n" : "\n");
}

} // namespace tessera::schedule::testing
