import { join } from 'node:path/posix'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { oneOf, text } from '@burgee/kit/options/parsers'
import { download, isAddress, readFlags, toDocumentUrl } from '../evaluate/feature-documents.ts'
import { JSON_OPTION } from '../json-option.ts'
import type { CommandOutput } from '../running.ts'
import { checkFlags, type ListedFlag } from './check-flags.ts'
import { CHECK_FORMATS, formatCheck } from './check-formats.ts'
import { runScan, SCAN_OPTIONS } from './scan-command.ts'
import { toSlashes } from './source-files.ts'

/** Options of `burgee refs check`. */
const CHECK_OPTIONS = {
  flags: {
    env: ['BURGEE_URL'],
    parse: text,
    default: 'http://localhost:4242',
    doc: 'URL of the server, or a file with its flags, as SDKs download them.',
  },
  token: SCAN_OPTIONS.token,
  format: {
    parse: oneOf(CHECK_FORMATS),
    default: 'text',
    doc: 'Format of the result: text, JSON, annotations of GitHub Actions, or SARIF 2.1.0 for code scanning.',
  },
  ...JSON_OPTION,
} as const satisfies OptionTable

/** Options of `burgee refs`, for both of its modes. */
export const REFS_OPTIONS = { ...CHECK_OPTIONS, ...SCAN_OPTIONS } as const satisfies OptionTable

const LIMIT_MS = 15_000
/** Exit code if the scanned code contains calls with flags that do not exist. */
const MISSING_FLAGS = 2

/** Runs `burgee refs check` or `burgee refs scan`, each with an optional folder and options. */
export async function runRefs(args: readonly string[]): Promise<CommandOutput> {
  const [mode, ...rest] = args
  const [first] = rest
  const hasFolder = first !== undefined && !first.startsWith('-')
  const folder = hasFolder ? first : '.'
  const argv = hasFolder ? rest.slice(1) : rest
  if (mode === 'check') return runCheck(folder, argv)
  if (mode === 'scan') return runScan(folder, argv, Date.now)
  throw new Error('Choose a command: burgee refs check [DIR] [options], or burgee refs scan [DIR] [options]')
}

/**
 * Checks the calls of SDKs in source files against the flags of a server. Returns code 2 if the code contains a call
 * with a flag that does not exist or is archived; stale flags only cause warnings.
 */
async function runCheck(folder: string, argv: readonly string[]): Promise<CommandOutput> {
  const { flags, token, ...output } = parseOptions(CHECK_OPTIONS, { env: process.env, argv })
  if (output.json && output.format !== 'text' && output.format !== 'json') {
    throw new Error(`--json and --format ${output.format} exclude each other`)
  }
  const check = checkFlags(folder, await fetchFlags(flags, token))
  // paths relative to this folder, so that editors and code scanning can open them
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
