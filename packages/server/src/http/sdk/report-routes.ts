import type { Network } from '@burgee/kit/http/network'
import type { Caller } from '@burgee/kit/http/route'
import { strategyNames } from '@burgee/protocol/evaluation'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import { type ReportDoor as CommonDoor, reportRoutes as commonRoutes } from '@burgee/serving/sdk/report-routes'
import { getSdkVersion } from '@burgee/serving/sdk/sdk-version'
import { createNameOwner } from '@burgee/serving/usage/name-room'
import type { Reporter } from '../../services/usage/usage-counts.ts'
import type { Access, Reach } from '../access/auth.ts'
import type { HttpWorld, Routes } from '../route.ts'
import type { RouteRateLimits } from '../route-rate-limits.ts'

type Reports = Pick<RouteRateLimits, 'clientRegister' | 'clientMetrics' | 'frontendRegister' | 'frontendMetrics'>
type Door = CommonDoor<Access, HttpWorld>

/** Settings in which the report endpoints for server-side SDKs and for frontend SDKs differ. */
export interface ReportDoor extends Omit<Door, 'first' | 'register' | 'count'> {
  /** Names of the rate limits for registrations and for metrics. */
  readonly limits: { readonly register: keyof Reports; readonly metrics: keyof Reports }
}

/**
 * Creates the endpoints for SDK registrations and metrics. Reports are accepted immediately and written later. Source:
 * wire protocol
 */
export function reportRoutes({ limits: counted, problems, ...door }: ReportDoor): Routes {
  const within = (name: keyof Reports) => (caller: Caller, world: HttpWorld) => world.limits[name](caller)
  return commonRoutes<Access, HttpWorld>({
    ...door,
    problems: [...problems, 'RateLimitError'],
    first: { register: within(counted.register), metrics: within(counted.metrics) },
    register: ({ access, caller, world: { usage, callers } }, body) =>
      usage.instance(reporterOf(access.token, callers.networkOf(caller)), {
        appName: body.appName,
        instanceId: body.instanceId ?? 'default',
        sdkVersion: body.sdkVersion ?? null,
        address: callers.addressOf(caller),
        strategies: strategyNames(body.strategies),
      }),
    count: ({ access, caller, world }, { appName, bucket, instanceId = 'default' }) => {
      if (bucket === undefined) return
      const reporter = reporterOf(access.token, world.callers.networkOf(caller))
      world.usage.count(reporter, appName, bucket, instanceId)
      if (!reporter.isPublic) return
      // frontend SDKs do not register, and addresses of visitors are not stored
      const sdkVersion = getSdkVersion(caller) ?? null
      world.usage.instance(reporter, { appName, instanceId, sdkVersion, address: null, strategies: [] })
    },
  })
}

/**
 * Returns the environment and projects for which a token downloads flags and reports metrics. Admin and personal tokens
 * are valid for all environments; for them, it is the default environment.
 */
export function scopeOf({ environment, projects }: Pick<Reach, 'environment' | 'projects'>): FlagScope {
  return { environment: environment === '*' ? 'development' : environment, projects }
}

/** Returns the sender of the reports: the token and the network. */
export function reporterOf(token: Reach, network: Network): Reporter {
  const owner = createNameOwner(network, token.id)
  return { key: token.id, ...scopeOf(token), isPublic: token.type === 'frontend', owner }
}
