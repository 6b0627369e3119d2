-- A strict reader of JSON, for tests of the command's output: json(text) returns tables, strings,
-- numbers and booleans, and raises with the position of a mistake.
local names = { ["true"] = true, ["false"] = false }
local letters = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ["/"] = "/", ["\\"] = "\\",
  ['"'] = '"' }

return function(text)
  local at, value = 1, nil

  local function wrong(what) error(("JSON, byte %d: %s"):format(at, what), 0) end

  local function take(pattern) -- skips white space, then matches here
    at = text:find("[^ \t\r\n]", at) or #text + 1
    local found = text:match("^" .. pattern, at)
    if found then at = at + #found end
    return found
  end

  local function unescape(letter)
    return letters[letter] or wrong(("no escape '\\%s'"):format(letter))
  end

  local function string_here()
    if not take '"' then wrong "a string is wanted" end
    local close = at
    while text:sub(close, close) ~= '"' do
      local byte = text:byte(close) or wrong "a string without end"
      if byte < 32 then wrong "a control character in a string" end
      close = close + (byte == 92 and 2 or 1)
    end
    local inside = text:sub(at, close - 1)
    at = close + 1
    inside = inside:gsub("\\u(%x%x%x%x)", function(hex)
      local code = tonumber(hex, 16)
      return code < 128 and string.char(code) or "?"
    end)
    return (inside:gsub("\\(.)", unescape))
  end

  local function items(close, one)
    if take(close) then return end
    repeat one() until not take ","
    if not take(close) then wrong("',' or '" .. close:sub(-1) .. "' is wanted") end
  end

  function value()
    local result = {}
    if take "{" then
      items("}", function()
        local name = string_here()
        if result[name] ~= nil then wrong("'" .. name .. "' is a duplicate") end
        if not take ":" then wrong "':' is wanted" end
        result[name] = value()
      end)
      return result
    elseif take "%[" then
      items("%]", function() table.insert(result, value()) end)
      return result
    elseif text:find('^[ \t\r\n]*"', at) then
      return string_here()
    end
    local word = take "[%w+.-]+" or wrong "a value is wanted"
    if names[word] ~= nil then return names[word] end
    local whole = word:match "^%-?(%d+)%.?%d*[eE]?[+-]?%d*$"
    if not whole or (#whole > 1 and whole:sub(1, 1) == "0") then wrong("no value: " .. word) end
    return tonumber(word) or wrong("no number: " .. word)
  end

  local result = value()
  if take "." then wrong "something stands after the end" end
  return result
end
