import { readFile } from 'node:fs/promises'
import { describeSource, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { apiUrl, inHeader, integer, list, text } from '@burgee/kit/options/parsers'
import { JSON_OPTION } from '../json-option.ts'

/** Options of `burgee verify`. */
export const VERIFY_OPTIONS = {
  against: { parse: apiUrl, doc: 'Address of the server that SDKs ask today.' },
  url: {
    env: ['BURGEE_URL'],
    parse: apiUrl,
    default: 'http://localhost:4242',
    doc: 'Address of the server that they are to ask.',
  },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(list),
    secret: true,
    isRepeatable: true,
    letter: 't',
    doc: 'Backend or frontend tokens that both servers know, one for each environment. Others on this machine can read what stands on a command line.',
  },
  tokensFile: { parse: text, doc: 'File with such tokens, one on each line; lines that begin with # are left out.' },
  file: {
    parse: list,
    isRepeatable: true,
    doc: 'Two files with flags, as SDKs download them, in the place of servers.',
  },
  contexts: {
    parse: integer(0, 1_000_000),
    default: 1000,
    doc: 'How many contexts all flags are evaluated for; each flag has some more around the bounds of its rules.',
  },
  seed: { parse: integer(0, 2 ** 32 - 1), default: 1, doc: 'Another number chooses other contexts.' },
  ...JSON_OPTION,
} as const satisfies OptionTable

/** Subject of a comparison: two servers with tokens, or two files. */
export type ComparisonSubject =
  | { readonly kind: 'servers'; readonly against: string; readonly url: string; readonly tokens: readonly string[] }
  | { readonly kind: 'files'; readonly a: string; readonly b: string }

const MAX_TOKENS = 1000
const ONLY_SERVERS = ['token', 'url'] as const

/** Determines what to compare. Throws an Error for options that exclude each other. */
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
    if (first !== undefined) throw new Error(`--${first} is for servers, and --file for two files: give one of them`)
    return { kind: 'files', a, b }
  }
  if (against === undefined) throw new Error('Name the other server by --against URL, or two files: --file A --file B')
  const tokens = [...new Set([...token, ...(tokensFile === undefined ? [] : await readTokens(tokensFile))])]
  if (tokens.length === 0)
    throw new Error('Give tokens that both servers know: --tokens-file FILE, --token or BURGEE_TOKEN')
  if (tokens.length > MAX_TOKENS) throw new Error(`${tokens.length} tokens are more than ${MAX_TOKENS}`)
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
    throw new Error(`--tokens-file: ${path} has a line that is no token`)
  }
}
