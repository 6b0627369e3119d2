#!/bin/sh
# The font of the window: Inter, from the system's package, as a C array that the viewer links, so
# that the program needs no font when it runs. Without arguments: prints the font's file, or fails
# where there is none. With a file name: writes the array there, unless it is there already.
# SINEW_FONT names a file that lies elsewhere.
set -eu

find_font() {
  if [ "${SINEW_FONT-}" ]; then
    [ ! -e "$SINEW_FONT" ] || echo "$SINEW_FONT"
    return
  fi
  # of a variable font, the outlines in the file are the regular ones
  for name in 'Inter-Regular.[ot]tf' InterVariable.ttf 'Inter\[*\].ttf'; do
    found=$(find -L /usr/share/fonts /usr/local/share/fonts /opt/homebrew/share/fonts \
      "${HOME-}/.local/share/fonts" "${HOME-}/.fonts" "${HOME-}/Library/Fonts" /Library/Fonts \
      -name "$name" 2>/dev/null | sort | head -n 1)
    [ -z "$found" ] || break
  done
  echo "$found"
}

font=$(find_font)
[ "$font" ] || exit 1
if [ $# = 0 ]; then
  echo "$font"
  exit
fi
first="/* $font, written by viewer/font.sh */"
if [ -e "$1" ] && [ "$(head -n 1 "$1")" = "$first" ] && [ ! "$font" -nt "$1" ]; then exit; fi
mkdir -p "$(dirname "$1")"
{
  echo "$first"
  echo 'extern const unsigned char font_bytes[];'
  echo 'extern const int font_size;'
  echo 'const unsigned char font_bytes[] = {'
  od -An -v -tu1 "$font" | sed 's/[0-9][0-9]*/&,/g'
  echo '};'
  echo 'const int font_size = sizeof font_bytes;'
} >"$1.part"
mv "$1.part" "$1"
