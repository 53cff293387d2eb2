// SPDX-License-Identifier: MIT
#include "engine/halide/compile/device_code.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <sstream>

namespace tessera::halide {

namespace {

using Halide::Expr;
namespace ir = Halide::Internal;

bool isDeviceCode(const Halide::Buffer<> &buffer) {
  return buffer.name().ends_with("_gpu_source_kernels");
}

std::string textOf(const Halide::Buffer<> &buffer) {
  return {static_cast<const char *>(buffer.data()), buffer.size_in_bytes()};
}

bool isIdentifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

std::string mapIdentifiers(std::string_view text,
                           const std::function<std::string(std::string_view)> &map) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && isIdentifier(text[end]))
      ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    result += map(text.substr(i, end - i));
    i = end;
  }
  return result;
}

// LLVM's labels in comments are words such as 3_for_f$1.s0.x, where the func's name (f$1) begins
// inside an identifier. So an occurrence is replaced wherever it begins, if an identifier ends
// there.
std::string withFuncNames(std::string text, const std::map<std::string, std::string> &made) {
  for (const auto &[halide, name] : made)
    for (auto at = text.find(halide); at != std::string::npos; at = text.find(halide, at)) {
      const std::size_t end = at + halide.size();
      if (end < text.size() && isIdentifier(text[end])) {
        at = end;
        continue;
      }
      text.replace(at, halide.size(), name);
      at += name.size();
    }
  return text;
}

class RenameCalls : public ir::IRMutator {
public:
  RenameCalls(const std::map<std::string, std::string> &names, std::size_t codeBytes)
      : m_names(names), m_codeBytes(codeBytes) {}

private:
  using IRMutator::visit;
  Expr visit(const ir::Call *op) override {
    if (!op->name.starts_with("halide_")) return IRMutator::visit(op);
    std::vector<Expr> args = op->args;
    const auto *name =
        op->name.ends_with("_run") && args.size() > 1 ? args[1].as<ir::StringImm>() : nullptr;
    if (name && m_names.count(name->value))
      args[1] = ir::StringImm::make(m_names.at(name->value));
    else if (op->name.ends_with("_initialize_kernels")) // arguments: state, code, code size
      args.back() = ir::make_const(args.back().type(), static_cast<std::int64_t>(m_codeBytes));
    else
      return IRMutator::visit(op);
    return ir::Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index,
                          op->image, op->param);
  }
  const std::map<std::string, std::string> &m_names;
  std::size_t m_codeBytes;
};

} // namespace

std::string deviceCodeOf(const Halide::Module &module) {
  for (const Halide::Buffer<> &buffer : module.buffers())
    if (isDeviceCode(buffer)) {
      std::string text = textOf(buffer);
      while (!text.empty() && text.back() == '\0')
        text.pop_back();
      return text;
    }
  return {};
}

std::string withKernelNames(std::string_view code,
                            const std::map<std::string, std::string> &names) {
  return mapIdentifiers(code, [&](std::string_view word) {
    // In PTX, the name of a parameter starts with the name of its kernel.
    const auto parameter = std::min(word.rfind("_param_"), word.size());
    const auto at = names.find(std::string(word.substr(0, parameter)));
    return at == names.end() ? std::string(word) : at->second + std::string(word.substr(parameter));
  });
}

std::string stableText(const ir::Stmt &lowered, const std::map<std::string, std::string> &made) {
  std::ostringstream out;
  out << lowered;
  std::map<std::string, std::string, std::less<>> seen;
  std::map<std::string, int> numbers; // how many temporaries of each kind were seen
  const auto renumbered = [&](std::string_view word, std::string_view kind) {
    const auto at = seen.find(word);
    if (at != seen.end()) return at->second;
    std::string name(kind);
    name += std::to_string(numbers[name]++);
    return seen.emplace(word, name).first->second;
  };
  return mapIdentifiers(out.str(), [&](std::string_view word) {
    const auto number = word.find_last_not_of("0123456789") + 1;
    const std::string_view kind = word.substr(0, number);
    if (number < word.size() && kind == "t") return renumbered(word, kind);
    if (word.starts_with("halide_") && word.ends_with("_result")) return renumbered(word, word);
    if (word.starts_with("halide_") && kind.ends_with("_result$"))
      return renumbered(word, kind.substr(0, kind.size() - 1));
    const auto at = made.find(std::string(word));
    return at == made.end() ? std::string(word) : at->second;
  });
}

