import { readFile } from 'node:fs/promises'
import { describeSource, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { apiUrl, inHeader, integer, list, text } from '@burgee/kit/options/parsers'
import { JSON_OPTION } from '../json-option.ts'

/** Options of `burgee verify`. */
export const VERIFY_OPTIONS = {
  against: { parse: apiUrl, doc: 'URL of the server that SDKs use today.' },
  url: {
    env: ['BURGEE_URL'],
    parse: apiUrl,
    default: 'http://localhost:4242',
    doc: 'URL of the server that SDKs will use.',
  },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(list),
    secret: true,
    isRepeatable: true,
    letter: 't',
    doc: 'Backend or frontend tokens that both servers accept, one per environment. Other users of this machine can read the command line.',
  },
  tokensFile: { parse: text, doc: 'File of such tokens, one per line; lines that begin with # are ignored.' },
  file: {
    parse: list,
    isRepeatable: true,
    doc: 'Two files with flags, as SDKs download them, instead of servers.',
  },
  contexts: {
    parse: integer(0, 1_000_000),
    default: 1000,
    doc: 'Number of contexts to evaluate all flags for; each flag gets additional ones at the limits of its rules.',
  },
  seed: { parse: integer(0, 2 ** 32 - 1), default: 1, doc: 'Seed of the random contexts.' },
  ...JSON_OPTION,
} as const satisfies OptionTable

/** The two sides of a comparison: two servers with tokens, or two files. */
export type ComparisonSubject =
  | { readonly kind: 'servers'; readonly against: string; readonly url: string; readonly tokens: readonly string[] }
  | { readonly kind: 'files'; readonly a: string; readonly b: string }

const MAX_TOKENS = 1000
const ONLY_SERVERS = ['token', 'url'] as const

/** Determines the servers or files to compare. Throws an Error for options that exclude each other. */
export async function readComparisonSubject(
  options: Parsed<typeof VERIFY_OPTIONS>,
  argv: readonly string[],
): Promise<ComparisonSubject> {
  const { against, url, token = [], tokensFile, file } = options
  if (file !== undefined) {
    const [a, b, ...more] = file
    if (a === undefined || b === undefined || more.length > 0) throw new Error('Name two files: --file A --file B')
    const others = ONLY_SERVERS.filter((name) => describeSource(VERIFY_OPTIONS, name, { argv }).startsWith('--'))
    const unused = [...(against === undefined ? [] : ['against']), ...(tokensFile === undefined ? [] : ['tokens-file'])]
    const [first] = [...unused, ...others]
    if (first !== undefined)
      throw new Error(`--${first} compares servers and --file compares two files: give one of them`)
    return { kind: 'files', a, b }
  }
  if (against === undefined)
    throw new Error('Name the other server with --against URL, or two files: --file A --file B')
  const tokens = [...new Set([...token, ...(tokensFile === undefined ? [] : await readTokens(tokensFile))])]
  if (tokens.length === 0)
    throw new Error('Give tokens that both servers accept: --tokens-file FILE, --token or BURGEE_TOKEN')
  if (tokens.length > MAX_TOKENS) throw new Error(`${tokens.length} tokens exceed the limit of ${MAX_TOKENS}`)
  return { kind: 'servers', against, url, tokens }
}

async function readTokens(path: string): Promise<string[]> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--tokens-file: cannot read ${path} (${error.code ?? error.message})`)
  })
  const tokens = content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  try {
    return tokens.length === 0 ? [] : [...inHeader(list).parse(tokens)]
  } catch {
    throw new Error(`--tokens-file: ${path} has a line that is not a token`)
  }
}
