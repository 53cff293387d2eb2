// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"
#include "engine/host/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::record::test {

// A test with a folder for logs, which is removed at the end.
class LogTest : public testing::Test {
protected:
  std::string folder() const { return m_scratch->path() + "/logs"; }
  std::string scratch() const { return m_scratch->path(); }

  LogPlace place() const { return {.folder = folder(), .program = "tessera"}; }

  std::string text(const std::string &file) const {
    const auto content = host::readFile(folder() + "/" + file);
    return content ? *content : "";
  }

  std::vector<std::string> lines(const std::string &file) const {
    std::vector<std::string> all;
    std::istringstream stream(text(file));
    for (std::string line; std::getline(stream, line);)
      all.push_back(line);
    return all;
  }

  // Returns the names of the log files in order.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    if (!std::filesystem::exists(folder())) return names;
    for (const auto &entry : std::filesystem::directory_iterator(folder()))
      if (entry.path().extension() == ".log") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

} // namespace tessera::record::test
