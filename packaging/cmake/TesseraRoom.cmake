# SPDX-License-Identifier: MIT
# tessera_room(<name> SOURCES … [APART …] [DEPENDS room…] [LINK target…] [PRIVATE_LINK target…])
#
# APART lists the sources that are not compiled together with others, since they share names with them.
# One static library a room: target tessera_<name>, alias tessera::<name>. DEPENDS lists the rooms
# whose headers this room may include; tests/checks/check_includes.py holds the same table and rejects an
# include that no link would reveal. Where TESSERA_ROOM_HEADERS is set, rooms reuse the precompiled headers of
# that target; clang-tidy does without, and tells of an include that is missing.
function(tessera_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;APART;DEPENDS;LINK;PRIVATE_LINK" ${ARGN})
  set(target tessera_${name})
  add_library(${target} STATIC ${arg_SOURCES} ${arg_APART})
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(tessera::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
  list(TRANSFORM arg_DEPENDS PREPEND "tessera::")
  target_link_libraries(${target}
    PUBLIC ${arg_DEPENDS} ${arg_LINK}
    PRIVATE tessera_warnings ${arg_PRIVATE_LINK})
  if(TESSERA_ROOM_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${TESSERA_ROOM_HEADERS})
  endif()
endfunction()

# tessera_program(<name> SOURCES … DEPENDS room… [LINK target…])
function(tessera_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  list(TRANSFORM arg_DEPENDS PREPEND "tessera::")
  target_link_libraries(${name} PRIVATE tessera_warnings ${arg_DEPENDS} ${arg_LINK})
endfunction()
