-- expect: stopped
local t = {}
for i = 1, 200000 do t[i] = i end
local all = {}
while true do all[#all + 1] = table.pack(table.unpack(t)) end
