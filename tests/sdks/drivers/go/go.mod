module sdk-driver

go 1.26.0

require github.com/open-feature/go-sdk v1.20.0

require go.uber.org/mock v0.6.0 // indirect
