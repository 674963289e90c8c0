import type { Reply, RouteShape } from '@burgee/kit/http/route'
import { ClientRegistration, ServerMetrics } from '@burgee/protocol/evaluation'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import type { Reporter } from '../../services/usage/usage-counts.ts'
import type { Reach } from '../access/auth.ts'
import { type Routes, route } from '../route.ts'
import type { RouteRateLimits } from '../route-rate-limits.ts'

type Reports = Pick<RouteRateLimits, 'clientRegister' | 'clientMetrics' | 'frontendRegister' | 'frontendMetrics'>

/** What the two doors for reports, for servers and for front ends, do not have in common. */
export interface ReportDoor extends Pick<RouteShape, 'tag' | 'problems' | 'replies'> {
  /** Path that `/register` and `/metrics` are put behind. */
  readonly base: string
  /** Permission: whose token opens it. */
  readonly permission: string
  /** Which limits hold for how often they say that they are there, and for how often they report. */
  readonly limits: { readonly register: keyof Reports; readonly metrics: keyof Reports }
  /** Longest report, where it differs from the app's limit. */
  readonly metricsLimitBytes?: number
  /** What an SDK is told whose report was taken. */
  readonly accepted: () => Reply
}

/** Registrations and counts of SDKs, taken at once and written later. Source: wire protocol */
export function reportRoutes(door: ReportDoor): Routes {
  const { base, accepted, limits: counted, metricsLimitBytes, ...rest } = door
  const common = { ...rest, problems: [...door.problems, 'RateLimitError'] }
  return [
    route({
      ...common,
      method: 'POST',
      url: `${base}/register`,
      summary: 'An SDK says that it is there.',
      first: (caller, { limits }) => limits[counted.register](caller),
      body: ClientRegistration,
      handle: ({ access, body, caller }, { usage, callers }) => {
        usage.instance(reporterOf(access.token), {
          appName: body.appName,
          instanceId: body.instanceId ?? 'default',
          sdkVersion: body.sdkVersion ?? null,
          address: callers.addressOf(caller),
          strategies: body.strategies,
        })
        return accepted()
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: `${base}/metrics`,
      isHot: true,
      summary: 'How often flags were asked for.',
      first: (caller, { limits }) => limits[counted.metrics](caller),
      body: ServerMetrics,
      ...(metricsLimitBytes === undefined ? {} : { bodyLimitBytes: metricsLimitBytes }),
      handle: ({ access, body }, { usage }) => {
        usage.count(reporterOf(access.token), body.appName, body.bucket)
        return accepted()
      },
    }),
  ]
}

/** Admin tokens and people's own are for all environments; what they download and report on is the default one's. */
export function scopeOf({ environment, projects }: Pick<Reach, 'environment' | 'projects'>): FlagScope {
  return { environment: environment === '*' ? 'development' : environment, projects }
}

/** Who reports with a token. */
export function reporterOf(token: Reach): Reporter {
  return { key: token.id, ...scopeOf(token), isPublic: token.type === 'frontend' }
}
