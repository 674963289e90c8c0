import type { CompletedReply } from '@burgee/kit/http/app-options'
import { createReplyCounter } from '@burgee/kit/series/reply-counter'
import type { Counter, Histogram, SeriesRegistry } from '@burgee/kit/series/series'
import { getBaseEnvironment, isRunEnvironment } from '@burgee/serving/document/run-environment'
import type { Environments } from '../environments/environments.ts'
import type { EdgeTokens } from '../tokens/edge-token.ts'

/** Prometheus series that a node exports. */
export interface Telemetry {
  readonly registry: SeriesRegistry
  /** Number of flags evaluated for replies, by `environment`. Cached replies count as well. */
  readonly evaluations: Counter
  /** Number of replies that needed no evaluation because the same context had been evaluated before. */
  readonly repeats: Counter
  /** Number of downloads by server SDKs, by `environment` and `result`. */
  readonly downloads: Counter
  /** Records the time from the arrival of a change until it was sent to the last stream, in milliseconds. */
  readonly recordPropagation: (durationMs: number) => void
  /** Called after each reply; counts by route pattern and status. */
  readonly countReply: (seen: CompletedReply) => void
}

/** Sources of the metrics, read at each scrape. */
export interface TelemetryDeps {
  readonly registry: SeriesRegistry
  readonly tokens: EdgeTokens
  readonly environments: Environments
  readonly isReady: () => boolean
  readonly clock: () => number
}

const MS_PER_SECOND = 1000
const PROPAGATION_BOUNDS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Registers all metrics that belong to the HTTP side. Tokens, fetches and reports register metrics themselves. */
export function createTelemetry(deps: TelemetryDeps): Telemetry {
  const { registry, isReady } = deps
  registry.gauge('burgee_edge_ready', '1 once flags are loaded, 0 before.', () => Number(isReady()))
  registerTokenSeries(deps)
  registerEnvironmentSeries(deps)
  const propagation: Histogram = registry.histogram(
    'burgee_edge_propagation_seconds',
    'Time from the arrival of a change until it was written to all streams.',
    PROPAGATION_BOUNDS_SECONDS,
  )
  return {
    registry,
    evaluations: registry.counter(
      'burgee_edge_evaluations_total',
      'Flags evaluated in replies, including repeated replies, by environment.',
    ),
    repeats: registry.counter(
      'burgee_edge_repeated_replies_total',
      'Evaluation replies to repeated contexts, served without an evaluation.',
    ),
    downloads: registry.counter(
      'burgee_edge_downloads_total',
      'Downloads of flags by server SDKs, by environment and result: sent, not-modified.',
    ),
    recordPropagation: (durationMs) => propagation.observe(durationMs / MS_PER_SECOND),
    countReply: createReplyCounter(registry.counter('burgee_edge_http_requests_total', 'Replies by route and status.')),
  }
}

function registerTokenSeries({ registry, tokens }: TelemetryDeps): void {
  registry.gauges('burgee_edge_tokens', 'Valid tokens, by kind.', () => {
    const counts = { backend: 0, frontend: 0 }
    for (const { kind } of tokens.all()) counts[kind] += 1
    return Object.entries(counts).map(([kind, count]) => [{ kind }, count] as const)
  })
}

function registerEnvironmentSeries({ registry, environments, clock }: TelemetryDeps): void {
  registry.pruneLabel('environment', () => {
    const live = new Set(environments.listStatuses().map(({ environment }) => getBaseEnvironment(environment)))
    return (name) => live.has(name) || environments.has(name)
  })
  const values = (name: string, help: string, read: (of: EnvironmentStatus) => number | undefined) =>
    registry.gauges(name, help, () =>
      environments.listStatuses().flatMap((of) => {
        // test runs come and go: a series for each run would be too many
        const value = isRunEnvironment(of.environment) ? undefined : read(of)
        return value === undefined ? [] : [[{ environment: of.environment }, value] as const]
      }),
    )
  values('burgee_edge_features', 'Flags in use, by environment.', ({ features }) => features)
  values(
    'burgee_edge_state_age_seconds',
    'Time since the upstream last sent or confirmed the flags, by environment.',
    ({ syncedAtMs }) => (syncedAtMs === undefined ? undefined : Math.max(clock() - syncedAtMs, 0) / MS_PER_SECOND),
  )
  values(
    'burgee_edge_fetch_failures',
    'Failed fetches since the last successful one, by environment.',
    (of) => of.failures,
  )
  values('burgee_edge_stale', '1 if the flags come from a backup or a file, by environment.', ({ origin }) =>
    Number(origin !== 'upstream'),
  )
}

type EnvironmentStatus = ReturnType<Environments['listStatuses']>[number]
