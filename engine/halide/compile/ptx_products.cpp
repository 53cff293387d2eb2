// SPDX-License-Identifier: MIT
#include "engine/halide/compile/ptx_products.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace tessera::halide {

namespace {

using Register = std::string_view;

// Addresses are shifted by at most 4 bits, so larger shifts of the third product are not checked.
constexpr std::uint32_t kMostMeant = 4;

// The words of an instruction such as "mul.lo.s32 %r3, %r1, %r2;".
struct Instruction {
  std::string_view operation;
  std::array<std::string_view, 3> operands;
};

std::optional<Instruction> instructionIn(std::string_view line) {
  constexpr std::string_view kBetween = " \t,;\r";
  std::array<std::string_view, 4> words;
  std::size_t count = 0;
  for (std::size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    if (count == words.size()) return std::nullopt;
    words[count++] = line.substr(at, end - at);
    at = line.find_first_not_of(kBetween, end);
  }
  if (count != words.size()) return std::nullopt;
  return Instruction{words[0], {words[1], words[2], words[3]}};
}

// How often each register occurs in a kernel.
std::unordered_map<Register, int> registersIn(std::string_view kernel) {
  constexpr std::string_view kDigits = "0123456789";
  std::unordered_map<Register, int> counts;
  for (std::size_t at = kernel.find("%r"); at != std::string_view::npos;) {
    const std::size_t end = std::min(kernel.find_first_not_of(kDigits, at + 2), kernel.size());
    ++counts[kernel.substr(at, end - at)];
    at = kernel.find("%r", end);
  }
  return counts;
}

// Follows the products, shifts and sums of one kernel, in the order of the code.
class Products {
public:
  explicit Products(std::string_view kernel) : m_counts(registersIn(kernel)) {}

  // ptxas looks at one basic block at a time, but the products and shifts may come from an earlier
  // one.
  void endBlock() { m_amounts.clear(); }

  // Returns the product that ptxas gets wrong at this instruction, if any. This happens only if
  // nothing else uses the product or the shift.
  std::optional<WrongProduct> take(const Instruction &instruction, std::uint32_t line) {
    const auto &[result, first, second] = instruction.operands;
    if (instruction.operation == "mul.lo.s32" && first != second && isUsedOnce(result))
      m_products[result] = {first, second};
    if (instruction.operation == "shl.b32" && isUsedOnce(result))
      takeShift(result, first, second, line);
    if (instruction.operation != "add.s32") return std::nullopt;
    for (const Register term : {first, second})
      if (const auto shifted = m_shifted.find(term); shifted != m_shifted.end())
        if (auto wrong = takeSum(shifted->second)) return wrong;
    return std::nullopt;
  }

private:
  struct Shifted {
    std::array<Register, 2> factors;
    std::uint32_t amount = 0, line = 0;
  };

  bool isUsedOnce(Register result) const {
    const auto count = m_counts.find(result);
    return count != m_counts.end() && count->second == 2; // its definition and one use
  }

  void takeShift(Register result, Register value, std::string_view text, std::uint32_t line) {
    std::uint32_t amount = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount);
    const auto product = m_products.find(value);
    if (problem == std::errc() && end == text.data() + text.size() && product != m_products.end())
      m_shifted[result] = {product->second, amount, line};
  }

  std::optional<WrongProduct> takeSum(const Shifted &term) {
    const auto &[factors, amount, line] = term;
    const std::uint32_t taken = 1U << std::min(amount, kMostMeant);
    std::optional<WrongProduct> wrong;
    for (const Register factor : factors) {
      std::vector<std::uint32_t> &before = m_amounts[factor];
      if (amount <= kMostMeant && taken != amount && std::ranges::count(before, taken) >= 2)
        wrong = WrongProduct{{}, line, amount, taken};
      before.push_back(amount);
    }
    return wrong;
  }

  const std::unordered_map<Register, int> m_counts;
  std::unordered_map<Register, std::array<Register, 2>> m_products;
  std::unordered_map<Register, Shifted> m_shifted;
  // For each register that is a factor of products: by how many bits these products were shifted,
  // as far as a sum uses them.
  std::unordered_map<Register, std::vector<std::uint32_t>> m_amounts;
};

// Whether the line is a label, a branch such as "bra.uni $L__BB3_1;", or an instruction with a
// predicate, such as "@%p1 bra …". Each of these lines counts as the end of a basic block.
bool isBetweenBlocks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with('$') || line.starts_with('@') || line.starts_with("bra");
}

void addWrongOf(std::string_view kernel, std::uint32_t firstLine,
                std::vector<WrongProduct> &result) {
  const std::string_view name = kernel.substr(0, kernel.find('('));
  Products products(kernel);
  for (std::uint32_t number = firstLine; !kernel.empty(); ++number) {
    const std::size_t end = std::min(kernel.find('\n'), kernel.size());
    const std::string_view line = kernel.substr(0, end);
    kernel.remove_prefix(std::min(end + 1, kernel.size()));
    if (isBetweenBlocks(line)) products.endBlock();
    const auto instruction = instructionIn(line);
    if (!instruction) continue;
    if (auto wrong = products.take(*instruction, number)) {
      wrong->kernel = name;
      result.push_back(std::move(*wrong));
    }
  }
}

} // namespace

std::vector<WrongProduct> wrongProducts(std::string_view ptx) {
  constexpr std::string_view kHead = ".entry ";
  std::vector<WrongProduct> result;
  std::size_t begin = std::min(ptx.find(kHead), ptx.size());
  auto line = static_cast<std::uint32_t>(1 + std::ranges::count(ptx.substr(0, begin), '\n'));
  while (begin < ptx.size()) {
    const std::size_t text = begin + kHead.size();
    const std::size_t end = std::min(ptx.find(kHead, text), ptx.size());
    addWrongOf(ptx.substr(text, end - text), line, result);
    line += static_cast<std::uint32_t>(std::ranges::count(ptx.substr(begin, end - begin), '\n'));
    begin = end;
  }
  return result;
}

} // namespace tessera::halide
