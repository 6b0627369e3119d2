#!/bin/sh
# Installs what ./dev has built, or removes it: `install.sh add|remove PREFIX`. DESTDIR is put before
# the prefix, for those who make packages. The list of all installed files, and of the folders that
# were made for them, is share/sinew/installed.txt; removing goes by that list.
set -eu
cd "$(dirname "$0")/.."
action=$1 prefix=$2
to=${DESTDIR-}$prefix
list=share/sinew/installed.txt
advice="be root, or choose a folder of your own with --prefix DIR"
version=$(sed -nE 's/^#define SINEW_VERSION_(MAJOR|MINOR|PATCH) //p' engine/include/sinew/base.h |
  paste -sd . -)

fail() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

refresh() { # the system's cache of shared libraries, where it reads this prefix
  [ -z "${DESTDIR-}" ] && [ "$(id -u)" = 0 ] || return 0
  cache=$(command -v ldconfig || ls /sbin/ldconfig 2>/dev/null) || return 0
  case $prefix in /usr | /usr/local) "$cache" ;; esac
}

remove() {
  sed -n '/[^/]$/p' "$to/$list" >build/installed.txt
  sed -n '/\/$/p' "$to/$list" | sort -r >build/folders.txt
  while read -r file; do
    rm -f "$to/$file" || fail "cannot remove $to/$file"
  done <build/installed.txt
  while read -r folder; do
    rmdir "$to/${folder#./}" 2>/dev/null || [ ! -d "$to/$folder" ] ||
      printf 'kept %s: it has files of others\n' "$to/$folder"
  done <build/folders.txt
  printf 'removed %s files from %s\n' "$(wc -l <build/installed.txt)" "$to"
  rm -f build/installed.txt build/folders.txt
}

if [ "$action" = remove ]; then
  [ -e "$to/$list" ] || fail "nothing to remove: there is no $to/$list; --prefix DIR names another place"
  remove
  refresh
  exit
fi
[ ! -e "$to/$list" ] || remove >/dev/null # what the last version had and this one has not

# --- what is put where

rm -rf build/install
mkdir -p build/install
: >build/install/list

folder() { # path below the prefix: makes it, and notes what it made
  [ ! -d "$to/$1" ] || return 0
  case $1 in */*) folder "${1%/*}" ;; esac
  mkdir "$to/$1" 2>/dev/null || [ -d "$to/$1" ] ||
    fail "cannot write to $to: $advice"
  echo "$1/" >>build/install/list
}
put() { # mode, source, path below the prefix
  folder "${3%/*}"
  rm -f "$to/$3"
  { cp "$2" "$to/$3" && chmod "$1" "$to/$3"; } 2>/dev/null ||
    fail "cannot write $to/$3: $advice"
  echo "$3" >>build/install/list
}
put_all() { # folder below the prefix, files...
  below=$1
  shift
  for file in "$@"; do put 644 "$file" "$below/${file##*/}"; done
}
put_tree() { # folder, folder below the prefix
  for file in $(cd "$1" && find . -type f ! -path './pictures/*' ! -path './tools/*' | sort); do
    put 644 "$1/$file" "$2/${file#./}"
  done
}
link() { # target, path below the prefix
  folder "${2%/*}"
  rm -f "$to/$2"
  ln -s "$1" "$to/$2"
  echo "$2" >>build/install/list
}
put_binary() { # source, path below the prefix
  cp "$1" build/install/binary
  strip -S -x build/install/binary 2>/dev/null || :
  put 755 build/install/binary "$2"
}

# --- libraries: sinew is the engine, sinew-host the engine with the script host

objects() { # projects...
  for project in "$@"; do echo build/obj/"$project"/release/*.o; done
}
put_library() { # name, description, what it links, projects...
  name=$1 description=$2 links=$3
  shift 3
  # shellcheck disable=SC2046
  ar qcs build/install/lib.a $(objects "$@")
  strip -S build/install/lib.a 2>/dev/null || :
  put 644 build/install/lib.a "lib/lib$name.a"
  rm build/install/lib.a
  if [ "$(uname)" = Darwin ]; then
    file=lib$name.$version.dylib short=lib$name.${version%%.*}.dylib plain=lib$name.dylib
    options="-dynamiclib -install_name $prefix/lib/$short"
  else
    file=lib$name.so.$version short=lib$name.so.${version%%.*} plain=lib$name.so
    options="-shared -Wl,-soname,$short -Wl,--no-undefined"
  fi
  # shellcheck disable=SC2046,SC2086
  cc $options -o build/install/shared $(objects "$@") $links -pthread -lm
  put_binary build/install/shared "lib/$file"
  link "$file" "lib/$short"
  link "$short" "lib/$plain"
  cat >"build/install/$name.pc" <<PC
prefix=\${pcfiledir}/../..
Name: $name
Description: $description
Version: $version
Libs: -L\${prefix}/lib -l$name -lm
Libs.private: $links -pthread
Cflags: -I\${prefix}/include
PC
  put_all lib/pkgconfig "build/install/$name.pc"
}

if ! [ -d "$to" ]; then
  mkdir -p "$to" 2>/dev/null || fail "cannot make the folder $to: $advice"
  echo ./ >>build/install/list
fi
engine="core solve motion interchange character"
expat=$(pkg-config --libs expat)
for package in lua5.4 lua-5.4 lua54 lua; do
  ! pkg-config --exists "$package >= 5.4" || break
done
lua=$(pkg-config --libs $package)
# shellcheck disable=SC2086
put_library sinew "A rigging engine" "$expat" $engine
# shellcheck disable=SC2086
put_library sinew-host "A rigging engine with its script host" "$expat $lua" $engine binding host
put_all include/sinew engine/include/sinew/*.h lua/include/sinew/*.h
put_all include viewer/sinew_raylib.h

for file in engine/cmake/*.cmake; do
  # shellcheck disable=SC2086,SC2116
  sed "s/@VERSION@/$version/; s/@MAJOR@/${version%%.*}/; s/@LUA@/$(echo $lua)/" "$file" >"build/install/${file##*/}"
  put_all lib/cmake/sinew "build/install/${file##*/}"
done

# --- programs, Lua modules, data

for program in sinew sinew-viewer; do
  [ ! -e build/bin/$program ] || put_binary build/bin/$program bin/$program
done
put_binary build/lua/sinew.so lib/lua/5.4/sinew.so
put_binary build/luajit/sinew.so lib/lua/5.1/sinew.so
put_tree rigs share/sinew/rigs
put_tree lua/examples share/sinew/examples
put_all share/sinew/editor lua/sinew.d.lua lua/sinew.xsd
put_all share/doc/sinew LICENSE CHANGELOG.md lua/REFERENCE.md
folder "${list%/*}"
echo "$list" >>build/install/list
cp build/install/list "$to/$list"

refresh
size=$(cd "$to" && sed '/\/$/d' "$list" | while read -r file; do wc -c <"$file"; done |
  awk '{ sum += $1 } END { printf "%.1f MB", sum / 1e6 }')
printf 'installed %s files in %s: %s\n' "$(grep -vc '/$' "$to/$list")" "$to" "$size"
rm -rf build/install
