// What can be put into a chart: sentences with gaps, and the captions that they become.
//
//   caption  "playCard({who:player=player(0)}, {what:cards=cards})"   gaps with their kinds and first values
//   words    "{who} plays {what}."                                    the same gaps in a sentence
//
// A caption that fits such a form can be filled in again. A gap that is named twice has one field.

/** @typedef {{group: string, name: string, caption: string, says: string, words?: string}} Brick */
/** @typedef {{name: string, kind: string, first: string}} Gap */
/** @typedef {{players: number, names: any[], charts: string[], suits: string[]}} Context what the chart has */

const WHAT = "What happens", DECIDES = "A player decides", ASKS = "A question", OTHER = "Another chart";

/** @type {Brick[]} */
export const BRICKS = [
  { group: WHAT, name: "Shuffle", caption: "Shuffle", says: "All cards, wherever they are, go back to the pack, which is shuffled." },
  { group: WHAT, name: "Deal", caption: "Deal({n:number=5})", words: "Every player gets {n} cards from the pack.", says: "Every player gets so many cards from the pack." },
  { group: WHAT, name: "Points", caption: "score({who:seats=player(0)}) = score({who}) + {n:number=1}", words: "{who} gets {n} points.", says: "Adds to a score. At the end the highest score wins, or the lowest: see “Game”." },
  { group: WHAT, name: "Next player", caption: "{name:playerName=turn} = next({name})", words: "{name} is now the player who sits after them.", says: "Goes on to the player on the left." },
  { group: WHAT, name: "Remember", caption: "{name:newName=leader} = {value:value=player(0)}", words: "From now on {name} means {value}.", says: "Gives a name to a value: a player, a suit, a number. From then on boxes can use the name." },
  { group: WHAT, name: "Count", caption: "{name:numberName=rounds} = {name} + {n:number=1}", words: "{name} grows by {n}.", says: "Adds to a number that was remembered before." },
  { group: WHAT, name: "Draw cards", caption: "pickUp({who:seats=player(0)}, {n:number=1})", words: "{who} gets {n} cards from the pack.", says: "A player gets cards from the pack." },
  { group: WHAT, name: "Move cards", caption: "move({what:amount=1}, {from:place=pack}, {to:place=stack})", words: "{what} from {from} to {to}.", says: "Cards go from one place to another: a number from the top, all of them, or those that you name." },
  { group: WHAT, name: "Clear the table", caption: "Stack.empty", says: "The cards that were played go to the stack." },
  { group: WHAT, name: "Say something", caption: 'publish("{text:text=A new round begins.}")', words: "Everybody reads: {text}", says: "A message for everybody. #{leader} in it becomes the name of the leader." },
  { group: WHAT, name: "Show cards", caption: "show({what:cards=top(pack)}, {who:audience=all})", words: "{who} may see {what}.", says: "Cards stay where they are, but a player, or all, may see them." },
  { group: WHAT, name: "Chance", caption: "{name:newName=n} = random({n:number=6})", words: "{name} becomes one of {n} numbers, from 0, all equally likely.", says: "A number by chance, as with dice." },
  { group: DECIDES, name: "Play a card", caption: "playCard({who:seats=player(0)}, {what:cards=cards})", words: "{who} plays {what}.", says: "The player plays one of these cards from their hand; it lies before them." },
  { group: DECIDES, name: "Play or pass", caption: "playCardOrPass({who:seats=player(0)}, {what:cards=cards}, {to:place=stack})", words: "{who} plays {what} to {to}, or passes.", says: "The same, but they may pass. “Did they pass?” tells afterwards." },
  { group: DECIDES, name: "Pick cards", caption: "pick({who:seats=player(0)}, {n:number=1}, {what:cards=cards}, {from:place=hand(player(0))}, {to:place=stack})", words: "{who} picks {n} from {from}, {what}, for {to}.", says: "The player picks so many of these cards from one place, and they go to another." },
  { group: DECIDES, name: "Choose", caption: "choose({who:seats=player(0)}, {name:newName=trumps}, {values:choices=suits})", words: "{who} chooses {values}. Its name is {name}.", says: "The player chooses a value: a suit, a number, a word, another player." },
  { group: DECIDES, name: "Play cards that go together", caption: "playCards(player(0), sets s in subsets(hand(player(0)), 2 to 4) where isGroup(s), stack)", says: "The player plays several cards at once: a pair, a run, whatever the condition says. playCardsOrPass lets them pass." },
  { group: DECIDES, name: "Take cards from the table", caption: "take(player(0), sets s in subsets(stack, 1 to 3), stack, hand(player(0)))", says: "The player takes several cards from one place to another, those that fit together." },
  { group: DECIDES, name: "All decide at once", caption: "together playCard(p, {what:cards=cards}) for p in players", words: "All play {what}, and nobody sees those of the others before all have.", says: "Every player plays a card, and nobody sees those of the others before all have." },
  { group: ASKS, name: "No cards left?", caption: "empty({place:place=hand(player(0))})?", words: "Is {place} empty?", says: "Whether there are no cards at a place: a hand, the pack, the stack …" },
  { group: ASKS, name: "Does a player hold a card?", caption: "playerHas({who:player=player(0)}, {what:cards=card(any, hearts)})?", words: "Does {who} hold {what}?", says: "Whether a player can play one of these cards: can they follow suit?" },
  { group: ASKS, name: "Did they pass?", caption: "passed({who:player=player(0)})?", words: "Did {who} pass?", says: "Whether a player passed at their last decision." },
  { group: ASKS, name: "Which card is higher?", caption: "rankValue(middle({who:player=player(0)})) > rankValue(middle({other:player=player(1)}))?", words: "Is the card of {who} higher than the card of {other}?", says: "Compares the cards that two players have played." },
  { group: ASKS, name: "The same player?", caption: "{who:player=turn} == {other:player=leader}?", words: "Is {who} the same player as {other}?", says: "Whether two names mean the same player: has everybody had a turn?" },
  { group: ASKS, name: "Compare numbers", caption: "{a:value=score(player(0))} {sign:sign=>=} {b:value=10}?", words: "Is {a} {sign} {b}?", says: "Whether a number is more than another: a score, the cards in a hand, rounds." },
  { group: OTHER, name: "Sub-chart", caption: "do {name:chart=trick}", words: "Here the whole chart {name} is played.", says: "A box that stands for a whole chart of its own. If there is none of that name, it is made." },
];

