import { hostname } from 'node:os'
import { createLogger, type Logger } from '@burgee/kit/log/logger'
import { type MonotonicClock, PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { OptionSources, OptionTable } from '@burgee/kit/options/options'
import { listSecrets } from '@burgee/kit/options/options'
import { describeServiceLinks } from '@burgee/kit/options/service-links'
import type { OpenTelemetry } from '@burgee/kit/otel/collector-connection'
import { openTelemetry } from '@burgee/kit/otel/open-telemetry'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { commercialWarnings } from './commercial-options.ts'
import { createParts, type EdgeParts } from './edge-parts.ts'
import type { NodeIdentity } from './http/backstage-routes.ts'
import { EDGE_OPTIONS, type EdgeOptions, type LoadedOptions, loadEdgeOptions, type ServingOptions } from './options.ts'
import { VERSION } from './version.ts'

/** Returns true if log lines are formatted as JSON. */
export function isJsonLog({ logFormat, useJsonLogger }: ServingOptions): boolean {
  return logFormat === undefined ? useJsonLogger : logFormat === 'json'
}

/**
 * Returns the custom logger, if there is one, or else a logger that writes to standard output and redacts the secrets
 * in the options.
 */
export function createEdgeLogger(
  table: OptionTable,
  options: ServingOptions & Readonly<Record<string, unknown>>,
  clock: () => number,
): Logger {
  if (options.logger !== undefined) return options.logger
  const { customClientHeaders } = options
  const headers = Array.isArray(customClientHeaders) ? customClientHeaders.map(([, value]) => String(value)) : []
  const secrets = [...listSecrets(table, options), ...headers]
  const write = (line: string) => void process.stdout.write(line)
  return createLogger({ level: options.logLevel, json: isJsonLog(options), secrets: () => secrets, write, clock })
}

/** Logs a warning for options that were given but have no effect. */
export function warnAboutOptions(
  { options, commercial }: LoadedOptions<ServingOptions>,
  sources: OptionSources,
  logger: Logger,
): void {
  for (const line of commercialWarnings(commercial, sources)) logger.warn(line)
  const links = describeServiceLinks(EDGE_OPTIONS, sources.env ?? {})
  if (links !== undefined) logger.warn(links)
  const { proxyTrustedServers, trustProxy, workers, tlsEnable } = options
  if (proxyTrustedServers !== undefined && trustProxy !== true) {
    logger.warn('PROXY_TRUSTED_SERVERS has no effect without TRUST_PROXY=true: forwarded addresses are ignored')
  }
  if (workers > 1 && tlsEnable) logger.warn('WORKERS has no effect with TLS_ENABLE: using one process')
  else if (workers > 1 && 'bootstrapFile' in options)
    logger.warn('WORKERS has no effect in offline mode: using one process')
}

/** Returns the identity that a node presents to operators and to its upstream. */
export function createIdentity(
  given: { readonly appName: string; readonly instanceId?: string | undefined },
  { clock, random }: { readonly clock: () => number; readonly random: () => number },
): NodeIdentity {
  const unique = Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36)
  const instanceId = given.instanceId ?? `${hostname()}-${process.pid}-${unique}`
  return { appName: given.appName, instanceId, startedAtMs: clock() }
}

/**
 * Options, logger and parts of a node with an upstream; used by a single process and by the primary process of a group.
 */
export interface EdgeSetup {
  readonly options: EdgeOptions
  readonly identity: NodeIdentity
  readonly registry: SeriesRegistry
  readonly parts: EdgeParts
  readonly logger: Logger
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly random: () => number
}

/**
 * Reads the options, warns about options that have no effect, and creates the parts. Throws OptionsError for an invalid
 * option.
 */
export function readEdgeSetup(sources: OptionSources): EdgeSetup {
  const loaded = loadEdgeOptions(sources)
  const { options } = loaded
  const [clock, monotonic, random] = [Date.now, PROCESS_CLOCK, Math.random]
  const logger = createEdgeLogger(EDGE_OPTIONS, options, clock)
  warnAboutOptions(loaded, sources, logger)
  const identity = createIdentity(options, { clock, random })
  const registry = new SeriesRegistry()
  const parts = createParts({ options, identity, registry, logger, clock, monotonic, random })
  return { options, identity, registry, parts, logger, clock, monotonic, random }
}

/** Parts of a node that its connection to an OpenTelemetry collector needs. */
interface ObservedNode extends Pick<EdgeSetup, 'identity' | 'registry' | 'logger' | 'clock'> {
  readonly options: ServingOptions
}

/** Opens the connection to the collector that the options name; undefined if they name none. */
export function openEdgeTelemetry({
  options,
  identity,
  registry,
  logger,
  clock,
}: ObservedNode): Promise<OpenTelemetry | undefined> {
  return openTelemetry({
    options,
    serviceName: 'burgee-edge',
    version: VERSION,
    // the processes of an edge share an instance id that an option sets
    instanceId: `${identity.instanceId}-${process.pid}`,
    readMetrics: () => registry.snapshot(),
    logger,
    clock,
  })
}
