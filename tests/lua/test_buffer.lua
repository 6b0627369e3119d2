local check, tests = ...
local sinew = require "sinew"
local buffer, vec3, quat, mat4 = sinew.buffer, sinew.vec3, sinew.quat, sinew.mat4

function tests.is_made_from_a_size_or_from_numbers()
  local b = buffer(5)
  check.equal(#b, 5)
  check.near_all(b, { 0, 0, 0, 0, 0 }, 0)
  check.near_all(buffer { 1, 2, 3 }, { 1, 2, 3 }, 0)
  check.equal(#buffer {}, 0)
  check.equal(#buffer(0), 0)
  check.equal(#buffer "", 0)
  check.that(buffer(buffer { 1, 2 }) == buffer { 1, 2 })
  check.that(buffer { 1, 2 } ~= buffer { 1, 3 } and buffer { 1, 2 } ~= buffer { 1, 2, 3 })
  check.near_all(buffer(vec3(1, 2, 3)), { 1, 2, 3 }, 0)
  check.equal(#buffer(mat4()), 16)
end

function tests.refuses_wrong_sizes_and_contents()
  for _, wrong in ipairs { -1, 2.5, 1e10, 0 / 0, 1 / 0 } do
    check.fails("whole number from 0 to 268435456 expected", buffer, wrong)
  end
  check.fails("number of floats, table or string expected, got no value", buffer)
  check.fails("item 2 of the table: number expected, got string", buffer, { 1, "2", 3 })
  check.fails("not a multiple of 4 bytes", buffer, "abc")
  check.fails("table, string, buffer, vec3, quat or mat4 expected, got boolean", buffer, true)
end

function tests.reads_and_writes_by_index()
  local b = buffer(3)
  b[1], b[3] = 1.5, -2
  check.near_all(b, { 1.5, 0, -2 }, 0)
  for _, wrong in ipairs { 0, 4, -1, 1.5, 0 / 0, 1e300 } do
    check.fails("of a buffer is not in 1 to 3", function() return b[wrong] end)
    check.fails("of a buffer is not in 1 to 3", function() b[wrong] = 1 end)
  end
  check.fails("[1]: number expected, got nil", function() b[1] = nil end)
  check.fails("buffer has no field 'fil' (did you mean 'fill'?)", function() return b.fil end)
  check.fails("a method is called with ':', not '.'", function() b.fill(1) end)
end

function tests.is_filled_and_set_in_ranges()
  local b = buffer(6)
  check.writes(b, b:fill(7), { 7, 7, 7, 7, 7, 7 })
  check.near_all(b:fill(1, 2, 3), { 7, 1, 1, 7, 7, 7 }, 0)
  check.near_all(b:fill(2, 5), { 7, 1, 1, 7, 2, 2 }, 0)
  check.near_all(b:fill(9, 3, 2), { 7, 1, 1, 7, 2, 2 }, 0)
  check.writes(b, b:set({ 5, 6 }, 3), { 7, 1, 5, 6, 2, 2 })
  check.near_all(b:set(vec3(1, 2, 3)), { 1, 2, 3, 6, 2, 2 }, 0)
  check.near_all(b:set(quat(4, 5, 6, 7), 3), { 1, 2, 4, 5, 6, 7 }, 0)
  check.near_all(b:set(b:copy(1, 3), 4), { 1, 2, 4, 1, 2, 4 }, 0)
  check.near_all(b:set(b), { 1, 2, 4, 1, 2, 4 }, 0)
  check.near_all(b:set({}, 7), { 1, 2, 4, 1, 2, 4 }, 0)
  check.fails("2 numbers do not fit into a buffer of 6, starting at 6", b.set, b, { 1, 2 }, 6)
  check.fails("whole number from 1 to 7 expected, got 8", b.set, b, {}, 8)
  check.fails("whole number from 1 to 7 expected, got 0", b.fill, b, 1, 0)
  check.fails("whole number from 1 to 6 expected, got 7", b.fill, b, 1, 2, 7)
  check.fails("item 2 of the table: number expected, got table", b.set, b, { 9, {} })
  check.near_all(b, { 1, 2, 4, 1, 2, 4 }, 0)
end

function tests.round_trips_through_a_string()
  local b = buffer { 1, -2.5, 0.1, 1e30 }
  local s = b:string()
  check.equal(#s, 16)
  check.that(buffer(s) == b)
  check.that(buffer(b:string(2, 3)) == b:copy(2, 3))
  check.equal(b:string(2, 1), "")
  check.that(buffer(4):set(s) == b)
  -- 1.0 and -2.5 as IEEE 754 has them
  local one, other = "\0\0\128\63", "\0\0\32\192"
  if s:sub(1, 4) == one:reverse() then one, other = one:reverse(), other:reverse() end
  check.equal(s:sub(1, 8), one .. other)
end

function tests.copies_slices_to_tables_and_buffers()
  local b = buffer { 1, 2, 3, 4, 5 }
  check.near_all(b:table(), { 1, 2, 3, 4, 5 }, 0)
  check.equal(#b:table(nil, 2, 3), 2)
  local t = { 9, 9, 9, 9 }
  check.writes(t, b:table(t, 2, 4), { 2, 3, 4, 9 })
  check.near_all(b:copy(4), { 4, 5 }, 0)
  check.equal(#b:copy(6), 0)
  check.equal(select("#", b:unpack()), 5)
  check.equal(select(2, b:unpack(3, 4)), 4)
  check.fails("at most 200 numbers", buffer.unpack, buffer(201))
  check.fails("table expected", b.table, b, 3)
end

function tests.stores_vectors_and_matrices_in_rows()
  local b = buffer(48)
  local m = mat4.turn({ 1, 2, 3 }, 40, { 5, 6, 7 })
  check.that(rawequal(b:put(2, m), b))
  check.that(b:mat4(2) == m)
  check.equal(b[17], m[1])
  local dest = mat4()
  check.that(rawequal(b:mat4(2, dest), dest) and dest == m)
  b:put(16, vec3(7, 8, 9)):put(1, quat(1, 2, 3, 4))
  check.near_all(b:vec3(16), { 7, 8, 9 }, 0)
  check.near_all(b:copy(46), { 7, 8, 9 }, 0)
  check.near_all(b:quat(1), { 1, 2, 3, 4 }, 0)
  check.near_all(b:vec3(1), { 1, 2, 3 }, 0)
  check.fails("whole number from 1 to 3 expected, got 4", b.mat4, b, 4)
  check.fails("whole number from 1 to 16 expected, got 17", b.put, b, 17, vec3())
  check.fails("vec3, quat or mat4 expected, got table", b.put, b, 1, {})
  check.fails("whole number from 1 to 0 expected", buffer.mat4, buffer(3), 1)
end

function tests.prints_its_first_numbers()
  check.equal(tostring(buffer(0)), "buffer(0)")
  check.equal(tostring(buffer { 1, 0.5 }), "buffer(2: 1, 0.5)")
  check.equal(tostring(buffer(100)), "buffer(100: 0, 0, 0, 0 ...)")
end

function tests.makes_no_garbage_in_place()
  local b, t, m, v = buffer(64), {}, mat4(), vec3()
  b:table(t)
  check.no_garbage(function(i)
    b:fill(i):set(t):set(m, 17):put(2, m):put(3, v)
    b[1] = b[2] + #b
    b:table(t, 1, 32)
    b:mat4(1, m)
    b:vec3(2, v)
  end)
end
