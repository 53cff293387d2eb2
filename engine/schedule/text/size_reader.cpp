// SPDX-License-Identifier: MIT
#include "engine/schedule/text/size_reader.h"

#include "engine/schedule/text/call_text.h"

#include <string>
#include <utility>

namespace tessera::schedule {

bool hasSize(const TokenReader &reader, std::size_t end) {
  const std::vector<Token> &tokens = reader.lexed().tokens;
  for (std::size_t i = reader.place(); i + 1 < end; ++i)
    if (tokens[i].is(kSizeFunction) && tokens[i + 1].is("(")) return true;
  return false;
}

// The text of an expression has names where code calls size().
bool readSize(TokenReader &reader, std::size_t end, SizeExpression &size) {
  const Token &first = reader.at();
  std::string text;
  while (reader.place() < end) {
    const std::size_t before = reader.place();
    reader.acceptQualifier();
    if (reader.at().is(kSizeFunction)) {
      std::string name;
      reader.skip();
      if (!reader.expect("(") || !reader.readName("the name of a size in quotes", name) ||
          !reader.expect(")"))
        return false;
      text += textOf(SizeExpression::ofName(std::move(name)));
    } else if (reader.place() == before) {
      text += reader.at().text;
      reader.skip();
    }
  }
  auto read = sizeExpressionFrom(text);
  if (!read) return reader.fail(wrongAt(first, read.error().message, read.error().hint));
  size = std::move(*read);
  return true;
}

} // namespace tessera::schedule
