#!/bin/sh
# The commands a newcomer needs, each shown before it runs.
set -eu
cd "$1"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

run bristlecone fit tumours.csv --target diagnosis --model tree.json
run bristlecone show tree.json --path
run bristlecone predict tree.json new.csv -o answers.csv
run head -n 4 answers.csv
run bristlecone explain tree.json new.csv --row 1
run bristlecone report tree.json new.csv --rows new -o tree.html
printf '\nThe page about the tree: %s/tree.html\n' "$PWD"