/** Between a player and the end of a box that is done for each: no chart has this sign. */
export const FOR = "\u0001";
const GAP = /\{(\w+)(?::(\w+)=([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}/g;
const EACH = /^(.*) for p in players( from (.+?))?( where p != (.+?))?$/s;

/** The gaps of a caption, each once. @param {Brick} brick @returns {Gap[]} */
export function gapsOf(brick) {
  return [...brick.caption.matchAll(GAP)].filter((one) => one[2]).map(([, name, kind, first]) => ({ name, kind, first }));
}

/** The sentence of a brick in pieces: words, and gaps by their names. @param {Brick} brick @returns {{text: string, gap: string}[]} */
export function wordsOf(brick) {
  const parts = (brick.words ?? "").split(/\{(\w+)\}/);
  return parts.map((text, number) => (number % 2 ? { text: "", gap: text } : { text, gap: "" })).filter((one) => one.text || one.gap);
}

/** The caption that a filled-in sentence is. “every player” becomes a box that is done for each. @param {Brick} brick @param {{[gap: string]: string}} values */
export function write(brick, values) {
  let suffix = "";
  /** @type {{[gap: string]: string}} */
  const plain = {};
  for (const [name, value] of Object.entries(values)) {
    const [each, after] = value.split(FOR);
    plain[name] = each;
    if (after !== undefined) suffix = after;
  }
  return brick.caption.replace(GAP, (_, name) => plain[name] ?? "") + suffix;
}

/** What the gaps of a caption say, if it fits this brick. @param {Brick} brick @param {string} caption @returns {{[gap: string]: string} | null} */
export function read(brick, caption) {
  const gaps = gapsOf(brick);
  if (!gaps.length) return null;
  const each = brick.caption.includes(" for p in ") ? null : EACH.exec(caption);
  const parts = [...brick.caption.matchAll(GAP)];
  /** @type {{[gap: string]: string}} */
  const values = {};
  const body = each ? each[1] : caption;
  let at = 0, before = 0;
  for (let number = 0; number <= parts.length; number++) {
    const literal = brick.caption.slice(before, parts[number]?.index ?? brick.caption.length);
    if (!body.startsWith(literal, at)) return null;
    at += literal.length;
    if (number === parts.length) break;
    before = (parts[number].index ?? 0) + parts[number][0].length;
    const next = brick.caption.slice(before, parts[number + 1]?.index ?? brick.caption.length);
    const end = endOf(body, at, next);
    if (end < 0) return null;
    const name = parts[number][1], value = body.slice(at, end);
    if (!value || (name in values && values[name] !== value)) return null;
    values[name] = value;
    at = end;
  }
  if (at !== body.length) return null;
  if (each) {
    const seats = gaps.find((gap) => gap.kind === "seats" && values[gap.name] === "p");
    if (!seats) return null;
    values[seats.name] = `p${FOR}${caption.slice(body.length)}`;
  }
  if (gaps.some((gap) => gap.kind === "sign" && !SIGNS.some(([sign]) => sign === values[gap.name]))) return null;
  return gaps.some((gap) => /Name$/.test(gap.kind) && !/^\w+$/.test(values[gap.name])) ? null : values;
}

/** Where a gap ends: at the next literal text that is in no bracket and no quotes. @param {string} text @param {number} from @param {string} next */
function endOf(text, from, next) {
  let depth = 0;
  for (let at = from; at <= text.length; at++) {
    if (depth === 0 && (next ? text.startsWith(next, at) : at === text.length)) return at;
    if ("({".includes(text[at])) depth += 1;
    if (")}".includes(text[at]) && --depth < 0) return -1;
  }
  return -1;
}

/** The brick that a caption fits, with what its gaps say. @param {string} caption @returns {{brick: Brick, values: {[gap: string]: string}} | null} */
export function brickOf(caption) {
  for (const brick of [...BRICKS].sort((a, b) => gapsOf(a).length - gapsOf(b).length || b.caption.length - a.caption.length)) {
    const values = read(brick, caption);
    if (values) return { brick, values };
  }
  return null;
}

/** A caption as a sentence; null if it is none that we know. @param {string} caption @param {Context} context @returns {string | null} */
export function inWords(caption, context) {
  const found = brickOf(caption);
  if (!found) return BRICKS.find((one) => one.caption === caption)?.says ?? null;
  const { brick, values } = found;
  const gaps = gapsOf(brick), who = values[gaps.find((gap) => gap.kind === "seats" || gap.kind === "player")?.name ?? ""] ?? "";
  const said = wordsOf(brick).map(({ text, gap }) => {
    if (!gap) return text;
    const kind = gaps.find((one) => one.name === gap)?.kind ?? "";
    return choicesFor(kind, context, who).find(([one]) => one === values[gap])?.[1] ?? values[gap].replace(FOR, "");
  }).join("");
  return said[0].toUpperCase() + said.slice(1);
}

// --- what can stand in a gap

const SIGNS = [[">=", "at least"], [">", "more than"], ["<=", "at most"], ["<", "less than"], ["==", "equal to"], ["!=", "not equal to"]];

/** What can stand in a gap: as it is written, and in words. @param {string} kind @param {Context} context @param {string} who the player of the same sentence @returns {string[][]} */
export function choicesFor(kind, context, who) {
  const known = (/** @type {string} */ type) => context.names.filter((one) => one.kind === "variable" && one.type === type && one.written === one.name).map((one) => one.name);
  const people = [...known("player").map((name) => [name, name]), ...Array.from({ length: context.players }, (_, seat) => [`player(${seat})`, `player ${seat}`])];
  const after = known("player").map((name) => [`next(${name})`, `the player after ${name}`]);
  const suits = known("suit"), named = people.filter(([one]) => !one.startsWith("player("));
  const leaders = named.length ? named : people.slice(0, 1);
  const own = context.names.filter((one) => one.kind === "place" && !["hand", "middle", "pack", "stack"].includes(one.name));
  const self = who.split(FOR)[0] || "player(0)";
  switch (kind) {
    case "player":
      return [...people, ...after];
    case "seats":
      return [...people, [`p${FOR} for p in players`, "every player, in turn,"], ...leaders.map(([name, word]) => [`p${FOR} for p in players from ${name}`, `every player, beginning with ${word},`]),
        ...leaders.map(([name, word]) => [`p${FOR} for p in players from next(${name}) where p != ${name}`, `every player but ${word}, in turn,`]), ...after];
    case "audience":
      return [["all", "everybody"], ...people];
    case "cards":
      return [["cards", "any card"], ...suits.flatMap((suit) => [[`if(playerHas(${self}, card(any, ${suit})), card(any, ${suit}), cards)`, `a card of the suit ${suit} if they can, else any card`], [`card(any, ${suit})`, `a card of the suit ${suit}`]]),
        ...leaders.map(([name, word]) => [`card(any, suit(middle(${name})))`, `a card of the suit that ${word} played`]), ...context.suits.map((suit) => [`card(any, ${suit})`, `a card of ${suit}`]),
        ["union(card(any, suit(top(stack))), card(rank(top(stack)), any))", "a card of the same suit or rank as the top of the stack"],
        ["top(pack)", "the top card of the pack"], ["top(stack)", "the top card of the stack"],
        ...context.names.filter((one) => one.kind === "definition" && /^\w+\(\w+\)$/.test(one.written)).map((one) => [`cards c in hand(${self}) where ${one.name}(c)`, `a card that fits “${one.name}”`])];
    case "place":
      return [["pack", "the pack"], ["stack", "the stack"], ...people.map(([name, word]) => [`hand(${name})`, `the hand of ${word}`]), ...people.map(([name, word]) => [`middle(${name})`, `the card that ${word} played`]),
        ...own.flatMap((one) => (one.written === one.name ? [[one.name, one.name]] : one.written === `${one.name}(player)` ? people.map(([name, word]) => [`${one.name}(${name})`, `${one.name} of ${word}`]) : []))];
    case "amount":
      return [["1", "the top card goes"], ["all", "all cards go"], ["2", "2 cards go"], ["3", "3 cards go"], ["5", "5 cards go"]];
    case "choices":
      return [["suits", "a suit"], ["players", "a player"], ["ranks", "a rank"], ["{yes, no}", "yes or no"], ["{0 to 5}", "a number from 0 to 5"], ["{1 to 13}", "a number from 1 to 13"]];
    case "sign":
      return SIGNS;
    case "value":
      return [...people, ...after, ["player(random(numberOfPlayers))", "a player drawn by lot"], ...leaders.map(([name, word]) => [`suit(middle(${name}))`, `the suit of the card that ${word} played`]),
        ["highest(rankValue(middle(p)) for p in players)", "the player of the highest card"], ...suits.map((suit) => [`highest(rankValue(middle(p)) for p in players where suit(middle(p)) == ${suit})`, `the player of the highest card of the suit ${suit}`]),
        ["suit(top(stack))", "the suit of the top card of the stack"], ["suit(random(4))", "a suit drawn by lot"], ["0", "0"], ["1", "1"], ["10", "10"],
        ...people.flatMap(([name, word]) => [[`score(${name})`, `the score of ${word}`], [`cardsRemaining(${name})`, `the number of cards in the hand of ${word}`]]),
        ...[...known("int"), ...context.names.filter((one) => one.kind === "option").map((one) => one.name)].map((name) => [name, name]), ...context.suits.map((suit) => [suit, suit])];
    case "chart":
      return context.charts.map((name) => [name, name]);
    case "playerName":
      return known("player").map((name) => [name, name]);
    case "numberName":
      return known("int").map((name) => [name, name]);
    default:
      return [];
  }
}
