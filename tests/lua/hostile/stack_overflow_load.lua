-- expect: overflow
local function f()
  local chunk, message = load(f)
  error(chunk or message, 0)
end
return f()
