-- expect: number expected
return math.randomseed()
