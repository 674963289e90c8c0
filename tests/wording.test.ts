import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

/**
 * Counts habits of language that make text hard to read. Each pattern has an allowed count in wording-counts.json,
 * which may only shrink. `UPDATE_WORDING=1` writes lower counts, and counts of new patterns.
 */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const IS_UPDATE = process.env.UPDATE_WORDING === '1'
const COUNTS_FILE = join(ROOT, 'tests/wording-counts.json')
const MAX_LINE = 160
const MIN_WORDS = 3
const MAX_SHOWN = 40

interface Passage {
  readonly path: string
  readonly line: number
  readonly text: string
  /** True for the first line of a comment. */
  readonly isFirst: boolean
}
interface Pattern {
  readonly scope: Scope
  /** Matches the discouraged wording. Every match is counted. */
  readonly habit: RegExp
  readonly write: string
}
type Scope = keyof typeof SCOPES

const SOURCES = ['packages/*/src/**/*.{ts,tsx}', 'bin/src/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.mjs']
const DOCS = ['*.md', 'docs/*.md', 'docs/{api,sdks,compatibility-server}/*.md', '{packages,bin,examples}/**/README.md']
const NOT_OURS = /node_modules|THIRD-PARTY|\/dist\/|\/bundle\//
const TEST_FILE = /\.test\.tsx?$/

const SPEECH = /\b(told|tells|said|says|hears?|heard|kept|is believed|is asked|are asked)\b/gi
const PERSONS = /\b(somebody|nobody|everybody|whoever|whom)\b/gi
const OLD_WORDS = /\b(anew|meanwhile|for ever|be it|be they|thereby|therein)\b/gi
const CLAUSES =
  /\b(is to be|are to be|has to be|as long as it|of it that|those that|that of|the one before|what (is|was|has|they))\b/gi
const FRAGMENT =
  /^(what|who|whom|whose|whether|where|of|those|that|which|by|for|but|and|none|nobody|somebody|is|are|was|with|without|in|as|to)\b.*/i
const PRONOUN_START =
  /^(What|Who|Whom|Whose|Whether|Where|Of|Those|That|Which|By which|For whom|How|Nobody|Somebody|Whoever|Whatever|None|Nothing)\b.*/
const VAGUE =
  /^((told|said|kept|held|wish|moment|doer|standing|heard|asked|wanted|waiting|coming|going|untold|misfit|witness)(s|[A-Z]\w*)?|\w*(Told|Said|Kept|Held|Wish|Moment|Doer|Standing|Heard|Asked|Wanted|Waiting|Untold|Misfit|Witness)s?)$/

const FIRST_LINES = 'comments that start with a pronoun'
const PATTERNS: Readonly<Record<string, Pattern>> = {
  [FIRST_LINES]: { scope: 'comments', habit: PRONOUN_START, write: 'a verb in the third person, or a noun' },
  'verbs of speech in comments': { scope: 'comments', habit: SPEECH, write: 'returns, reports, logs, stores, trusts' },
  'vague persons in comments': { scope: 'comments', habit: PERSONS, write: 'a user, a caller, no one' },
  'old words in comments': { scope: 'comments', habit: OLD_WORDS, write: 'again, concurrently, indefinitely' },
  'clauses as nouns in comments': { scope: 'comments', habit: CLAUSES, write: 'the noun that is meant' },
  'verbs of speech in docs': { scope: 'docs', habit: SPEECH, write: 'returns, reports, logs, stores, trusts' },
  'vague persons in docs': { scope: 'docs', habit: PERSONS, write: 'a user, a caller, no one' },
  'old words in docs': { scope: 'docs', habit: OLD_WORDS, write: 'again, concurrently, indefinitely' },
  'clauses as nouns in docs': { scope: 'docs', habit: CLAUSES, write: 'the noun that is meant' },
  'verbs of speech in decision records': { scope: 'decisions', habit: SPEECH, write: 'returns, reports, logs, stores' },
  'vague persons in decision records': { scope: 'decisions', habit: PERSONS, write: 'a user, a caller, no one' },
  'long lines of docs': { scope: 'docs', habit: new RegExp(`^(?!\\|).{${MAX_LINE + 1},}$`), write: 'shorter lines' },
  'functions named …Of': { scope: 'names', habit: /^[a-z]\w*Of$/, write: 'a verb: getKey, parseTag, toRow' },
  'superlative constants': {
    scope: 'names',
    habit: /^(MOST|LONGEST|LEAST|FEWEST|USUAL)_\w+$/,
    write: 'MAX_, MIN_ or DEFAULT_',
  },
  'vague names': { scope: 'names', habit: VAGUE, write: 'a noun of the field' },
  'spreads of literals': { scope: 'code', habit: /\.\.\.\{ (?!\s)[^{}]*\}/g, write: 'the properties, one per line' },
  'fragments as test titles': { scope: 'titles', habit: FRAGMENT, write: 'a sentence with a verb in the present' },
  'vague persons in test titles': { scope: 'titles', habit: PERSONS, write: 'a user, a caller, no one' },
}

