-- Takes the code blocks out of documents and examples, so that a test can run them.
--
--   lua5.4 tests/blocks.lua FOLDER FILE...   writes the blocks of each FILE to a folder in FOLDER,
--                                            with what each claims to print in .expected; prints
--                                            kind, path, name, and file with line of each
--
-- In Markdown a block stands between fences, with its language: `lua`, `c`, `sh` or `json`; `text`
-- is for what nobody runs. In a script or C file it is the lines of a comment that are indented by
-- three spaces: commands of a shell. The blocks of one document share a folder. One that starts
-- with its file's name, `-- knee.lua`, is written under that name, so that later blocks can use
-- it; a `main.lua` is a game for LÖVE, and a `conf.lua` belongs to it.
--
-- A claim is `--> text` after a line of Lua, `/* -> text */` after one of C, and `#-> text` below
-- a command of a shell: a line that it prints, where `*` stands for any text.
local blocks = { claims = { lua = "%-%-> (.*)$", c = "/%* %-> (.-) %*/", sh = "^#%-> (.*)$" } }
local known = { lua = true, c = true, sh = true, json = true, text = true }
local names = { lua = "^%-%- ([%w_.]+%.lua)$", c = "^/%* ([%w_.]+%.c) %*/$" }

local function finish(list, block)
  if not known[block.language] then
    error(("%s: a block needs its language: lua, c, sh, json or text"):format(block.where))
  end
  block.text = table.concat(block.lines, "\n") .. "\n"
  local name = names[block.language]
  block.name = name and block.lines[1] and block.lines[1]:match(name)
  local kinds = { ["main.lua"] = "love", ["conf.lua"] = "conf" }
  block.kind = kinds[block.name] or block.language
  if block.language ~= "text" then list[#list + 1] = block end
end

-- the blocks of a Markdown file
function blocks.markdown(path)
  local list, block, count, above = {}, nil, 0, ""
  for line in io.lines(path) do
    count = count + 1
    local indent, opened = line:match "^( *)```(%w*)$"
    if block and opened == "" then
      finish(list, block)
      block = nil
    elseif block then
      if line:sub(1, #block.indent) == block.indent then line = line:sub(#block.indent + 1) end
      block.lines[#block.lines + 1] = line
    elseif opened then
      block = { language = opened, where = ("%s:%d"):format(path, count), lines = {},
        indent = indent }
    elseif above == "" and line:find "^    %S" and not line:find "^    [-*!]" then
      error(("%s:%d: a block needs fences and a language"):format(path, count))
    end
    above = line
  end
  return list
end

-- the commands in the comments of an example
function blocks.comments(path)
  local list, block, count = {}, nil, 0
  for line in io.lines(path) do
    count = count + 1
    local code = line:match "^%-%-   (%S.*)$" or line:match "^ %*   (%S.*)$"
    if code then
      block = block or { language = "sh", where = ("%s:%d"):format(path, count), lines = {} }
      block.lines[#block.lines + 1] = code:gsub("%s*%*/$", "")
    elseif block then
      finish(list, block)
      block = nil
    end
  end
  return list
end

function blocks.of(path)
  return (path:find "%.md$" and blocks.markdown or blocks.comments)(path)
end

-- what a block claims to print, a line each
function blocks.claimed(block)
  local list, pattern = {}, blocks.claims[block.language]
  for _, line in ipairs(pattern and block.lines or {}) do
    local claim = line:match(pattern)
    if claim then list[#list + 1] = claim .. "\n" end
  end
  return table.concat(list)
end

if ... == "blocks" then return blocks end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local number = 0
for i = 2, #arg do
  local folder = ("%s/%d"):format(arg[1], i - 1)
  for _, block in ipairs(blocks.of(arg[i])) do
    number = number + 1
    os.execute("mkdir -p " .. folder)
    local path = ("%s/block%d"):format(folder, number)
    write(("%s.%s"):format(path, block.language), block.text)
    write(path .. ".expected", blocks.claimed(block))
    print(("%s %s.%s %s %s"):format(block.kind, path, block.language, block.name or "-",
      block.where))
  end
end
