// An engine that answers each line of its standard input, a hand, with a line.
//
// rustc -O engine.rs
// mjopt audit-engine --command ./engine --ask win,shanten,useful,ukeire \
//     --hands deals:1000 --tiles 136

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

const FAR: usize = 99;
const EYE: usize = 5; // places from a table's entry to the one with an eye more
const BLOCKS: [(usize, usize); 3] = [(0, 0), (2, EYE), (3, 1)]; // nothing, an eye, a triplet
const NO_TILES: Table = [0, FAR, FAR, FAR, FAR, FAR, FAR, FAR, FAR, FAR];

/// The least numbers of missing tiles: for 0..4 melds, then for as many and an eye.
type Table = [usize; 10];

/// The copies of the ranks of a suit, whether it has runs, and the runs that began one rank before
/// and two earlier: the first rank gives a tile to each.
type Suit = (Vec<usize>, bool, usize, usize);

/// Lower the numbers of a table by those of another, more places on.
fn add(least: &mut Table, table: &Table, step: usize, missing: usize) {
    for place in 0..10 - step {
        if place % EYE + step % EYE < EYE {
            least[place + step] = least[place + step].min(table[place] + missing);
        }
    }
}

/// Return the table of a suit.
fn costs(suit: Suit, cache: &mut HashMap<Suit, Table>) -> Table {
    if let Some(known) = cache.get(&suit) {
        return *known;
    }
    let (counts, has_runs, before, earlier) = &suit;
    if counts.is_empty() {
        return NO_TILES;
    }
    let mut least = [FAR; 10];
    let most_runs = if *has_runs && counts.len() > 2 { 2 } else { 0 }; // three are three triplets
    for runs in 0..=most_runs {
        let rest = costs((counts[1..].to_vec(), *has_runs, runs, *before), cache);
        for (tiles, step) in BLOCKS {
            let copies = before + earlier + runs + tiles;
            let missing = copies.saturating_sub(counts[0]);
            if copies <= 4 {
                // A complete hand has no fifth copy.
                add(&mut least, &rest, runs + step, missing);
            }
        }
    }
    cache.insert(suit, least);
    least
}

/// Return the number of missing tiles: 0 for a complete hand, the shanten number plus one.
fn deficiency(counts: &[usize], called: usize, cache: &mut HashMap<Suit, Table>) -> usize {
    let mut total = NO_TILES;
    for (n, suit) in counts.chunks(9).enumerate() {
        let mut least = [FAR; 10];
        let table = costs((suit.to_vec(), n < 3, 0, 0), cache);
        for (step, missing) in table.iter().enumerate() {
            add(&mut least, &total, step, *missing);
        }
        total = least;
    }
    let standard = total[4 - called + EYE];
    if called > 0 {
        return standard;
    }
    let is_end = |place: usize| place > 26 || place % 9 % 8 == 0;
    let ends = (0..34).filter(|&place| counts[place] > 0 && is_end(place));
    let has_pair = ends.clone().any(|place| counts[place] > 1);
    let orphans = 14 - ends.count() - usize::from(has_pair);
    let number = |copies: usize| counts.iter().filter(|&&held| held >= copies).count();
    let pairs = 14 - number(1).min(7) - number(2); // four of a kind is one pair
    standard.min(pairs).min(orphans)
}

/// Return the answers about a hand: win, shanten, useful tiles, their copies.
fn answer(hand: &str, called: usize, cache: &mut HashMap<Suit, Table>) -> String {
    let (mut counts, mut ranks) = (vec![0; 34], Vec::new());
    for letter in hand.chars() {
        match "mpsz".find(letter) {
            None => ranks.push(letter as usize - '1' as usize),
            Some(n) => ranks.drain(..).for_each(|rank| counts[9 * n + rank] += 1),
        }
    }
    let missing = deficiency(&counts, called, cache);
    let (mut useful, mut copies) = (String::new(), 0);
    for place in 0..34 {
        // Also right after the draw: an exchange draws one of these.
        counts[place] += 1;
        let is_useful = deficiency(&counts, called, cache) < missing;
        counts[place] -= 1;
        if is_useful {
            useful += &format!("{}{}", place % 9 + 1, ["m", "p", "s", "z"][place / 9]);
            copies += 4 - counts[place];
        }
    }
    let (win, shanten) = (u8::from(missing == 0), missing as i32 - 1);
    format!("{win}\t{shanten}\t{useful}\t{copies}")
}

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    let mut cache = HashMap::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (hand, called) = line.split_once(' ').expect("HAND CALLED");
        let called = called.parse().expect("a number of melds");
        writeln!(out, "{}", answer(hand, called, &mut cache))?;
    }
    Ok(())
}
