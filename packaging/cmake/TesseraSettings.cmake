# SPDX-License-Identifier: MIT
# What holds for every target: language level, output folders, warnings, speed of the build.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Nobody writes modules here, and a source in which they are looked for is not compiled together with others.
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(TESSERA_SHARE_DIR "${PROJECT_BINARY_DIR}/share/tessera")

# Applied by tessera_room() and friends; never to third-party code.
add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-align -Wimplicit-fallthrough
  # GCC warns of these without being told.
  "$<$<CXX_COMPILER_ID:Clang>:-Wshadow-uncaptured-local>"
  # Designated initialisers leave the rest at its default on purpose.
  -Wno-missing-field-initializers
  # GCC 12 sees overlapping, endless and too long copies in std::string concatenations, also
  # depending on how long the path of this folder is (its bugs 105651, 105329).
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
# What costs in a build is reading headers, so several sources of a target are read as one.
# Names in the unnamed namespaces of one target must then differ. What is missing in the includes of one source is hidden
# by the others; clang-tidy reads each source by itself and tells.
option(TESSERA_UNITY "Compile sources several at a time" ON)
macro(tessera_compile_together)
  set(CMAKE_UNITY_BUILD ${TESSERA_UNITY})
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 18)
  set(CMAKE_UNITY_BUILD_RELOCATABLE ON) # else ccache would serve one folder alone; from CMake 4.0 on
endmacro()
if(TESSERA_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # To GCC, a class that uses types of an unnamed namespace is an error in what looks like a header.
  target_compile_options(tessera_warnings INTERFACE -Wno-subobject-linkage)
endif()

option(TESSERA_WARNINGS_AS_ERRORS "Warnings stop the build" ON)
if(TESSERA_WARNINGS_AS_ERRORS)
  target_compile_options(tessera_warnings INTERFACE -Werror)
endif()

# Nobody puts functions of their own in the place of ours when a program starts: GCC may inline those
# of a file into each other, position-independent as they are. Other compilers do so unasked.
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header defeats ccache unless it may ignore time stamps in it. What one clone has
  # compiled serves the next.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};${CCACHE_PROGRAM}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

set(TESSERA_SANITIZE "" CACHE STRING "address,undefined or thread; empty for none")
if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer)
  add_compile_definitions(TESSERA_SANITIZED) # compilers have different names for it
  if(TESSERA_SANITIZE MATCHES "undefined")
    # The first four take nearly half of the time that Clang needs here. The last one refuses every
    # function of a driver that is called without the driver's own headers.
    add_compile_options(
      "$<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=alignment,null,vptr,object-size,function>")
  endif()
  # GCC loses track of a variant's members in instrumented code.
  add_compile_options("$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  # ThreadSanitizer does not see the fence of PersistentArray, and says so when it compiles it.
  add_compile_options("$<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>")
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()
