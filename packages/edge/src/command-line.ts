import { listFlags, type OptionTable } from '@burgee/kit/options/options'
import { COMMERCIAL_OPTIONS } from './commercial-options.ts'
import { EDGE_OPTIONS, OFFLINE_OPTIONS } from './options.ts'

/** Modes of `burgee edge`. */
export const EDGE_MODES = ['edge', 'offline', 'health', 'ready'] as const
export type EdgeMode = (typeof EDGE_MODES)[number]

const TABLE: OptionTable = { ...COMMERCIAL_OPTIONS, ...EDGE_OPTIONS, ...OFFLINE_OPTIONS }

/**
 * Finds the mode in a command line; `edge` if the command line contains no mode. The mode can come before, between or
 * after the options. `-p` sets the port if a number follows; otherwise it sets pretrusted tokens. In offline mode,
 * `--tokens` and `-t` are older names of `--client-tokens`.
 *
 * @returns the mode, and the options without it
 */
export function readMode(argv: readonly string[]): { readonly mode: EdgeMode; readonly argv: readonly string[] } {
  const at = findModeIndex(argv)
  const mode = EDGE_MODES.find((one) => one === argv[at]) ?? 'edge'
  const options = argv.filter((_argument, index) => index !== at)
  return { mode, argv: mode === 'offline' ? withClientTokens(options) : withPortOrTokens(options) }
}

/** Returns the index of the first word that is a mode (and not the value of an option), or -1. */
function findModeIndex(argv: readonly string[]): number {
  const taking = listFlagsWithValue()
  return argv.findIndex((word, index) => {
    return (EDGE_MODES as readonly string[]).includes(word) && !taking.has(argv[index - 1] ?? '')
  })
}

/** Returns the names of the command-line flags that take a value. */
function listFlagsWithValue(): ReadonlySet<string> {
  const rows = Object.entries(TABLE).filter(([, { parse }]) => parse.isSwitch !== true)
  return new Set(rows.flatMap(([name, row]) => listFlags(name, row)))
}

function withClientTokens(argv: readonly string[]): string[] {
  return argv.map((word) => word.replace(/^(--tokens|-t)(?==|$)/, '--client-tokens'))
}

function withPortOrTokens(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    const [flag, ...value] = word.split('=')
    if (flag !== '-p' || /^\d+$/.test(value.length > 0 ? value.join('=') : (argv[index + 1] ?? ''))) return word
    return ['--pretrusted-tokens', ...value].join('=')
  })
}
