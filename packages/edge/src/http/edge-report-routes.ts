import type { Network } from '@burgee/kit/http/client-network'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { ClientMetricsBulk, listStrategyNames, type ServerMetrics } from '@burgee/protocol/evaluation'
import type { ImpactSource } from '@burgee/serving/impact/impact-labels'
import { type ReportRouteDeps, reportRoutes } from '@burgee/serving/sdk/report-routes'
import { getSdkVersion } from '@burgee/serving/sdk/sdk-version'
import { createNameOwner } from '@burgee/serving/usage/name-budget'
import Type from 'typebox'
import type { DownstreamHoldings } from '../usage/downstream-holdings.ts'
import type { EdgeUsage, ReportedCounts, ReportSource } from '../usage/usage-interface.ts'
import { VERSION } from '../version.ts'
import { type Access, BACKEND, requireToken } from './check-token.ts'
import { LONG_BODY } from './problem-lists.ts'

/** Settings in which the report endpoints differ. */
export interface EdgeReportDeps
  extends Omit<ReportRouteDeps<Access, unknown>, 'problems' | 'first' | 'register' | 'count'> {
  readonly usage: EdgeUsage
  readonly networkOf: (caller: Caller) => Network
}

const route = routesFor<Access>()
/**
 * Maximum size of reports from servers and downstream nodes. Reports sent with frontend tokens have the smaller limit
 * for SDKs, because every visitor of a web page can read a frontend token.
 */
const REPORT_LIMIT_BYTES = 4 * 1024 * 1024
const NO_VARIANTS = {}
const NOTED = { 202: { description: 'Accepted' } }
/** A shared object, because data derived from headers is cached by object identity. */
const WITH_VERSION = { 'x-edge-version': VERSION }

/**
 * Returns the endpoints for the registrations and counts that SDKs send. Reports are accepted immediately and delivered
 * later. Source: wire protocol
 */
export function edgeReportRoutes({ usage, networkOf, ...deps }: EdgeReportDeps): Route<Access>[] {
  return reportRoutes<Access>({
    ...deps,
    problems: LONG_BODY,
    register: ({ access, caller }, { appName, instanceId, sdkVersion, strategies }) =>
      usage.register(createReportSource(access, networkOf(caller)), {
        appName,
        instanceId,
        sdkVersion,
        strategies: listStrategyNames(strategies),
      }),
    count: ({ access, caller }, { appName, instanceId, bucket, impactMetrics }) => {
      const source = createReportSource(access, networkOf(caller))
      usage.addImpact(source, impactMetrics, getImpactSource(access))
      if (bucket === undefined) return
      // frontend SDKs never register
      if (requireToken(access).kind === 'frontend') {
        usage.register(source, { appName, instanceId, sdkVersion: getSdkVersion(caller), strategies: [] })
      }
      usage.count(source, appName, listCounts(bucket))
    },
  })
}

/** Returns the counts of a report. Uses a loop without entries and closures, because it runs for each flag. */
function listCounts({ start, toggles }: NonNullable<ServerMetrics['bucket']>): ReportedCounts[] {
  const counts: ReportedCounts[] = []
  for (const name of Object.keys(toggles)) {
    const { yes = 0, no = 0, variants = NO_VARIANTS } = toggles[name] ?? {}
    counts.push({ name, at: start, yes, no, variants })
  }
  return counts
}

/** Dependencies of the endpoints for server SDKs and downstream nodes. */
export interface BackendReportDeps extends Pick<EdgeReportDeps, 'usage' | 'networkOf'> {
  /** Collects which flags the connections of downstream edges have; undefined to ignore these reports. */
  readonly downstream?: Pick<DownstreamHoldings, 'accept'> | undefined
}

/**
 * Returns the endpoints for reports from server SDKs and downstream nodes. See the wire protocol, section "Endpoints
 * Edge serves".
 */
export function backendReportRoutes({ usage, downstream, networkOf }: BackendReportDeps): Route<Access>[] {
  const common = { tag: 'Client', permission: BACKEND, replies: NOTED }
  return [
    ...edgeReportRoutes({
      base: '/api/client',
      ...common,
      usage,
      networkOf,
      metricsLimitBytes: REPORT_LIMIT_BYTES,
      accepted: () => new Reply(202, undefined, WITH_VERSION),
    }),
    route({
      ...common,
      method: 'POST',
      url: '/api/client/metrics/bulk',
      priority: 'low',
      summary: 'Accepts registrations and usage of many applications from another edge.',
      problems: LONG_BODY,
      body: ClientMetricsBulk,
      bodyLimitBytes: REPORT_LIMIT_BYTES,
      handle: ({ access, body, caller }) => {
        const source = createReportSource(access, networkOf(caller))
        usage.addImpact(source, body.impactMetrics, { ...getImpactSource(access), isForwarded: true })
        bulkReport(usage, source, body)
        if (body.holdings !== undefined) {
          const { id, environment, projects } = requireToken(access)
          const edge = { id: String(caller.headers['unleash-connection-id'] ?? ''), network: networkOf(caller) }
          downstream?.accept({ token: { id, environment, projects }, edge, rows: body.holdings })
        }
        return new Reply(202)
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: '/api/client/metrics/edge',
      priority: 'low',
      summary: 'Accepts the status report of another edge; it is ignored.',
      problems: LONG_BODY,
      body: Type.Unknown(),
      bodyLimitBytes: REPORT_LIMIT_BYTES,
      handle: () => new Reply(202),
    }),
  ]
}

function createReportSource(access: Access, network: Network): ReportSource {
  const token = requireToken(access)
  return { lane: token, owner: createNameOwner(network, token.id) }
}

/** Returns the origin of impact metrics: pages and apps retain the origin `browser`, because their keys are public. */
function getImpactSource(access: Access): ImpactSource {
  const isPublic = requireToken(access).kind === 'frontend'
  return { origin: isPublic ? 'browser' : 'edge', isPublic }
}

function bulkReport(usage: EdgeUsage, from: ReportSource, body: ClientMetricsBulk): void {
  for (const { appName, instanceId, sdkVersion, strategies } of body.applications) {
    usage.register(from, { appName, instanceId, sdkVersion, strategies: listStrategyNames(strategies) })
  }
  const byApp = Map.groupBy(body.metrics, ({ appName }) => appName)
  for (const [appName, metrics] of byApp) {
    const counts = metrics.map(({ featureName, timestamp, yes = 0, no = 0, variants = {} }) => {
      return { name: featureName, at: timestamp, yes, no, variants }
    })
    usage.count(from, appName, counts)
  }
}
