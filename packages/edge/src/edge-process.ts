import { createDebugLog, type Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type OptionSources, OptionsError } from '@burgee/kit/options/options'
import type { OpenTelemetry } from '@burgee/kit/otel/collector-connection'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { createFixedProfile } from '@burgee/serving/upstream/announced-profile'
import { type BurgeeEdge, createEdge } from './edge.ts'
import type { EdgeParts } from './edge-parts.ts'
import {
  createEdgeLogger,
  createIdentity,
  isJsonLog,
  openEdgeTelemetry,
  readEdgeSetup,
  warnAboutOptions,
} from './edge-setup.ts'
import { createOfflineEnvironments } from './offline/offline-environments.ts'
import { type EdgeOptions, loadEdgeOptions, loadOfflineOptions, OFFLINE_OPTIONS } from './options.ts'
import { createOfflineTokens } from './tokens/offline-tokens.ts'
import { DISCARDING_USAGE } from './usage/discarding-usage.ts'

/** A listening node. */
export interface StartedEdge {
  readonly url: string
  readonly port: number
  readonly isReady: () => boolean
  readonly logger: Logger
  readonly isJsonLog: boolean
  /** Configured delay between `drain` and `close`, in seconds. */
  readonly shutdownDelay: number
  /**
   * Reloads the secrets, and applies changed client keys immediately. Throws OptionsError if the start-up or pretrusted
   * tokens have changed, or if the first client keys were added, because these changes take effect only at the next
   * start.
   */
  reloadSecrets(): void
  /** Reports the node as not ready and closes each connection after its next reply. Requests are still answered. */
  drain(): void
  /** Closes streams and requests, delivers the last reports, stores the state, and releases all resources. */
  close(): Promise<void>
}

const MS_PER_SECOND = 1000

/**
 * Starts a node that has an upstream. Rejects with OptionsError for an invalid option, and with ListenError if the port
 * is unavailable.
 */
export async function startEdge(sources: OptionSources): Promise<StartedEdge> {
  const { parts, ...setup } = readEdgeSetup(sources)
  const { options, logger } = setup
  const openTelemetry = await openEdgeTelemetry(setup)
  const edge = createEdge({
    ...setup,
    ...parts,
    tracer: openTelemetry?.tracing,
    decisions: openTelemetry?.decisions,
    connections: parts.holdings.connections,
    pages: parts.holdings.pages,
    downstream: parts.holdings.downstream,
    clientKeys: options.clientKeys ?? [],
    firstToken: options.tokens?.[0],
  })
  const reloadSecrets = () => reload(edge, parts, { sources, options, logger })
  return startNode(edge, {
    options,
    logger,
    reloadSecrets,
    openTelemetry,
    start: () => parts.start(),
    closeParts: () => parts.close(),
  })
}

/**
 * Starts a node that answers from a file instead of an upstream. Rejects with OptionsError for an invalid option, with
 * an Error for an invalid file, and with ListenError if the port is unavailable.
 */
export async function startOfflineEdge(sources: OptionSources): Promise<StartedEdge> {
  const loaded = loadOfflineOptions(sources)
  const { options } = loaded
  const [clock, monotonic, random] = [Date.now, PROCESS_CLOCK, Math.random]
  const logger = createEdgeLogger(OFFLINE_OPTIONS, options, clock)
  warnAboutOptions(loaded, sources, logger)
  const { clientTokens = [], frontendTokens = [] } = options
  const tokens = createOfflineTokens({ clientTokens, frontendTokens })
  const profile = options.evaluationProfile ?? 'yggdrasil'
  const environments = await createOfflineEnvironments({
    profile,
    path: options.bootstrapFile,
    reloadIntervalMs: options.reloadInterval * MS_PER_SECOND,
    clock,
    random,
    logger,
    debug: createDebugLog(logger, options.logLevel),
  })
  // one file serves every environment; calling `peek` registers an environment that a token names
  for (const { environment } of tokens.all()) environments.peek(environment)
  const registry = new SeriesRegistry()
  const identity = createIdentity({ appName: 'burgee-edge' }, { clock, random })
  const openTelemetry = await openEdgeTelemetry({ options, identity, registry, logger, clock })
  const edge = createEdge({
    options,
    tracer: openTelemetry?.tracing,
    decisions: openTelemetry?.decisions,
    tokens,
    environments,
    logger,
    clock,
    monotonic,
    random,
    usage: DISCARDING_USAGE,
    profile: createFixedProfile(profile),
    clientKeys: [],
    firstToken: undefined,
    registry,
    isReady: () => environments.has(''),
    identity,
  })
  const reloadSecrets = () => environments.refresh()
  return startNode(edge, {
    options,
    logger,
    reloadSecrets,
    openTelemetry,
    start: () => {},
    closeParts: () => environments.close(),
  })
}

interface NodeStart extends Pick<StartedEdge, 'logger' | 'reloadSecrets'> {
  readonly options: Parameters<typeof createEdge>[0]['options']
  readonly openTelemetry: OpenTelemetry | undefined
  readonly start: () => void
  readonly closeParts: () => Promise<void>
}

async function startNode(edge: BurgeeEdge, beginning: NodeStart): Promise<StartedEdge> {
  const { options, logger, reloadSecrets, openTelemetry, start, closeParts } = beginning
  const close = async () => {
    await edge.close()
    await closeParts()
    await openTelemetry?.close()
  }
  try {
    start()
    const { url, port } = await edge.listen()
    openTelemetry?.start()
    const { shutdownDelay } = options
    const { isReady, drain } = edge
    return { url, port, isReady, logger, isJsonLog: isJsonLog(options), shutdownDelay, reloadSecrets, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface ReloadDeps {
  readonly sources: OptionSources
  readonly options: EdgeOptions
  readonly logger: Logger
}

function reload(edge: BurgeeEdge, parts: EdgeParts, { sources, options, logger }: ReloadDeps): void {
  const next = loadEdgeOptions(sources).options
  edge.replaceClientKeys(next.clientKeys ?? [])
  parts.environments.refresh()
  logger.warn('Reloaded client keys')
  rejectChangedTokens(options, next)
}

type NamedTokens = Partial<Pick<EdgeOptions, 'tokens' | 'pretrustedTokens' | 'clientKeys'>>

/**
 * Throws OptionsError if the start-up or pretrusted tokens have changed, or if the first client keys were added:
 * `/proxy` is registered only at startup.
 */
export function rejectChangedTokens(before: NamedTokens, next: NamedTokens): void {
  const isSame = (one: readonly string[] = [], other: readonly string[] = []) => one.join() === other.join()
  const late: string[] = []
  if (!isSame(next.tokens, before.tokens) || !isSame(next.pretrustedTokens, before.pretrustedTokens))
    late.push('TOKENS or PRETRUSTED_TOKENS have changed; the new values take effect at the next start')
  if (isSame(before.clientKeys) && !isSame(next.clientKeys))
    late.push('FLAG_PROXY_CLIENT_KEYS contains keys for the first time; /proxy is available after the next start')
  if (late.length > 0) throw new OptionsError(late)
}
