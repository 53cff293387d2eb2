// SPDX-License-Identifier: MIT
//   logging_program FOLDER BYTES COUNT        writes COUNT numbered lines into its log and ends
//   logging_program FOLDER BYTES COUNT die    does the same, but is killed after the last line
#include "engine/record/record.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <unistd.h>

using namespace tessera::record;

namespace {

// Whether this process has written the line. An earlier process may have written to the same file,
// so the process id is compared too.
bool isWritten(const Record &record, int count) {
  std::ifstream file(record.file());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return text.find("[" + std::to_string(::getpid()) + "] info: a line of the test number=" +
                   std::to_string(count) + "\n") != std::string::npos;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const Record record = Record::open(
      {.folder = argv[1], .program = "logging", .bytes = std::size_t(std::atoi(argv[2]))});
  const int count = std::atoi(argv[3]);
  for (int i = 1; i <= count; ++i) {
    record.write(Level::Info, "a line of the test", {{"number", i}});
    // Waits for the disk, so that no line is dropped.
    while (i % 500 == 0 && !isWritten(record, i))
      std::this_thread::yield();
  }
  if (argc < 5) return 0;
  while (!isWritten(record, count))
    std::this_thread::yield();
  std::raise(SIGKILL);
}
