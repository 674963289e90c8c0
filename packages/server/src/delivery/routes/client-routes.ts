import { type Caller, Reply } from '@burgee/kit/http/route'
import { EdgeStatusReport } from '@burgee/protocol/administration/delivery-receipt'
import { ClientMetricsBulk } from '@burgee/protocol/evaluation'
import { getBaseEnvironment } from '@burgee/serving/document/run-environment'
import { readConnection } from '@burgee/serving/impact/report-connection'
import { deltaRoutes } from '@burgee/serving/sdk/delta-routes'
import { type ClientRouteDeps, flagRoutes } from '@burgee/serving/sdk/flag-routes'
import { createFixedProfile } from '@burgee/serving/upstream/announced-profile'
import { type Access, CLIENT, type TokenScope } from '../../core/access/access.ts'
import { GUARDED_LIST, GUARDED_SEARCH, LONG_BODY } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { bulkMetrics } from './bulk-report.ts'
import { getFlagScope, isOfTestRun, serverReportRoutes, toReporter } from './sdk-report-routes.ts'

const BASE = '/api/client'
const REPORT = {
  tag: 'Client',
  replies: { 202: { description: 'Accepted' } },
  problems: LONG_BODY,
}
/** Maximum size of a report. Reports of a proxy for many applications are larger than other request bodies. */
const REPORT_LIMIT_BYTES = 4 * 1024 * 1024

/**
 * Creates the endpoints for server-side SDKs and proxies: flag download, change stream, registration, and metrics.
 * Source: wire protocol
 */
export function clientRoutes(world: HttpWorld): Routes {
  const { downloads, deltas, streams, flagStreams, telemetry, options, callers, fleet } = world
  const deps: ClientRouteDeps<Access> = {
    base: BASE,
    tag: 'Client',
    permission: CLIENT,
    problems: { search: GUARDED_SEARCH, list: GUARDED_LIST },
    getScope: ({ token }) => getFlagScope(token),
    downloaded: (environment, result) =>
      telemetry.downloads.add(1, { environment: getBaseEnvironment(environment), result }),
    connections: fleet.connections,
  }
  return [
    ...flagRoutes({ ...deps, downloads, profile: createFixedProfile(options.evaluationProfile) }),
    ...reports,
    ...deltaRoutes<Access, TokenScope>({
      ...deps,
      deltas,
      streams,
      flagStreams,
      getHolder: ({ token }) => token,
      getStreamCaller: ({ token: { id, owner } }, caller) => {
        const network = callers.getNetwork(caller)
        return owner === undefined ? { network, token: id } : { network, user: String(owner) }
      },
    }),
  ]
}

/** Parts that the routes for reports from proxies have in common. */
const NODE_REPORT = {
  ...REPORT,
  problems: [...LONG_BODY, 'RateLimitError'],
  method: 'POST',
  priority: 'low',
  permission: CLIENT,
  first: (caller: Caller, { limits }: HttpWorld) => limits.clientMetrics(caller),
  bodyLimitBytes: REPORT_LIMIT_BYTES,
} as const

const reports: Routes = [
  ...serverReportRoutes({
    ...REPORT,
    base: BASE,
    limits: { register: 'clientRegister', metrics: 'clientMetrics' },
    permission: CLIENT,
    metricsLimitBytes: REPORT_LIMIT_BYTES,
    accepted: () => new Reply(202),
  }),
  route({
    ...NODE_REPORT,
    url: `${BASE}/metrics/bulk`,
    summary: 'Accepts registrations and usage of many applications, from a proxy.',
    body: ClientMetricsBulk,
    handle: ({ access, body, caller }, world) => {
      if (isOfTestRun(access.token)) return new Reply(202)
      const reporter = toReporter(access.token, world.callers.getNetwork(caller))
      world.impactReports.add(getFlagScope(access.token), body.impactMetrics, {
        ...readConnection(caller),
        origin: 'edge',
        isForwarded: true,
        isPublic: access.token.type === 'frontend',
      })
      if (body.holdings !== undefined) {
        const sender = { caller, network: world.callers.getNetwork(caller) }
        world.fleet.edges.addHoldings(getFlagScope(access.token), sender, body.holdings)
        world.fleet.markChanged()
      }
      bulkMetrics(world.usage, body, { reporter, address: world.callers.getAddress(caller) })
      return new Reply(202)
    },
  }),
  route({
    ...NODE_REPORT,
    url: `${BASE}/metrics/edge`,
    summary: 'Accepts the status report of an edge, and stores it in memory for three minutes.',
    body: EdgeStatusReport,
    handle: ({ access, body, caller }, { fleet, callers }) => {
      fleet.edges.addStatus(getFlagScope(access.token), { caller, network: callers.getNetwork(caller) }, body)
      return new Reply(202)
    },
  }),
]
