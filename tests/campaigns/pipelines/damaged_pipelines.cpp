// SPDX-License-Identifier: MIT
// Opens damaged serialized pipelines as a user would, with the real worker. The engine must survive
// all of them, and every refusal must name the file.
//
//   damaged_pipelines [--count N] [--seed N] [--without-sidecar] FILE.hlpipe…
//
// The checksum in the sidecar catches every damage, so with it any file that opens is a failure.
// Without it some damage is invisible (another constant is another pipeline). Such files are
// counted, not failed.

#include "engine/host/files.h"
#include "engine/open/open.h"
#include "tests/support/build_paths.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace tessera;

struct Options {
  std::uint64_t count = 20'000;
  std::uint64_t seed = 1;
  bool sidecar = true;
  std::vector<std::string> files;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number = [&](std::uint64_t &value) {
      if (++i < argc) std::from_chars(argv[i], argv[i] + std::string_view(argv[i]).size(), value);
    };
    if (argument == "--count")
      number(options.count);
    else if (argument == "--seed")
      number(options.seed);
    else if (argument == "--without-sidecar")
      options.sidecar = false;
    else
      options.files.emplace_back(argument);
  }
  return options;
}

// Cuts, flips, overwrites, moves, repeats or extends the bytes. The result always differs from
// `whole`.
std::string damaged(const std::string &whole, std::mt19937_64 &random) {
  std::string bytes = whole;
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  while (bytes == whole) {
    switch (random() % 6) {
    case 0:
      bytes.resize(below(bytes.size()));
      break;
    case 1:
      for (std::size_t n = 1 + below(8); n > 0; --n)
        bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
      break;
    case 2: { // overwrites an offset with a wild value
      const std::size_t at = below(bytes.size() / 4) * 4;
      const auto value = static_cast<std::uint32_t>(random() >> below(32));
      for (std::size_t b = 0; b < 4 && at + b < bytes.size(); ++b)
        bytes[at + b] = static_cast<char>(value >> (8 * b));
      break;
    }
    case 3: {
      const std::size_t at = below(bytes.size());
      std::fill_n(bytes.begin() + static_cast<long>(at),
                  std::min<std::size_t>(bytes.size() - at, 64), '\0');
      break;
    }
    case 4: {
      const std::size_t from = below(bytes.size());
      bytes = bytes.substr(from) + bytes.substr(0, from);
      break;
    }
    default:
      bytes.insert(below(bytes.size()), std::string(1 + below(64), 'x'));
      break;
    }
  }
  return bytes;
}

std::string bucketOf(const Error &error) {
  if (error.code == ErrorCode::InputRefused) return "refused";
  return "worker failed: " + error.message.substr(0, error.message.find('\n')).substr(0, 100);
}

} // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  if (options.files.empty()) {
    std::fputs("usage: damaged_pipelines [--count N] [--seed N] [--without-sidecar] FILE…\n",
               stderr);
    return 2;
  }
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  search.home = fs::temp_directory_path().string();
  const host::ToolPaths tools = host::findTools(search);
  open::PipelineOpener opener(tools, std::make_shared<host::TrustStore>(std::string()));
  const auto scratch = host::ScratchFolder::create(search.home);
  if (!scratch) return std::fprintf(stderr, "%s\n", scratch.error().message.c_str()), 1;

  std::mt19937_64 random(options.seed);
  std::uint64_t accepted = 0;
  std::uint64_t unnamed = 0;
  std::map<std::string, std::uint64_t> causes;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const fs::path original = options.files[i % options.files.size()];
    const auto whole = host::readFile(original.string());
    if (!whole) return std::fprintf(stderr, "%s\n", whole.error().message.c_str()), 1;
    const std::string path = scratch->path() + "/damaged.hlpipe";
    if (options.sidecar) {
      const fs::path sidecar = fs::path(original).replace_extension(".estimates.json");
      fs::copy_file(sidecar, scratch->path() + "/damaged.estimates.json",
                    fs::copy_options::overwrite_existing);
    }
    std::FILE *out = std::fopen(path.c_str(), "wb"); // needs no fsync
    const std::string bytes = damaged(*whole, random);
    const bool written = out && std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
    if (!out || std::fclose(out) != 0 || !written) return std::perror("writing"), 1;
    const auto opened = opener.open({.path = path});
    if (opened) {
      ++accepted;
    } else {
      ++causes[bucketOf(opened.error())];
      if (opened.error().message.find("damaged.hlpipe") == std::string::npos) {
        if (++unnamed <= 5)
          std::printf("unnamed (case %lu): %s\n", i, opened.error().message.c_str());
      }
    }
  }
  std::printf("damaged pipelines: n %lu, seed %lu, %s sidecar\n", options.count, options.seed,
              options.sidecar ? "with" : "without");
  for (const auto &[cause, count] : causes)
    std::printf("  %8lu  %s\n", count, cause.c_str());
  std::printf("  %8lu  opened\n  %8lu  messages that do not name the file\n", accepted, unnamed);
  const bool failed = unnamed > 0 || (options.sidecar && accepted > 0);
  std::printf("failures: %lu\n", unnamed + (options.sidecar ? accepted : 0));
  return failed ? 1 : 0;
}