const SCOPES = {
  comments: () => comments(filesOf(SOURCES, false)),
  docs: () => lines(filesOf(DOCS, false)),
  decisions: () => lines(filesOf(['docs/adr/*.md'], false)),
  code: () => lines(filesOf(SOURCES, false)),
  names: () => matches(filesOf(SOURCES, false), DECLARATION),
  titles: () => matches(filesOf(['{packages,bin,tests}/**/*.test.{ts,tsx}'], true), TITLE),
} as const
const DECLARATION =
  /^(?:export )?(?:async )?(?:function\*?|const|class|interface|type|enum) (?<found>[A-Za-z_$][\w$]*)/gm
const TITLE = /\b(?:test|it)(?:\.each\([^)]*\))?\(\s*(?<quote>['"`])(?<found>.*?)\k<quote>/g
const COMMENT = /^\s*(?<start>\/\*\*?|\*|\/\/)\s?(?<text>.*?)(?:\*\/)?$|\s(?<end>\/\/) (?<tail>.*)$/

function filesOf(patterns: readonly string[], isTest: boolean): string[] {
  const paths = globSync(patterns as string[], { cwd: ROOT, exclude: (path) => /node_modules|^dist$/.test(path) })
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NOT_OURS.test(path) && TEST_FILE.test(path) === isTest)
    .sort()
}

function lines(paths: readonly string[]): Passage[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .map((text, index) => ({ path, line: index + 1, text, isFirst: true })),
  )
}

/** Returns the lines of comments with at least three words. */
function comments(paths: readonly string[]): Passage[] {
  return lines(paths).flatMap(({ path, line, text }) => {
    const groups = COMMENT.exec(text)?.groups
    if (groups === undefined) return []
    const comment = (groups.text ?? groups.tail ?? '').trim()
    if (comment.split(/\s+/).length < MIN_WORDS) return []
    return [{ path, line, text: comment, isFirst: groups.start === '/**' || groups.start === '//' }]
  })
}

/** Returns the group `found` of each match in the files. */
function matches(paths: readonly string[], pattern: RegExp): Passage[] {
  return paths.flatMap((path) => {
    const text = read(path)
    return [...text.matchAll(pattern)].map((match) => ({
      path,
      line: text.slice(0, match.index).split('\n').length,
      text: match.groups?.found ?? '',
      isFirst: true,
    }))
  })
}

const texts = new Map<string, string>()
function read(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  const text = readFileSync(join(ROOT, path), 'utf8')
  texts.set(path, text)
  return text
}

function findPlaces(name: string, { scope, habit }: Pattern): string[] {
  const all = passages.get(scope) ?? SCOPES[scope]()
  passages.set(scope, all)
  const each = habit.global ? habit : new RegExp(habit, `${habit.flags}g`)
  return all
    .filter(({ isFirst }) => isFirst || name !== FIRST_LINES)
    .flatMap(({ path, line, text }) =>
      (text.match(each) ?? []).map((found) => `${path}:${line}  ${found.slice(0, 80)}`),
    )
}
const passages = new Map<Scope, Passage[]>()

const allowed = JSON.parse(readFileSync(COUNTS_FILE, 'utf8')) as Record<string, number>
const counted: Record<string, number> = {}

describe('wording', () => {
  test.each(Object.entries(PATTERNS))('does not gain %s', (name, pattern) => {
    const places = findPlaces(name, pattern)
    counted[name] = places.length
    const limit = allowed[name] ?? (IS_UPDATE ? places.length : 0)
    if (places.length > limit) {
      const shown = places.slice(0, MAX_SHOWN).join('\n')
      expect.fail(`${places.length} ${name}, ${limit} are allowed. Write ${pattern.write} instead:\n${shown}`)
    }
    if (IS_UPDATE) return
    expect(places.length, `lower the number of "${name}" in tests/wording-counts.json`).toBe(limit)
  })

  test('allows counts of existing patterns only', () => {
    expect(Object.keys(allowed).filter((name) => !(name in PATTERNS))).toEqual([])
  })

  test.each([
    ['verbs of speech in docs', 'The proxy is told of it, and says so.', 2],
    ['clauses as nouns in comments', 'Removes what is left.', 1],
    ['old words in docs', 'It is read anew.', 1],
    ['functions named …Of', 'keyOf', 1],
    ['functions named …Of', 'indexOfKey', 0],
    ['superlative constants', 'MOST_FLAGS', 1],
    ['vague names', 'keptState', 1],
    ['vague names', 'keptlike', 0],
    ['vague names', 'HeldFlags', 0],
    ['vague names', 'lastSaid', 1],
    ['spreads of literals', 'call({ ...{ a, b }, c })', 1],
    ['fragments as test titles', 'is not read', 1],
    ['fragments as test titles', 'rejects a duplicate name', 0],
    ['long lines of docs', `| ${'x'.repeat(200)} |`, 0],
    ['long lines of docs', 'x'.repeat(161), 1],
  ])('finds %s in %j: %i', (name, text, count) => {
    const habit = PATTERNS[name]?.habit ?? /$^/
    expect([...text.matchAll(new RegExp(habit, habit.global ? habit.flags : `${habit.flags}g`))]).toHaveLength(count)
  })
})

afterAll(() => {
  const rows = Object.entries(counted).map(([name, count]) => `  ${String(count).padStart(5)}  ${name}`)
  process.stdout.write(`wording:\n${rows.join('\n')}\n`)
  if (!IS_UPDATE) return
  const lower = Object.entries(counted).map(([name, count]) => [name, Math.min(count, allowed[name] ?? count)])
  writeFileSync(COUNTS_FILE, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`)
})
