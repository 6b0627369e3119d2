#!/bin/sh
# Unpacks a source package of Debian: `source.sh PACKAGE FOLDER SUITE...`, from the first of these
# suites that has it, by the machine's own mirrors. apt verifies it against the Debian archive's
# keys. Its lists and cache are private, so that the machine's own configuration stays as it is.
# Prints nothing, unless it fails.
set -eu
package=$1 folder=$2
shift 2
keys=/usr/share/keyrings/debian-archive-keyring.gpg

fail() {
  [ ! -s "$folder/log" ] || tail -n 20 "$folder/log" >&2
  printf 'source of %s: %s\n' "$package" "$1" >&2
  exit 1
}

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)
command -v apt-get >/dev/null || fail "this system has no apt"
command -v dpkg-source >/dev/null || fail "dpkg-source is missing (package dpkg-dev)"
[ -e "$keys" ] || fail "the keys of the Debian archive are missing (package debian-archive-keyring)"

# shellcheck disable=SC2016
mirrors=$(apt-get indextargets --format '$(REPO_URI)' | sort -u)
# a mirror that was frozen long ago has Release files that have expired
cat >"$folder/apt/apt.conf" <<CONF
Dir::Etc::SourceList "$folder/apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$folder/apt/lists";
Dir::Cache "$folder/apt/cache";
APT::Sandbox::User "root";
Acquire::Check-Valid-Until "false";
CONF
export APT_CONFIG="$folder/apt/apt.conf"
cd "$folder"
for suite in "$@"; do
  for mirror in $mirrors; do
    echo "deb-src [signed-by=$keys] $mirror $suite main" >apt/sources.list
    if apt-get update && apt-get source "$package"; then
      rm -rf apt log
      exit
    fi
  done
done >log 2>&1
fail "none of the mirrors in apt's sources has it in $(echo "$@" | sed 's/ / or /g')"
