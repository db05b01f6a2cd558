// Follows the audit of Strata as a transparency log, with the client of filippo.io/torchwood: verifies the checkpoint and
// each entry against the tiles. Prints the origin, the size and the number of entries.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

type input struct {
	Base          string `json:"base"`
	Authorization string `json:"authorization"`
	Key           string `json:"key"`
}

type authorized struct{ header string }

func (a authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", a.header)
	return http.DefaultTransport.RoundTrip(request)
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	ctx := context.Background()
	fetcher, err := torchwood.NewTileFetcher(in.Base, torchwood.WithHTTPClient(&http.Client{Transport: authorized{in.Authorization}}))
	check(err)
	signed, err := fetcher.ReadEndpoint(ctx, "checkpoint")
	check(err)
	log, err := note.NewVerifier(in.Key)
	check(err)
	opened, err := note.Open(signed, note.VerifierList(log))
	check(err)
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	check(err)
	client, err := torchwood.NewClient(fetcher)
	check(err)
	var next int64
	for next < checkpoint.N {
		start := next
		for index := range client.Entries(ctx, checkpoint.Tree, start) {
			next = index + 1
		}
		check(client.Err())
		if next == start {
			fmt.Println("no entries from", start)
			os.Exit(1)
		}
	}
	fmt.Println(checkpoint.Origin, checkpoint.N, next)
}
