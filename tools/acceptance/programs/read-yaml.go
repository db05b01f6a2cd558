// Reads documents of YAML from a JSON list, as kubectl does, and prints them as a JSON list.
package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	var sources []string
	if err := json.NewDecoder(os.Stdin).Decode(&sources); err != nil {
		panic(err)
	}
	documents := make([]json.RawMessage, len(sources))
	for index, source := range sources {
		document, err := yaml.YAMLToJSON([]byte(source))
		if err != nil {
			panic(err)
		}
		documents[index] = document
	}
	json.NewEncoder(os.Stdout).Encode(documents)
}
