-- expect: near <eof>
return (
