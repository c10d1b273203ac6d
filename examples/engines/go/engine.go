// An engine that answers each line of its standard input, a hand, with a line.
//
//	go build engine.go
//	mjopt audit-engine --command ./engine --ask win,shanten,useful,ukeire \
//	    --hands deals:1000 --tiles 136
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// A table has the least numbers of missing tiles: for 0..4 melds, then for as many and an eye.
type table [10]int

// A suit is the copies of its ranks. The first rank also gives a tile to each run that began one
// rank before or two earlier.
type suit struct {
	copies          string
	hasRuns         bool
	before, earlier int
}

const eye = 5 // places from a table's entry to the one with an eye more

var (
	letters = "mpsz"
	far     = table{99, 99, 99, 99, 99, 99, 99, 99, 99, 99}
	noTiles = table{0, 99, 99, 99, 99, 99, 99, 99, 99, 99}
	blocks  = [][2]int{{0, 0}, {2, eye}, {3, 1}} // tiles and places: nothing, an eye, a triplet
	cache   = map[suit]table{}
)

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// add lowers the numbers of a table by those of another, more places on.
func (t *table) add(other table, step, missing int) {
	for place := 0; place+step < 10; place++ {
		if place%eye+step%eye < eye {
			t[place+step] = least(t[place+step], other[place]+missing)
		}
	}
}

// costs returns the table of a suit.
func costs(s suit) table {
	if s.copies == "" {
		return noTiles
	}
	if known, ok := cache[s]; ok {
		return known
	}
	t := far
	for runs := 0; runs < 3; runs++ { // three are three triplets
		if runs > 0 && (!s.hasRuns || len(s.copies) < 3) {
			break
		}
		rest := costs(suit{s.copies[1:], s.hasRuns, runs, s.before})
		for _, block := range blocks {
			copies := s.before + s.earlier + runs + block[0]
			if copies <= 4 { // a complete hand has no fifth copy
				t.add(rest, runs+block[1], copies-least(copies, int(s.copies[0])))
			}
		}
	}
	cache[s] = t
	return t
}

// standard returns the number of missing tiles of melds and an eye.
func standard(counts []byte, called int) int {
	total := noTiles
	for n, letter := range letters {
		joined := far
		copies := string(counts[9*n : least(9*n+9, 34)])
		for step, missing := range costs(suit{copies, letter != 'z', 0, 0}) {
			joined.add(total, step, missing)
		}
		total = joined
	}
	return total[4-called+eye]
}

// deficiency returns the number of missing tiles: 0 for a complete hand, shanten plus one.
func deficiency(counts []byte, called int) int {
	if called > 0 {
		return standard(counts, called)
	}
	kinds, pairs, ends, pair := 0, 0, 0, 0
	for place, copies := range counts {
		isEnd := place > 26 || place%9 == 0 || place%9 == 8
		if copies > 0 {
			kinds++
			if isEnd {
				ends++
			}
		}
		if copies > 1 { // four of a kind is one pair
			pairs++
			if isEnd {
				pair = 1
			}
		}
	}
	return least(standard(counts, 0), least(14-least(kinds, 7)-pairs, 14-ends-pair))
}

// answer returns the answers about a hand: win, shanten, useful tiles, their copies.
func answer(hand string, called int) string {
	counts, ranks := make([]byte, 34), ""
	for _, letter := range hand {
		n := strings.IndexRune(letters, letter)
		if n < 0 {
			ranks += string(letter)
			continue
		}
		for _, rank := range ranks {
			counts[9*n+int(rank-'1')]++
		}
		ranks = ""
	}
	missing, win, useful, copies := deficiency(counts, called), 0, "", 0
	if missing == 0 {
		win = 1
	}
	for place := range counts { // also right after the draw: an exchange draws one of these
		counts[place]++
		isUseful := deficiency(counts, called) < missing
		counts[place]--
		if isUseful {
			useful += fmt.Sprintf("%d%c", place%9+1, letters[place/9])
			copies += 4 - int(counts[place])
		}
	}
	return fmt.Sprintf("%d\t%d\t%s\t%d", win, missing-1, useful, copies)
}

func main() {
	lines, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var hand string
		var called int
		fmt.Sscan(lines.Text(), &hand, &called)
		fmt.Fprintln(out, answer(hand, called))
	}
}
