import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from 'yaml'

/** Maximum nesting depth of a file. The files that an export writes have at most 14 levels. */
const MAX_DEPTH = 50
/**
 * Maximum numbers of lexical tokens and of lines. A constraint with 10,000 values has 50,000 tokens. The document is
 * composed without a pause, so this limit bounds how long all other requests have to wait.
 */
const MAX_TOKENS = 131_072
/** Number of lexical tokens processed between two pauses; takes a few milliseconds. */
const SLICE_TOKENS = 500

/**
 * Parser options that avoid quadratic checks and turn off tags and merge keys. `checkNodes` finds duplicate keys in
 * linear time.
 */
const OPTIONS = {
  schema: 'core',
  resolveKnownTags: false,
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

/** Parsed YAML document, with a counter that maps positions to lines. */
export interface ConfigDocument {
  readonly document: Document.Parsed
  readonly getLine: (position: number) => number
}

/** Syntax error in a file. */
export class SyntaxMistake extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.line = line
  }
}

/**
 * Parses the text of a file, and pauses regularly for other requests. Needs linear time and bounded memory: rejects
 * deep nesting, aliases, and files with too many tokens. Throws SyntaxMistake.
 */
export async function parseConfigDocument(text: string, budget: EventLoopBudget): Promise<ConfigDocument> {
  const lines = new LineCounter()
  const getLine = (position: number): number => lines.linePos(position).line
  const tokens: CST.Token[] = []
  const scan = scanTokens(text, lines, tokens)
  while ((await budget.run(() => scan.next().done)) !== true);
  const document = await budget.run(() => compose(tokens, text.length, getLine))
  await budget.run(() => checkNodes(document.contents, getLine))
  return { document, getLine }
}

/** Appends the tokens of a text to a list, and pauses regularly for other requests. Throws SyntaxMistake. */
function* scanTokens(text: string, lines: LineCounter, tokens: CST.Token[]): Generator<void> {
  const parser = new Parser(lines.addNewLine)
  const fail = (text: string) => new SyntaxMistake(text, lines.linePos(parser.offset).line)
  let count = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    count += 1
    if (parser.stack.length > MAX_DEPTH) throw fail(`The file nests deeper than ${MAX_DEPTH} levels.`)
    if (Math.max(count, lines.lineStarts.length) > MAX_TOKENS) throw fail('The file has too many values or lines.')
    if (count % SLICE_TOKENS === 0) yield
  }
  tokens.push(...parser.end())
}

function compose(tokens: CST.Token[], length: number, getLine: ConfigDocument['getLine']): Document.Parsed {
  const { stackTraceLimit } = Error
  // a file can have as many errors as tokens, and creating stack traces would take most of the time
  Error.stackTraceLimit = 0
  try {
    const documents = new Composer(OPTIONS).compose(tokens, true, length)
    const { value: document } = documents.next() as { readonly value: Document.Parsed }
    const [error] = document.errors
    if (error !== undefined) throw new SyntaxMistake(error.message, getLine(error.pos[0]))
    const second = documents.next()
    if (second.done !== true)
      throw new SyntaxMistake('A file must contain one document.', getLine(second.value.range[0]))
    return document
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Throws SyntaxMistake for an alias, a duplicate key, or a key that is not a scalar. `MAX_DEPTH` bounds the recursion.
 */
function checkNodes(node: unknown, getLine: ConfigDocument['getLine']): void {
  if (isAlias(node)) {
    throw createMistake(`Aliases such as *${node.source} are not allowed: repeat the value.`, node, getLine)
  }
  if (isMap(node)) checkKeys(node, getLine)
  if (isCollection(node)) for (const item of node.items) checkNodes(isPair(item) ? item.value : item, getLine)
}

function checkKeys(map: YAMLMap, getLine: ConfigDocument['getLine']): void {
  const keys = new Set<string>()
  for (const { key } of map.items) {
    if (!isScalar(key)) throw createMistake('A key must be a string.', isNode(key) ? key : map, getLine)
    const name = String(key.value ?? '')
    if (keys.has(name)) throw createMistake(`The key "${name}" occurs twice.`, key, getLine)
    keys.add(name)
  }
}

const createMistake = (text: string, { range }: Node, getLine: ConfigDocument['getLine']): SyntaxMistake =>
  new SyntaxMistake(text, getLine(range?.[0] ?? 0))
