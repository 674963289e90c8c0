import { join } from 'node:path/posix'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { inHeader, oneOf, text } from '@burgee/kit/options/parsers'
import { download, isAddress, readFlags, toDocumentUrl } from '../evaluate/feature-documents.ts'
import { JSON_OPTION } from '../json-option.ts'
import type { CommandOutput } from '../running.ts'
import { checkFlags, type ListedFlag } from './check-flags.ts'
import { CHECK_FORMATS, formatCheck } from './check-formats.ts'
import { toSlashes } from './source-files.ts'

/** Options of `burgee refs`. */
export const REFS_OPTIONS = {
  flags: {
    env: ['BURGEE_URL'],
    parse: text,
    default: 'http://localhost:4242',
    doc: 'URL of the server, or a file with its flags, as SDKs download them.',
  },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'Backend token that reads the flags of all projects that the code uses.',
  },
  format: {
    parse: oneOf(CHECK_FORMATS),
    default: 'text',
    doc: 'Format of the result: text, JSON, annotations of GitHub Actions, or SARIF 2.1.0 for code scanning.',
  },
  ...JSON_OPTION,
} as const satisfies OptionTable

const LIMIT_MS = 15_000
/** Exit code if the code asks for flags that do not exist. */
const MISSING_FLAGS = 2

/**
 * Runs `burgee refs check [DIR] [options]`: checks the calls of SDKs in source files against the flags of a server.
 * Returns code 2 if the code asks for a flag that does not exist or is archived; stale flags are only warnings.
 */
export async function runRefs(args: readonly string[]): Promise<CommandOutput> {
  const [mode, ...rest] = args
  if (mode !== 'check') throw new Error('Say what to do: burgee refs check [DIR] [options]')
  const [first] = rest
  const hasFolder = first !== undefined && !first.startsWith('-')
  const folder = hasFolder ? first : '.'
  const { flags, token, ...output } = parseOptions(REFS_OPTIONS, {
    env: process.env,
    argv: hasFolder ? rest.slice(1) : rest,
  })
  if (output.json && output.format !== 'text' && output.format !== 'json') {
    throw new Error(`--json and --format ${output.format} exclude each other`)
  }
  const check = checkFlags(folder, await fetchFlags(flags, token))
  // paths relative to this folder, which editors and code scanning open
  const problems = check.problems.map((problem) => ({
    ...problem,
    path: join(toSlashes(folder), problem.path),
  }))
  const code = problems.some(({ kind }) => kind === 'missing') ? MISSING_FLAGS : 0
  return { code, text: formatCheck({ ...check, problems }, output.json ? 'json' : output.format) }
}

async function fetchFlags(place: string, token: string | undefined): Promise<ListedFlag[]> {
  const { features } = isAddress(place)
    ? await download(toDocumentUrl(place), { token, limitMs: LIMIT_MS })
    : await readFlags(place)
  return features.map(({ name, stale }) => ({ name, isStale: stale === true }))
}