Halide::Module withKernelNames(const Halide::Module &module,
                               const std::map<std::string, std::string> &names,
                               const std::map<std::string, std::string> &made) {
  Halide::Module renamed(module.name(), module.target(), module.get_metadata_name_map());
  renamed.set_any_strict_float(module.any_strict_float());
  renamed.set_conceptual_code_stmt(module.get_conceptual_stmt());
  std::size_t codeBytes = 0;
  for (const Halide::Buffer<> &buffer : module.buffers()) {
    if (!isDeviceCode(buffer)) {
      renamed.append(buffer);
      continue;
    }
    std::string code = withKernelNames(textOf(buffer), names);
    if (module.target().has_feature(Halide::Target::CUDA)) code = withFuncNames(code, made);
    codeBytes = code.size();
    Halide::Buffer<std::uint8_t> copy(static_cast<int>(code.size()), buffer.name());
    std::memcpy(copy.data(), code.data(), code.size());
    renamed.append(copy);
  }
  RenameCalls rename(names, codeBytes);
  for (const ir::LoweredFunc &function : module.functions()) {
    ir::LoweredFunc copy = function;
    copy.body = rename.mutate(function.body);
    renamed.append(copy);
  }
  return renamed;
}

LineRange linesOfKernel(std::string_view code, std::string_view kernel) {
  LineRange range;
  std::uint32_t number = 0;
  while (!code.empty()) {
    ++number;
    const auto end = code.find('\n');
    const std::string_view line = code.substr(0, end);
    code.remove_prefix(end == std::string_view::npos ? code.size() : end + 1);
    if (range.first == 0) {
      const auto at = line.find(kernel);
      const bool entry = line.find(".entry ") != std::string_view::npos ||
                         line.find("_kernel") != std::string_view::npos;
      const bool whole = at != std::string_view::npos && entry && at > 0 &&
                         !isIdentifier(line[at - 1]) &&
                         line.substr(at + kernel.size()).starts_with("(");
      if (whole) range.first = number;
    } else if (line.starts_with("}")) {
      range.count = number - range.first + 1;
      break;
    }
  }
  return range.count ? range : LineRange{};
}

// nvdisasm starts each section with "//----- .text.KERNEL -----"; cuobjdump writes "Function :
// KERNEL" above the code and a row of dots below it.
LineRange linesOfSass(std::string_view sass, std::string_view kernel) {
  constexpr std::string_view kHead = "//----", kFunction = "Function : ", kEnd = "..........";
  const std::string section = " .text." + std::string(kernel) + " ";
  LineRange range;
  std::uint32_t number = 0;
  while (!sass.empty()) {
    ++number;
    const auto end = std::min(sass.find('\n'), sass.size());
    const std::string_view line = sass.substr(0, end);
    sass.remove_prefix(std::min(end + 1, sass.size()));
    if (range.first == 0) {
      const auto function = line.find(kFunction);
      const bool named =
          function != std::string_view::npos && line.substr(function + kFunction.size()) == kernel;
      const bool heads = line.starts_with(kHead) && line.find(section) != std::string_view::npos;
      if (named || heads) range.first = number;
    } else if (line.starts_with(kHead)) {
      break;
    }
    if (range.first != 0 && !line.empty()) range.count = number - range.first + 1;
    if (range.first != 0 && line.ends_with(kEnd)) break;
  }
  return range;
}

} // namespace tessera::halide
