import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Labels, SeriesRegistry } from '@burgee/kit/series/series'
import type { Database, PoolState } from '@burgee/storage/database'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { Figures } from '../admin/projects/figures.ts'
import type { AdmittedCount } from '../delivery/usage/usage-admission.ts'
import { NamedCounter, OTHER_LABEL, PRIVATE_LABEL } from './named-counter.ts'
import { createSeriesNames, type SeriesNames } from './series-names.ts'
import { WIRE_VERSION } from './version.ts'

/**
 * Metrics with the names that dashboards for Unleash expect. Labels contain a limited number of names of existing
 * flags, and no names of private projects. Source: wire protocol
 */
export interface UnleashSeries {
  /** Adds usage counts to the metrics. Called after the counts were written to the database. */
  readonly recordUsage: (
    counts: readonly Pick<AdmittedCount, 'featureName' | 'project' | 'appName' | 'yes' | 'no'>[],
  ) => void
  /** Counts changes to flags in the metrics. */
  readonly recordChanges: (events: readonly StoredEvent[]) => void
  /** Adds metrics that are read from the database and the installation at each Prometheus scrape. */
  watch(db: Database, figures: () => Figures | undefined): void
  /** Reads which names are private or deleted. Must be called before each scrape. */
  refresh(): Promise<void>
}

/** Limits on metrics with flag names. */
export interface FlagSeriesBounds {
  /** Maximum number of combinations of names, for each metric and level of detail. */
  readonly limit: number
  readonly monotonic: MonotonicClock
}

/** Value of the label `action`, keyed by event type. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['feature-created', 'created'],
  ['feature-archived', 'archived'],
  ['feature-revived', 'revived'],
  ['feature-metadata-updated', 'updated'],
  ['feature-stale-on', 'updated'],
  ['feature-stale-off', 'updated'],
  ['feature-variants-updated', 'updated'],
  ['feature-environment-variants-updated', 'updated'],
  ['feature-environment-enabled', 'updated'],
  ['feature-environment-disabled', 'updated'],
  ['feature-strategy-add', 'updated'],
  ['feature-strategy-update', 'updated'],
  ['feature-strategy-remove', 'updated'],
])

/** Adds the `UnleashSeries` metrics to the registry of the server. */
export function addUnleashSeries(registry: SeriesRegistry, bounds: FlagSeriesBounds): UnleashSeries {
  const usage = new NamedCounter({
    ...bounds,
    names: ['toggle', 'appName'],
    levels: [['appName'], ['toggle', 'appName']],
  })
  const updates = new NamedCounter({
    ...bounds,
    names: ['toggle', 'project', 'environment'],
    levels: [['toggle'], ['toggle', 'project', 'environment']],
  })
  let names: SeriesNames | undefined
  let types: Figures['environmentTypes'] = new Map()
  const readOf = (counter: NamedCounter) => () => (names === undefined ? [] : counter.read(names.getVisibility))
  registry.counters('feature_toggle_usage_total', 'Written flag usage.', readOf(usage))
  registry.counters('feature_toggle_update_total', 'Written flag changes.', readOf(updates))
  registry.pruneLabel('environment', () => {
    const environments = names?.environments()
    return environments && ((name) => NO_ENVIRONMENTS.has(name) || environments.has(name))
  })
  return {
    recordUsage: (counts) => countUsage(usage, counts),
    recordChanges: (events) => countUpdates(updates, events, types),
    watch(db, figures) {
      names = createSeriesNames(() => db.reader)
      watchPools(registry, db)
      watchFigures(registry, () => {
        const read = figures()
        if (read !== undefined) types = read.environmentTypes
        return read
      })
    },
    refresh: async () => names?.refresh([...new Set([...usage.flags(), ...updates.flags()])]),
  }
}

const NO_ENVIRONMENT = 'n/a'
/** Values of the label `environment` that are not environment names. */
const NO_ENVIRONMENTS: ReadonlySet<string> = new Set([NO_ENVIRONMENT, OTHER_LABEL, PRIVATE_LABEL])

function countUsage(usage: NamedCounter, counts: Parameters<UnleashSeries['recordUsage']>[0]): void {
  for (const { featureName: flag, project, appName, yes, no } of counts) {
    const counted = { flag, project, environment: '' }
    if (yes > 0) usage.add(yes, { toggle: flag, active: 'true', appName }, counted)
    if (no > 0) usage.add(no, { toggle: flag, active: 'false', appName }, counted)
  }
}

