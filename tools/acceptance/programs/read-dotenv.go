// Reads dotenv files from a JSON list with the library that the argument names, and prints them as a JSON list.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"

	compose "github.com/compose-spec/compose-go/v2/dotenv"
	"github.com/joho/godotenv"
)

func main() {
	var sources []string
	if err := json.NewDecoder(os.Stdin).Decode(&sources); err != nil {
		log.Fatal(err)
	}
	files := []map[string]string{}
	for _, source := range sources {
		files = append(files, read(os.Args[1], source))
	}
	if err := json.NewEncoder(os.Stdout).Encode(files); err != nil {
		log.Fatal(err)
	}
}

func read(library string, source string) map[string]string {
	var file map[string]string
	var err error
	if library == "compose" {
		file, err = compose.ParseWithLookup(strings.NewReader(source), func(string) (string, bool) { return "", false })
	} else {
		file, err = godotenv.Parse(strings.NewReader(source))
	}
	if err != nil {
		return map[string]string{"error": "the file cannot be read"}
	}
	return file
}
