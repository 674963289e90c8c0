module example.com/testflags

go 1.22
