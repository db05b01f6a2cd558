// Verifies a checkpoint and proofs of Strata with the libraries of Go's checksum database and of transparency.dev.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type checkpoint struct {
	Key  string `json:"key"`
	Note string `json:"note"`
}

type input struct {
	Revision      int64      `json:"revision"`
	ChangesetHash []byte     `json:"changeset_hash"`
	Inclusion     [][]byte   `json:"inclusion"`
	Since         int64      `json:"since"`
	Consistency   [][]byte   `json:"consistency"`
	Checkpoint    checkpoint `json:"checkpoint"`
	Earlier       checkpoint `json:"earlier"`
}

func open(signed checkpoint) tlog.Tree {
	verifier, err := note.NewVerifier(signed.Key)
	check(err)
	opened, err := note.Open([]byte(signed.Note), note.VerifierList(verifier))
	check(err)
	var origin, root string
	var size int64
	_, err = fmt.Sscanf(opened.Text, "%s\n%d\n%s\n", &origin, &size, &root)
	check(err)
	hash, err := tlog.ParseHash(root)
	check(err)
	return tlog.Tree{N: size, Hash: hash}
}

func hashes(texts [][]byte) []tlog.Hash {
	list := []tlog.Hash{}
	for _, text := range texts {
		list = append(list, tlog.Hash(text))
	}
	return list
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
	later, earlier := open(in.Checkpoint), open(in.Earlier)
	leaf := tlog.Hash(in.ChangesetHash)
	check(tlog.CheckRecord(hashes(in.Inclusion), later.N, later.Hash, in.Revision-1, leaf))
	check(tlog.CheckTree(hashes(in.Consistency), later.N, later.Hash, earlier.N, earlier.Hash))
	check(proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(in.Revision-1), uint64(later.N), leaf[:], in.Inclusion, later.Hash[:]))
	check(proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(earlier.N), uint64(later.N), in.Consistency, earlier.Hash[:], later.Hash[:]))
	fmt.Println("verified")
}
