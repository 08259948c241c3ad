// Package tools pins the tools that check this repository, apart from the main
// module so that users of allocgen do not get them too.
package tools
