raise ImportError("libtoy.so: cannot open shared object file")
