import type { Network } from '@burgee/kit/http/client-network'
import type { Caller } from '@burgee/kit/http/route'
import { listStrategyNames, type ServerMetrics } from '@burgee/protocol/evaluation'
import { isRunEnvironment } from '@burgee/serving/document/run-environment'
import { readConnection } from '@burgee/serving/impact/report-connection'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import { type ReportRouteDeps, reportRoutes } from '@burgee/serving/sdk/report-routes'
import { getSdkVersion } from '@burgee/serving/sdk/sdk-version'
import { createNameOwner } from '@burgee/serving/usage/name-budget'
import type { Access, TokenScope } from '../../core/access/access.ts'
import { DEFAULT_ENVIRONMENT } from '../../core/default-environment.ts'
import type { HttpWorld, Routes } from '../../core/http/route.ts'
import type { RouteRateLimits } from '../../core/http/route-rate-limits.ts'
import type { Reporter } from '../usage/buffered-counts.ts'

type ReportLimits = Pick<RouteRateLimits, 'clientRegister' | 'clientMetrics' | 'frontendRegister' | 'frontendMetrics'>
type CommonDeps = ReportRouteDeps<Access, HttpWorld>

/** Settings in which the report endpoints for server-side SDKs and for frontend SDKs differ. */
export interface ServerReportDeps extends Omit<CommonDeps, 'first' | 'register' | 'count'> {
  /** Names of the rate limits that apply to registrations and to metrics. */
  readonly limits: { readonly register: keyof ReportLimits; readonly metrics: keyof ReportLimits }
}

/**
 * Creates the endpoints for SDK registrations and metrics. Reports are accepted immediately and written to the database
 * later. Source: wire protocol
 */
export function serverReportRoutes({ limits: counted, problems, ...deps }: ServerReportDeps): Routes {
  const within = (name: keyof ReportLimits) => (caller: Caller, world: HttpWorld) => world.limits[name](caller)
  return reportRoutes<Access, HttpWorld>({
    ...deps,
    problems: [...problems, 'RateLimitError'],
    first: { register: within(counted.register), metrics: within(counted.metrics) },
    register: ({ access, caller, world: { usage, callers } }, body) => {
      if (isOfTestRun(access.token)) return
      usage.instance(toReporter(access.token, callers.getNetwork(caller)), {
        appName: body.appName,
        instanceId: body.instanceId ?? 'default',
        sdkVersion: body.sdkVersion ?? null,
        address: callers.getAddress(caller),
        strategies: listStrategyNames(body.strategies),
      })
    },
    count: ({ access, caller, world }, body) => {
      if (isOfTestRun(access.token)) return
      const { appName, bucket, instanceId = 'default' } = body
      addImpact(world, access.token, { caller, body })
      if (bucket === undefined) return
      const reporter = toReporter(access.token, world.callers.getNetwork(caller))
      world.usage.count(reporter, appName, bucket, instanceId)
      if (!reporter.isPublic) return
      // frontend SDKs do not register instances, and visitors' addresses are not stored
      const sdkVersion = getSdkVersion(caller) ?? null
      world.usage.instance(reporter, { appName, instanceId, sdkVersion, address: null, strategies: [] })
    },
  })
}

/**
 * Returns the environment and projects for which a token downloads flags and reports metrics. Admin and personal tokens
 * are valid in all environments; for them, the default environment is returned.
 */
export function getFlagScope({ environment, projects }: Pick<TokenScope, 'environment' | 'projects'>): FlagScope {
  return { environment: environment === '*' ? DEFAULT_ENVIRONMENT : environment, projects }
}

/** Returns true for a token of a test run. Its reports are accepted but not counted. */
export function isOfTestRun({ environment }: Pick<TokenScope, 'environment'>): boolean {
  return isRunEnvironment(environment)
}

/** Adds the impact metrics of a report. */
function addImpact(
  { impactReports }: HttpWorld,
  token: TokenScope,
  { caller, body }: { readonly caller: Caller; readonly body: ServerMetrics },
): void {
  if (body.impactMetrics === undefined) return
  const isPublic = token.type === 'frontend'
  const connection = readConnection(caller, body)
  impactReports.add(getFlagScope(token), body.impactMetrics, {
    ...connection,
    origin: isPublic ? 'browser' : 'sdk',
    isPublic,
  })
}

/** Returns the source of usage reports that are sent with a token from a network. */
export function toReporter(token: TokenScope, network: Network): Reporter {
  const owner = createNameOwner(network, token.id)
  return { key: token.id, ...getFlagScope(token), isPublic: token.type === 'frontend', owner }
}
