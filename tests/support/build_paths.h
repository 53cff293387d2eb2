// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tessera::test {

// Each returns the path of what lies inside a folder of this build, or the folder itself if
// `inside` is empty. Constants at namespace scope may be made of them.

// In the folder of the sources: "resources/machines". An absolute path is returned as it is, so
// this also takes what TesseraTest.cmake calls a portable path.
std::string sourcePath(std::string_view inside);
// Among the built programs and the plugin: "tessera-cli".
std::string binPath(std::string_view inside);
// Among the built data: "samples/blur.hlpipe".
std::string sharePath(std::string_view inside);
// Among the built tests and what only they need: "fake_cuda".
std::string testPath(std::string_view inside);

} // namespace tessera::test
