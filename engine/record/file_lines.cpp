// SPDX-License-Identifier: MIT
#include "engine/record/file_lines.h"

#include "engine/record/words.h"

#include <filesystem>

namespace tessera::record {

void write(const Record &record, const FileLine &line) {
  if (!record) return;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - line.start);
  std::vector<Field> fields{{"file", record.numberOf(line.path)}, {"kind", line.kind}};
  std::error_code failed;
  if (const auto bytes = std::filesystem::file_size(line.path, failed); !failed)
    fields.push_back({"bytes", bytes});
  fields.push_back({"outcome", line.failed ? wordOf(*line.failed) : Word("ok")});
  fields.push_back({"ms", took.count()});
  fields.insert(fields.end(), line.facts.begin(), line.facts.end());
  const bool isFine = !line.failed || *line.failed == ErrorCode::Cancelled;
  record.write(isFine ? Level::Info : Level::Warning, line.what, fields);
}

} // namespace tessera::record
