-- Takes the code blocks out of Markdown files, so that a test can run them.
--
--   lua5.4 tests/readme.lua FOLDER FILE...   writes each block to FOLDER/<number>.lua or .c, and
--                                            what it claims to print to FOLDER/<number>.expected;
--                                            prints the paths with file and line
--
-- A claim is `--> text` after a line of Lua, or `/* -> text */` after a line of C.
local folder, number = arg[1], 0

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

for i = 2, #arg do
  local language, first, lines, claims, indent, count = nil, 0, {}, {}, "", 0
  for line in io.lines(arg[i]) do
    count = count + 1
    local open_indent, opened = line:match "^( *)```(%w*)$"
    if language and opened == "" then
      if language == "lua" or language == "c" then
        number = number + 1
        local path = ("%s/%d.%s"):format(folder, number, language)
        write(path, table.concat(lines, "\n") .. "\n")
        write(("%s/%d.expected"):format(folder, number), table.concat(claims))
        print(("%s %s:%d"):format(path, arg[i], first))
      end
      language = nil
    elseif language then
      line = line:sub(1, #indent) == indent and line:sub(#indent + 1) or line
      lines[#lines + 1] = line
      local claim = line:match "%-%-> (.*)$" or line:match "/%* %-> (.-) %*/"
      if claim then claims[#claims + 1] = claim .. "\n" end
    elseif opened then
      language, first, lines, claims, indent = opened, count, {}, {}, open_indent
    end
  end
end
