module github.com/allocgen/allocgen/bench

go 1.24.0

require (
	github.com/allocgen/allocgen v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	modernc.org/memory v1.13.0
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace github.com/allocgen/allocgen => ../
