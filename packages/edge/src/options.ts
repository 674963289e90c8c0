import {
  type OptionSources,
  OptionsError,
  type OptionsInput,
  type OptionTable,
  type Parsed,
  parseOptions,
} from '@burgee/kit/options/options'
import { integer, list, text } from '@burgee/kit/options/parsers'
import { IMPACT_OPTIONS } from '@burgee/serving/impact/impact-options'
import { COMMERCIAL_OPTIONS } from './commercial-options.ts'
import { listConflicts } from './option-conflicts.ts'
import { SERVING_OPTIONS } from './serving-options.ts'
import { STORAGE_OPTIONS } from './storage-options.ts'
import { UPSTREAM_OPTIONS } from './upstream-options.ts'

const MS_PER_SECOND = 1000

/** Options of a node with an upstream. Source: wire protocol "Edge", options. */
export const EDGE_OPTIONS = {
  ...UPSTREAM_OPTIONS,
  ...IMPACT_OPTIONS,
  ...SERVING_OPTIONS,
  ...STORAGE_OPTIONS,
} as const satisfies OptionTable

/** Options of a node that answers from a file (offline mode). Source: wire protocol "Edge", offline mode. */
export const OFFLINE_OPTIONS = {
  bootstrapFile: {
    env: ['BOOTSTRAP_FILE'],
    letter: 'b',
    parse: text,
    required: true,
    doc: 'File of flags: a response of `/api/client/features`, or `{"name": {"enabled": true, "variant": "v1"}}`.',
  },
  clientTokens: {
    env: ['CLIENT_TOKENS', 'TOKENS'],
    letter: 'c',
    parse: list,
    secret: true,
    isRepeatable: true,
    doc: 'Tokens of server-side SDKs, any string; a token like `project:environment.secret` gets the flags of that project.',
  },
  frontendTokens: {
    env: ['FRONTEND_TOKENS'],
    letter: 'f',
    parse: list,
    secret: true,
    isRepeatable: true,
    doc: 'Tokens of frontend SDKs, any string; a token like `project:environment.secret` gets the flags of that project.',
  },
  reloadInterval: {
    env: ['RELOAD_INTERVAL'],
    letter: 'r',
    parse: integer(0, 2_147_483),
    default: 0,
    unit: 'seconds',
    doc: 'Interval at which the file is read again; 0: never.',
  },
  ...SERVING_OPTIONS,
} as const satisfies OptionTable

/** Parsed options of a node, by name and with defaults. */
export type EdgeOptions = Parsed<typeof EDGE_OPTIONS>

/** Options of a node as given in code. */
export type EdgeConfig = OptionsInput<typeof EDGE_OPTIONS>

/** Parsed options of an offline node. */
export type OfflineOptions = Parsed<typeof OFFLINE_OPTIONS>

/** Listening and serving options of both kinds of nodes. */
export type ServingOptions = Parsed<typeof SERVING_OPTIONS>

/** Parsed options, and options that were set but have no effect in this edge. */
export interface LoadedOptions<Options> {
  readonly options: Options
  readonly commercial: Readonly<Record<string, unknown>>
}

/**
 * Reads the options of a node with an upstream. Throws OptionsError that names every invalid option and every conflict
 * between options.
 */
export function loadEdgeOptions(sources: OptionSources): LoadedOptions<EdgeOptions> {
  const loaded = load(EDGE_OPTIONS, sources)
  const conflicts = listConflicts(loaded.options)
  if (conflicts.length > 0) throw new OptionsError(conflicts)
  return loaded
}

/** Reads the options of an offline node. Throws OptionsError for invalid options. */
export function loadOfflineOptions(sources: OptionSources): LoadedOptions<OfflineOptions> {
  const loaded = load(OFFLINE_OPTIONS, sources)
  const { clientTokens, frontendTokens } = loaded.options
  if (clientTokens === undefined && frontendTokens === undefined) {
    throw new OptionsError(['No tokens: set some in CLIENT_TOKENS or FRONTEND_TOKENS'])
  }
  return loaded
}

function load<T extends OptionTable>(table: T, sources: OptionSources): LoadedOptions<Parsed<T>> {
  const all = parseOptions({ ...COMMERCIAL_OPTIONS, ...table } as OptionTable, sources)
  const own = Object.keys(table).map((name) => [name, all[name]] as const)
  const others = Object.keys(COMMERCIAL_OPTIONS).map((name) => [name, all[name]] as const)
  return { options: Object.fromEntries(own) as Parsed<T>, commercial: Object.fromEntries(others) }
}

/** Returns the interval at which the upstream is polled, in milliseconds. */
export function getRefreshIntervalMs({ fetchInterval, featuresRefreshIntervalSeconds }: EdgeOptions): number {
  return fetchInterval ?? featuresRefreshIntervalSeconds * MS_PER_SECOND
}

/** Returns the interval of usage reports in milliseconds. */
export function getMetricsIntervalMs({ metricsInterval, metricsIntervalSeconds }: EdgeOptions): number {
  return metricsInterval ?? metricsIntervalSeconds * MS_PER_SECOND
}

/** Returns the name of the header in which SDKs send their token, in lower case. */
export function getTokenHeader({ tokenHeader, edgeAuthHeader }: ServingOptions): string {
  return (tokenHeader ?? edgeAuthHeader ?? 'authorization').toLowerCase()
}

/** Returns the names of all headers in which clients send a token or key, in lower case. */
export function listTokenHeaders(options: ServingOptions): readonly string[] {
  return [...new Set([getTokenHeader(options), 'authorization', 'x-api-key'])]
}
