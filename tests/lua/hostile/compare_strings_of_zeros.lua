-- expect: stopped
-- limits: seconds=0.2
local a, b = ('\0'):rep(900000), ('\0'):rep(900000) .. 'x'
while true do local x = a < b end
