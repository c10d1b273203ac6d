// An engine that answers each line of its standard input, a hand, with a line. Java 16 or newer.
//
// mjopt audit-engine --command "java Engine.java" --ask win,shanten,useful,ukeire \
//     --hands deals:1000 --tiles 136

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

class Engine {
    // Tables have the least numbers of missing tiles: for 0..4 melds, then for as many and an eye.
    static final int FAR = 99;
    static final int EYE = 5; // places from a table's entry to the one with an eye more
    static final int[] NO_TILES = {0, FAR, FAR, FAR, FAR, FAR, FAR, FAR, FAR, FAR};
    static final int[][] BLOCKS = {{0, 0}, {2, EYE}, {3, 1}}; // nothing, an eye, a triplet
    static final Map<Suit, int[]> CACHE = new HashMap<>();

    /** The copies of the ranks; the first one also gives a tile to each run that began earlier. */
    record Suit(String copies, boolean hasRuns, int oneBefore, int twoBefore) {}

    static int[] farTable() {
        int[] table = new int[10];
        Arrays.fill(table, FAR);
        return table;
    }

    /** Lower the numbers of a table by those of another, more places on. */
    static void add(int[] least, int[] table, int step, int missing) {
        for (int place = 0; place + step < 10; place++) {
            if (place % EYE + step % EYE < EYE) {
                least[place + step] = Math.min(least[place + step], table[place] + missing);
            }
        }
    }

    /** Return the table of a suit. */
    static int[] costs(Suit suit) {
        String copies = suit.copies();
        if (copies.isEmpty()) return NO_TILES;
        int[] known = CACHE.get(suit);
        if (known != null) return known;
        int[] least = farTable();
        int mostRuns = suit.hasRuns() && copies.length() > 2 ? 2 : 0; // three are three triplets
        for (int runs = 0; runs <= mostRuns; runs++) {
            var next = new Suit(copies.substring(1), suit.hasRuns(), runs, suit.oneBefore());
            for (int[] block : BLOCKS) {
                int needed = suit.oneBefore() + suit.twoBefore() + runs + block[0];
                if (needed > 4) continue; // a complete hand has no fifth copy
                int missing = Math.max(0, needed - (copies.charAt(0) - '0'));
                add(least, costs(next), runs + block[1], missing);
            }
        }
        CACHE.put(suit, least);
        return least;
    }

    /** Return the number of missing tiles of melds and an eye. */
    static int standard(int[] counts, int called) {
        int[] total = NO_TILES;
        for (int start = 0; start < 34; start += 9) {
            var copies = new StringBuilder();
            for (int place = start; place < Math.min(start + 9, 34); place++) {
                copies.append(counts[place]);
            }
            int[] suit = costs(new Suit(copies.toString(), start < 27, 0, 0));
            int[] least = farTable();
            for (int step = 0; step < 10; step++) add(least, total, step, suit[step]);
            total = least;
        }
        return total[4 - called + EYE];
    }

    /** Return the number of missing tiles: 0 for a complete hand, the shanten number plus one. */
    static int deficiency(int[] counts, int called) {
        int least = standard(counts, called);
        if (called > 0) return least;
        int kinds = 0, pairs = 0, ends = 0, endPair = 0;
        for (int place = 0; place < 34; place++) {
            boolean isEnd = place > 26 || place % 9 == 0 || place % 9 == 8;
            if (counts[place] > 0) kinds++;
            if (counts[place] > 1) pairs++; // four of a kind is one pair
            if (counts[place] > 0 && isEnd) ends++;
            if (counts[place] > 1 && isEnd) endPair = 1;
        }
        return Math.min(least, Math.min(14 - Math.min(kinds, 7) - pairs, 14 - ends - endPair));
    }

    /** Return the answers about a hand: win, shanten, useful tiles, their copies. */
    static String answer(String hand, int called) {
        int[] counts = new int[34];
        String ranks = "";
        for (char letter : hand.toCharArray()) {
            int suit = "mpsz".indexOf(letter);
            if (suit < 0) {
                ranks += letter;
                continue;
            }
            for (char rank : ranks.toCharArray()) counts[9 * suit + rank - '1']++;
            ranks = "";
        }
        int missing = deficiency(counts, called), copies = 0;
        var useful = new StringBuilder();
        for (int place = 0; place < 34; place++) { // also after the draw: an exchange draws one
            counts[place]++;
            boolean isUseful = deficiency(counts, called) < missing;
            counts[place]--;
            if (!isUseful) continue;
            useful.append(place % 9 + 1).append("mpsz".charAt(place / 9));
            copies += 4 - counts[place];
        }
        return (missing == 0 ? 1 : 0) + "\t" + (missing - 1) + "\t" + useful + "\t" + copies;
    }

    public static void main(String[] arguments) {
        var lines = new BufferedReader(new InputStreamReader(System.in)).lines();
        var out = new PrintWriter(System.out);
        lines.forEach(line -> {
            String[] words = line.split(" ");
            out.print(answer(words[0], Integer.parseInt(words[1])) + "\n");
        });
        out.flush();
    }
}
