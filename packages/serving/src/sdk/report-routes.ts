import { type Caller, type Reply, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import { ClientRegistration, ServerMetrics } from '@burgee/protocol/evaluation'

/** Who reports, and what is known of the world it reports to. */
export interface Reporting<Access, World> {
  readonly access: Access
  readonly caller: Caller
  readonly world: World
}

/** What doors for reports, of servers and of front ends, do not have in common. */
export interface ReportDoor<Access, World> extends Pick<RouteShape, 'tag' | 'problems' | 'replies'> {
  /** Path that `/register` and `/metrics` are put behind. */
  readonly base: string
  /** Permission: whose token opens it. */
  readonly permission: string
  /** What is asked first: whether it comes too often. */
  readonly first?: {
    readonly register: NonNullable<Route<Access, World>['first']>
    readonly metrics: NonNullable<Route<Access, World>['first']>
  }
  /** Longest counts, where they differ from the app's limit. */
  readonly metricsLimitBytes?: number
  /** Hears that an SDK is there. */
  readonly register: (who: Reporting<Access, World>, body: ClientRegistration) => void
  /** Hears of an SDK's counts. */
  readonly count: (who: Reporting<Access, World>, body: ServerMetrics) => void
  /** What an SDK is told whose report was taken. */
  readonly accepted: () => Reply
}

/** Registrations and counts of SDKs, taken at once and written or delivered later. Source: wire protocol */
export function reportRoutes<Access, World = unknown>(door: ReportDoor<Access, World>): Route<Access, World>[] {
  const { base, accepted, register, count, first, metricsLimitBytes, ...common } = door
  const route = routesFor<Access, World>()
  return [
    route({
      ...common,
      ...(first === undefined ? {} : { first: first.register }),
      method: 'POST',
      url: `${base}/register`,
      priority: 'low',
      summary: 'An SDK says that it is there.',
      body: ClientRegistration,
      handle: ({ access, body, caller }, world) => {
        register({ access, caller, world }, body)
        return accepted()
      },
    }),
    route({
      ...common,
      ...(first === undefined ? {} : { first: first.metrics }),
      method: 'POST',
      url: `${base}/metrics`,
      isHot: true,
      priority: 'low',
      summary: 'How often flags were asked for.',
      body: ServerMetrics,
      ...(metricsLimitBytes === undefined ? {} : { bodyLimitBytes: metricsLimitBytes }),
      handle: ({ access, body, caller }, world) => {
        count({ access, caller, world }, body)
        return accepted()
      },
    }),
  ]
}
