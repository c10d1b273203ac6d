// An engine that answers each line of its standard input, a hand, with a line.
//
// dotnet build -o out      (or: mcs Engine.cs, and --command "mono Engine.exe")
// mjopt audit-engine --command "dotnet out/Engine.dll" --ask win,shanten,useful,ukeire \
//     --hands deals:1000 --tiles 136

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

static class Engine
{
    // Tables have the least numbers of missing tiles: for 0..4 melds, then for as many and an eye.
    const int Far = 99;
    const int Eye = 5; // places from a table's entry to the one with an eye more
    const string Suits = "mpsz";
    static readonly int[] NoTiles = { 0, Far, Far, Far, Far, Far, Far, Far, Far, Far };
    static readonly int[][] Blocks = // tiles of a kind, and places: nothing, an eye, a triplet
        { new[] { 0, 0 }, new[] { 2, Eye }, new[] { 3, 1 } };
    static readonly Dictionary<(string, bool, int, int), int[]> Cache =
        new Dictionary<(string, bool, int, int), int[]>();

    // Lower the numbers of a table by those of another, more places on.
    static void Add(int[] least, int[] table, int step, int missing)
    {
        for (int place = 0; place + step < 10; place++)
        {
            if (place % Eye + step % Eye >= Eye) continue;
            least[place + step] = Math.Min(least[place + step], table[place] + missing);
        }
    }

    // Return the table of a suit, the copies of its ranks: "302010000". The first rank also gives a
    // tile to each run that began one rank before or two earlier.
    static int[] Costs(string suit, bool hasRuns, int before, int earlier)
    {
        if (suit == "") return NoTiles;
        if (Cache.TryGetValue((suit, hasRuns, before, earlier), out int[] known)) return known;
        int[] least = Enumerable.Repeat(Far, 10).ToArray();
        int mostRuns = hasRuns && suit.Length > 2 ? 2 : 0; // three are three triplets
        for (int runs = 0; runs <= mostRuns; runs++)
        {
            int[] rest = Costs(suit.Substring(1), hasRuns, runs, before);
            foreach (int[] block in Blocks)
            {
                int copies = before + earlier + runs + block[0];
                if (copies > 4) continue; // a complete hand has no fifth copy
                Add(least, rest, runs + block[1], Math.Max(0, copies - (suit[0] - '0')));
            }
        }
        return Cache[(suit, hasRuns, before, earlier)] = least;
    }

    // Return the number of missing tiles of melds and an eye.
    static int Standard(int[] counts, int called)
    {
        string hand = string.Concat(counts);
        int[] total = NoTiles;
        for (int start = 0; start < 34; start += 9)
        {
            int[] suit = Costs(hand.Substring(start, Math.Min(9, 34 - start)), start < 27, 0, 0);
            int[] least = Enumerable.Repeat(Far, 10).ToArray();
            for (int step = 0; step < 10; step++) Add(least, total, step, suit[step]);
            total = least;
        }
        return total[4 - called + Eye];
    }

    // Return the number of missing tiles: 0 for a complete hand, the shanten number plus one.
    static int Deficiency(int[] counts, int called)
    {
        int least = Standard(counts, called);
        if (called > 0) return least;
        int kinds = counts.Count(copies => copies > 0);
        int pairs = counts.Count(copies => copies > 1); // four of a kind is one pair
        int[] ends = counts.Where((_, place) => place > 26 || place % 9 % 8 == 0).ToArray();
        int orphans = ends.Count(copies => copies > 0) + (ends.Max() > 1 ? 1 : 0);
        return Math.Min(least, Math.Min(14 - Math.Min(kinds, 7) - pairs, 14 - orphans));
    }

    // Return the answers about a hand: win, shanten, useful tiles, their copies.
    static string Answer(string hand, int called)
    {
        int[] counts = new int[34];
        string ranks = "";
        foreach (char letter in hand)
        {
            int suit = Suits.IndexOf(letter);
            if (suit < 0)
            {
                ranks += letter;
                continue;
            }
            foreach (char rank in ranks) counts[9 * suit + rank - '1']++;
            ranks = "";
        }
        int missing = Deficiency(counts, called), left = 0;
        var useful = new StringBuilder();
        for (int place = 0; place < 34; place++) // also after the draw: an exchange draws one
        {
            counts[place]++;
            bool isUseful = Deficiency(counts, called) < missing;
            counts[place]--;
            if (!isUseful) continue;
            useful.Append(place % 9 + 1).Append(Suits[place / 9]);
            left += 4 - counts[place];
        }
        return $"{(missing == 0 ? 1 : 0)}\t{missing - 1}\t{useful}\t{left}";
    }

    static void Main()
    {
        var output = new StreamWriter(Console.OpenStandardOutput());
        for (string line; (line = Console.ReadLine()) != null;)
        {
            string[] words = line.Split(' ');
            output.Write(Answer(words[0], int.Parse(words[1])) + "\n");
        }
        output.Flush();
    }
}
