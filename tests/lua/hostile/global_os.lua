-- expect: 'os'
os.execute 'true'
