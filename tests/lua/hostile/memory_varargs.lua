-- expect: stopped
-- limits: seconds=0.2
local function more(...) return more(1, 2, 3, 4, 5, 6, 7, 8, ...) end
return more()
