// SPDX-License-Identifier: MIT
#include "engine/halide/compile/lowered_lines.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tessera::halide {

namespace {

using report::KernelStage;
using report::StageLines;

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

// The leading "name" of texts such as "name rest", "name[index] = value" or "name = value".
std::string_view wordAt(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(
                            std::find_if_not(text.begin(), text.end(), isWord) - text.begin()));
}

bool skip(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// The name of a loop in a line such as "for (f.s0.x, 0, 8) {" or
// "gpu_block<CUDA> (f.s0.x.block_id_x, 0, 8) {".
std::string_view loopIn(std::string_view line) {
  const auto open = line.find(" (");
  if (!line.ends_with("{") || open == std::string_view::npos || line.starts_with("if ")) return {};
  const std::string_view rest = line.substr(open + 2);
  const std::string_view name = wordAt(rest);
  return rest.substr(name.size()).starts_with(",") ? name : std::string_view{};
}

class LineReader {
public:
  explicit LineReader(const std::map<std::string, std::uint32_t> &stages) : m_stages(stages) {}

  void read(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("}")) return close(line.ends_with("{"));
    if (skip(line, "produce ")) return produce(std::string(wordAt(line)));
    if (const auto stage = known(stageOfLoop(loopIn(line)))) {
      enter(*stage);
      return open(stage, true);
    }
    if (skip(line, "let ")) {
      const auto stage = known(stageOfLoop(wordAt(line)));
      // A let called f.sN.… belongs to a stage of f. The consumer's lets for the region that it
      // requires of f are called f.… without sN.
      if (stage && isCurrent(stage->func)) enter(*stage);
      return add(stage && isCurrent(stage->func));
    }
    if (line.starts_with("gpu_thread_barrier")) return barrier();
    if (line.ends_with("{")) return open(current(), inNamedLoop());
    store(line);
  }

  std::vector<StageLines> take() {
    settle();
    std::vector<StageLines> ranges;
    for (std::uint32_t i = 0; i < m_lines.size(); ++i) {
      if (!m_lines[i].stage) continue;
      if (!ranges.empty() && ranges.back().last == i && ranges.back().stage == *m_lines[i].stage)
        ranges.back().last = i + 1;
      else
        ranges.push_back({i + 1, i + 1, *m_lines[i].stage});
    }
    return ranges;
  }

private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Line {
    std::optional<KernelStage> stage;
    bool certain = true; // if false, the line takes the stage of the next certain line of its func
    std::size_t produce = 0;
    std::size_t opener = kNone; // for a closing brace: the line of the opening brace
  };
  struct Block {
    std::optional<KernelStage> stage; // nullopt: the block belongs to no func
    bool namedLoop;
    std::size_t line;
    std::size_t produce; // number of the innermost `produce`: a func may have several
  };

  std::optional<KernelStage> known(std::optional<KernelStage> stage) const {
    const auto at = stage ? m_stages.find(stage->func) : m_stages.end();
    return at != m_stages.end() && stage->stage < at->second ? stage : std::nullopt;
  }
  std::optional<KernelStage> current() const {
    return m_blocks.empty() ? std::nullopt : m_blocks.back().stage;
  }
  bool isCurrent(const std::string &func) const { return current() && current()->func == func; }
  bool inNamedLoop() const { return !m_blocks.empty() && m_blocks.back().namedLoop; }

  std::size_t producing() const { return m_blocks.empty() ? 0 : m_blocks.back().produce; }

  void produce(const std::string &func) {
    m_stored = false;
    const bool isKnown = m_stages.find(func) != m_stages.end();
    open(isKnown ? KernelStage{func, 0} : current(), false);
    m_lines.back().produce = m_blocks.back().produce = ++m_produces;
  }

  // Sets the stage for the lines that follow: in the current block and in the blocks around it, out
  // to the nearest named loop or the end of this func.
  void enter(const KernelStage &stage) {
    m_stored = false;
    for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block) {
      if (block->namedLoop || !block->stage || block->stage->func != stage.func) break;
      block->stage->stage = std::max(block->stage->stage, stage.stage);
    }
  }

  void next() {
    if (inNamedLoop() || !current()) return;
    if (const auto stage = known(KernelStage{current()->func, current()->stage + 1})) enter(*stage);
  }

  void add(bool certain) { m_lines.push_back({current(), certain, producing()}); }

  void open(std::optional<KernelStage> stage, bool namedLoop) {
    m_lines.push_back({stage, namedLoop || !stage, producing()});
    m_blocks.push_back({std::move(stage), namedLoop, m_lines.size() - 1, producing()});
  }

  void close(bool opens) {
    const std::size_t opener = m_blocks.empty() ? kNone : m_blocks.back().line;
    const bool namedLoop = inNamedLoop();
    if (!m_blocks.empty()) m_blocks.pop_back();
    if (opens) return open(current(), namedLoop); // "} else {"
    m_lines.push_back({current(), true, producing(), opener});
  }

  void barrier() {
    if (m_stored) next();
    add(false);
  }

  // A store "f.3[index] = value". A pure definition of f never reads f, so a store whose value
  // reads f belongs to an update.
  void store(std::string_view line) {
    const std::string_view buffer = wordAt(line);
    const bool stores = line.substr(buffer.size()).starts_with("[") && current() &&
                        // The host stores this size of shared memory for the launch; no stage does.
                        !buffer.ends_with(".shared_size");
    if (stores) {
      const auto value = line.find("] = ");
      const bool alone = !buffer.starts_with("allocgroup__"); // an allocgroup holds several funcs
      const bool fromItself = value != std::string_view::npos && alone &&
                              line.find(std::string(buffer) + "[", value) != std::string_view::npos;
      if (fromItself && current()->stage == 0) next();
      m_stored = true;
    }
    add(inNamedLoop() || stores);
    if (stores)
      m_lines.back().stage = stageOfStore(std::string(buffer.substr(0, buffer.find('.'))));
  }

  // The stage of a store to `func`. In a loop that two funcs share, the innermost `produce` may
  // belong to the other func.
  KernelStage stageOfStore(const std::string &func) const {
    for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block)
      if (block->stage && block->stage->func == func) return *block->stage;
    return *current();
  }

  // A line of uncertain stage prepares the next certain line in the same `produce`, so it gets the
  // stage of that line.
  void settle() {
    std::map<std::size_t, KernelStage> ahead; // the next certain stage, by `produce`
    for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line) {
      if (!line->stage || line->opener != kNone) continue;
      if (line->certain) {
        ahead[line->produce] = *line->stage;
        continue;
      }
      const auto at = ahead.find(line->produce);
      if (at != ahead.end() && at->second.func == line->stage->func) line->stage = at->second;
    }
    for (Line &line : m_lines)
      if (line.opener != kNone) line.stage = m_lines[line.opener].stage;
  }

  const std::map<std::string, std::uint32_t> &m_stages;
  std::vector<Line> m_lines;
  std::vector<Block> m_blocks;
  std::size_t m_produces = 0;
  bool m_stored = false; // true: a store came since the last barrier or change of stage
};

} // namespace

std::optional<KernelStage> stageOfLoop(std::string_view loop) {
  for (auto at = loop.find(".s"); at != std::string_view::npos; at = loop.find(".s", at + 1)) {
    std::size_t end = at + 2;
    while (end < loop.size() && std::isdigit(static_cast<unsigned char>(loop[end])))
      ++end;
    const bool number = end > at + 2 && end - at < 8 && (end == loop.size() || loop[end] == '.');
    if (!number || at == 0) continue;
    KernelStage stage{std::string(loop.substr(0, at)), 0};
    std::from_chars(loop.data() + at + 2, loop.data() + end, stage.stage);
    return stage;
  }
  return std::nullopt;
}

std::vector<StageLines> stagesOfLines(std::string_view lowered,
                                      const std::map<std::string, std::uint32_t> &stages) {
  LineReader reader(stages);
  while (!lowered.empty()) {
    const auto end = std::min(lowered.find('\n'), lowered.size());
    reader.read(lowered.substr(0, end));
    lowered.remove_prefix(std::min(end + 1, lowered.size()));
  }
  return reader.take();
}

} // namespace tessera::halide
