// The language rules: one row per pattern, with a sentence that breaks the rule and the sentence to write instead.

export interface LanguageRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** The hint on what to write instead, for the author of the rejected text. */
  readonly advice: string;
  readonly breaks: string;
  readonly keeps: string;
}

const START = String.raw`(?:^|(?<=[.:;!?] )|(?<=\n\n))`;
/** Matches a statement and not a question: no question mark before the end of the sentence. */
const STATEMENT = String.raw`\b(?![^.?!]*\?)`;

export const LANGUAGE_RULES: readonly LanguageRule[] = [
  {
    name: 'subject-who',
    pattern: new RegExp(`${START}(?:Who|What|Which)${STATEMENT} \\w`, 'g'),
    advice: 'Name the actor or the thing: "a member", "the caller", "the core", "you", "the value".',
    breaks: 'Who leaves takes their grants along.',
    keeps: 'When a member leaves, their grants are removed.',
  },
  {
    name: 'whoever',
    pattern: /\b(?:whoever|whomever|whichever|somebody|nobody|someone else’s)\b/gi,
    advice: 'Name the person or program: "the caller", "a client", "no member".',
    breaks: 'Secret values are searched by nobody.',
    keeps: 'Secret values are never searched.',
  },
  {
    name: 'told',
    pattern: /\b(?:tells?|told|telling|hears?|heard|news)\b/gi,
    advice: 'Write "reports", "returns", "notifies", "receives" or "message".',
    breaks: 'The gateway is told when a key is gone.',
    keeps: 'The core notifies the gateway when a key is revoked.',
  },
  {
    name: 'asked',
    pattern: /\b(?:asks?|asked|asking)\b/gi,
    advice: 'Write "requests", "queries", "fetches", "checks" or "requested".',
    breaks: 'The places that were asked for a value.',
    keeps: 'The cells that were checked for a value.',
  },
  {
    name: 'wish',
    pattern: /\b(?:wish|wishes|wished|wanted|wants)\b/gi,
    advice: 'Write "request", "edit", "filter", "expected" or "requested".',
    breaks: 'It is refused when the wanted version is another.',
    keeps: 'The core rejects the write if the expected version differs.',
  },
  {
    name: 'to-be-had',
    pattern: /\b(?:is|are|was|were|be|been) had\b/gi,
    advice: 'Write "is available", "is taken", "exists" or "requires".',
    breaks: 'Whether a name may be had.',
    keeps: 'Whether a name is available.',
  },
  {
    name: 'lies',
    pattern:
      /\b(?:lies|lie|stands|stood) (?:in|on|at|by|behind|below|above|beside|beneath|under|elsewhere|there|outside|where)\b/gi,
    advice: 'Write "is", "is stored in", "belongs to" or "means".',
    breaks: 'What lies in it is not shown.',
    keeps: 'Its contents are hidden.',
  },
  {
    name: 'reads-as',
    pattern: /\b(?:reads?|read) (?:differently|otherwise|the same|anything else)\b/gi,
    advice: 'Write "the effective value changes" or "has the same value".',
    breaks: 'Four values would read differently.',
    keeps: '4 effective values will change.',
  },
  {
    name: 'verdict',
    pattern: /\b(?:verdicts?|judges?|judged|judging|judgement)\b/gi,
    advice: 'Write "validates", "checks" or "result".',
    breaks: 'Stored secrets are not judged in a plan.',
    keeps: 'Plans do not validate stored secrets.',
  },
  {
    name: 'refused',
    // A connection to an address where no server listens is refused; that is the standard term.
    pattern: /\brefus(?!\w* (?:new )?connections?\b)\w*/gi,
    advice: 'Write "error", "rejected operation", "denied request" or "nack".',
    breaks: 'The refusal names the place.',
    keeps: 'The error contains the location. A refused connection is repeated.',
  },
  {
    name: 'ingredient',
    pattern: /\b(?:ingredients?|namesakes?|ripples?|mends?|mended|surroundings)\b/gi,
    advice: 'Use the standard term: "input", "same name", "inherited", "fix", "context".',
    breaks: 'Two texts with the same ingredients are one.',
    keeps: 'Two values with the same inputs are equal.',
  },
  {
    name: 'closed-scope',
    pattern: /\bclosed (?:scopes?|environments?|projects?|places?|ones?|parents?|to you)\b/gi,
    advice: 'Write "forbidden", or "you don’t have access to".',
    breaks: 'A closed environment is a column without cells.',
    keeps: 'A forbidden environment is a column without cells.',
  },
  {
    name: 'anew',
    pattern: /\b(?:anew|thereby|thereof|wherein|hence|lest|otherwise than|unseen|in vain|by and by)\b/gi,
    advice: 'Write "again", "both", "so" or "therefore".',
    breaks: 'The session is begun anew.',
    keeps: 'The console renews the session.',
  },
  {
    name: 'all-the-same',
    pattern:
      /\b(?:none|nothing|no one|never) (?:of it|of them) (?:is|are) ever\b|\bwhat is (?:not|there|gone|left|new|known|kept|shown|told)\b/gi,
    advice: 'Name the thing that is missing, left or shown.',
    breaks: 'It reads again what is gone.',
    keeps: 'It reloads the deleted rows.',
  },
  {
    name: 'surface',
    pattern: /\b(?:surfaces?|ceilings?|doors?|housekeeping|goodbye|strangers?)\b/gi,
    advice:
      'Use the standard term: "interface", "limit", "entry point", "cleanup", "close reason", "anonymous caller".',
    breaks: 'Three surfaces share one ledger.',
    keeps: 'Three interfaces share one ledger.',
  },
  {
    name: 'reading-dots',
    pattern: /\b(?:Reading|Making it|Going there|Working out) …/g,
    advice: 'Write "Loading …", "Creating …", "Switching …" or "Checking …".',
    breaks: 'Reading …',
    keeps: 'Loading …',
  },
];

/** Rules for comments only: a comment is a sentence that explains why, or a summary line. */
export const COMMENT_RULES: readonly LanguageRule[] = [
  {
    name: 'comment-fragment',
    pattern:
      /^(?:(?:By|Of|In|For|With|Without|At|To|From|Its|The same|Those|So|As|Also|Some|One|All|Any|Null|Complete)\b(?: [^\s.]+){0,4}\.|[A-Z]\w*\.)$/g,
    advice: 'Write a sentence with a verb, or delete the comment.',
    breaks: 'By their places.',
    keeps: 'Sorts the cells by position.',
  },
];
