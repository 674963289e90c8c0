/** Call of an SDK with a literal flag name. */
export interface FlagCall {
  readonly flag: string
  /** Line of the name, from 1. */
  readonly line: number
  /** Column of the name, from 1, in UTF-16 code units. */
  readonly column: number
}

/** Functions of Unleash SDKs whose first argument is the name of a flag. */
const UNLEASH_CALLS = [
  'isEnabled',
  'IsEnabled',
  'is_enabled\\??',
  'is_disabled\\?',
  'if_enabled',
  'if_disabled',
  'enabled\\?',
  'is_str_enabled',
  'getVariant',
  'GetVariant',
  'get_variant',
  'get_variant_str',
  'useFlag',
  'useVariant',
]

/** Type names that occur in the names of OpenFeature functions. */
const TYPES =
  '(?:Boolean|Bool|String|Number|Integer|Int|Long|Double|Float|Object|Struct|boolean|bool|string|number|integer|int|float|object|struct)'

/**
 * Functions of OpenFeature SDKs, whose first argument (in Go: the second) is the name of a flag. A default value must
 * follow the name: other libraries have similar calls without one, such as `attribute.StringValue("http.route")`.
 */
const OPENFEATURE_CALLS = [
  `(?:get|Get)${TYPES}(?:Value|Details)(?:Async)?`,
  `${TYPES}Value(?:Details)?`,
  `(?:get|fetch)_${TYPES}_(?:value|details)`,
  `use(?:Suspense)?${TYPES}Flag(?:Value|Details)`,
]

/**
 * Characters of a flag name, as the server accepts them. Names of fewer than 3 characters would match too many other
 * strings.
 */
const NAME = '[A-Za-z0-9_.~-]{3,250}'

/**
 * A call: the function, type arguments, a bracket (Ruby needs none), a context (Go), the name of a parameter, and the
 * name of the flag as a string or symbol. A string that is joined with `+` is only a part of a flag's name.
 */
const CALL = new RegExp(
  `(?<![\\w$])(?:${UNLEASH_CALLS.join('|')}|(?<openfeature>${OPENFEATURE_CALLS.join('|')}))` +
    `(?:<[^<>()\\n]{1,80}>)?(?:\\s*\\(\\s*|[ \\t]+)` +
    `(?:[\\w.]{1,80}(?:\\(\\))?\\s*,\\s*)?(?:\\w{1,40}\\s*[:=]\\s*)?` +
    `(?:(?<quote>["'\`])(?<quoted>${NAME})\\k<quote>(?!\\s*\\+)|:(?<symbol>\\w{3,250}))`,
  'dg',
)
/** Start of another argument. */
const FURTHER_ARGUMENT = /\s*,(?!\s*\))/y
/** A line that contains this text is not checked. */
const IGNORED_LINE = 'burgee:ignore'

/** Yields the calls in a source text whose first argument is a literal flag name, for Unleash and OpenFeature SDKs. */
export function* findFlagCalls(text: string): Generator<FlagCall> {
  let line = 1
  let lineStart = 0
  for (const match of text.matchAll(CALL)) {
    const { quoted, symbol, openfeature } = match.groups ?? {}
    const span = match.indices?.groups?.quoted ?? match.indices?.groups?.symbol
    const flag = quoted ?? symbol
    if (flag === undefined || span === undefined) continue
    if (openfeature !== undefined && !hasFurtherArgument(text, match.index + match[0].length)) continue
    const [at] = span
    for (let end = text.indexOf('\n', lineStart); end !== -1 && end < at; end = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = end + 1
    }
    if (!readLine(text, lineStart).includes(IGNORED_LINE)) yield { flag, line, column: at - lineStart + 1 }
  }
}

function hasFurtherArgument(text: string, at: number): boolean {
  FURTHER_ARGUMENT.lastIndex = at
  return FURTHER_ARGUMENT.test(text)
}

function readLine(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end)
}