function countUpdates(updates: NamedCounter, events: readonly StoredEvent[], types: Figures['environmentTypes']): void {
  for (const event of events) {
    const action = ACTIONS.get(event.type)
    if (action === undefined) continue
    // the labels of an archived flag do not contain its name
    const flag = action === 'archived' ? '' : (event.featureName ?? '')
    const project = event.project ?? ''
    const environment = event.environment ?? ''
    const labels = {
      toggle: flag === '' ? OTHER_LABEL : flag,
      project,
      environment: environment === '' ? NO_ENVIRONMENT : environment,
      environmentType: environment === '' ? NO_ENVIRONMENT : (types.get(environment) ?? 'unknown'),
      action,
    }
    updates.add(1, labels, { flag, project, environment })
  }
}

function watchPools(registry: SeriesRegistry, { pools }: Database): void {
  if (pools === undefined) return
  const sum = (name: string, help: string, read: (pool: PoolState) => number) =>
    registry.gauge(name, help, () => pools().reduce((all, pool) => all + read(pool), 0), 'sum')
  sum('db_pool_max', 'Maximum number of connections to the database.', ({ max, busy, idle }) => max ?? busy + idle)
  sum('db_pool_min', 'Minimum number of idle connections.', ({ min, busy, idle }) => min ?? busy + idle)
  sum('db_pool_free', 'Idle connections.', ({ idle }) => idle)
  sum('db_pool_used', 'Connections in use.', ({ busy }) => busy)
  sum('db_pool_pending_acquires', 'Callers that wait for a connection.', ({ waiting }) => waiting)
  registry.gauge(
    'db_pool_pending_creates',
    'Always 0: callers that wait for a new connection count as waiting.',
    () => 0,
  )
}

function watchFigures(registry: SeriesRegistry, read: () => Figures | undefined): void {
  const one = (name: string, help: string, of: (figures: Figures) => number) =>
    registry.gauge(name, help, () => {
      const figures = read()
      return figures === undefined ? undefined : of(figures)
    })
  const several = (name: string, help: string, of: (figures: Figures) => readonly (readonly [Labels, number])[]) =>
    registry.gauges(name, help, () => {
      const figures = read()
      return figures === undefined ? [] : of(figures)
    })
  several('feature_toggles_total', 'Flags that are not archived.', ({ counts }) => [
    [{ version: WIRE_VERSION }, counts.featureToggles],
  ])
  one('feature_toggles_archived_total', 'Archived flags.', ({ counts }) => counts.archivedFeatureToggles)
  one('users_total', 'Users.', ({ counts }) => counts.users)
  for (const days of [7, 30, 60, 90] as const) {
    const help = `Users who were active in the last ${days} days.`
    one(`users_active_${days}`, help, ({ counts }) => counts.activeUsers[`last${days}`])
  }
  for (const days of [30, 60, 90] as const) {
    const help = `Events in environments of type production in the last ${days} days.`
    one(`production_changes_${days}`, help, ({ counts }) => counts.productionChanges[`last${days}`])
  }
  one('projects_total', 'Projects.', ({ counts }) => counts.projects)
  one('environments_total', 'Environments.', ({ counts }) => counts.environments)
  one('groups_total', 'Groups.', ({ counts }) => counts.groups)
  one('roles_total', 'Roles.', ({ counts }) => counts.roles)
  one('segments_total', 'Segments.', ({ counts }) => counts.segments)
  one('strategies_total', 'Strategy types.', ({ counts }) => counts.strategies)
  one('context_total', 'Context fields.', ({ counts }) => counts.contextFields)
  one('service_accounts_total', 'Service accounts.', ({ counts }) => counts.serviceAccounts)
  one('saml_enabled', '1 if users can log in with SAML.', ({ counts }) => Number(counts.SAMLenabled))
  one('oidc_enabled', '1 if users can log in with OpenID Connect.', ({ counts }) => Number(counts.OIDCenabled))
  several('api_tokens_total', 'API tokens by type.', ({ counts }) =>
    Object.entries(counts.apiTokens).map(([type, count]) => [{ type }, count] as const),
  )
  several('client_apps_total', 'Applications that have reported within a time range.', ({ counts }) =>
    counts.clientApps.map(({ range, count }) => [{ range }, count] as const),
  )
  several(
    'client_sdk_versions',
    'Processes that reported in the last day, by SDK and version; at most 100 of them.',
    ({ counts }) =>
      counts.sdks.slice(0, MAX_SDKS).map(({ sdkVersion, instances }) => {
        const [sdk_name = '', ...version] = (sdkVersion ?? 'unknown').split(':')
        return [{ sdk_name, sdk_version: version.join(':') }, instances] as const
      }),
  )
}

const MAX_SDKS = 100
