// Reads a dashboard with the schema of Grafana, which knows every field of panels, queries and variables.
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	content, err := os.ReadFile(os.Args[1])
	exitOn(err)
	var value dashboard.Dashboard
	exitOn(value.UnmarshalJSONStrict(content))
	exitOn(value.Validate())
}

// The library returns an empty list, which is not nil, if there are no errors.
func exitOn(err error) {
	if err != nil && err.Error() != "" {
		fmt.Println(err)
		os.Exit(1)
	}
}
