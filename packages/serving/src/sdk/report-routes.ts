import { type Caller, type Reply, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import { ClientRegistration, ServerMetrics } from '@burgee/protocol/evaluation'

/** The caller of a report, the access it was granted, and the app's state. */
export interface ReportRequest<Access, World> {
  readonly access: Access
  readonly caller: Caller
  readonly world: World
}

/** Settings in which the report endpoints of server-side SDKs differ from those of frontends. */
export interface ReportRouteDeps<Access, World> extends Pick<RouteShape, 'tag' | 'problems' | 'replies'> {
  /** Path to which `/register` and `/metrics` are appended. */
  readonly base: string
  /** Permission that the endpoints require. */
  readonly permission: string
  /** Hooks that run before each request, for example to limit the request rate. */
  readonly first?: {
    readonly register: NonNullable<Route<Access, World>['first']>
    readonly metrics: NonNullable<Route<Access, World>['first']>
  }
  /** Maximum size of a metrics report, if it differs from the app's limit. */
  readonly metricsLimitBytes?: number
  /** Handles the registration of an SDK. */
  readonly register: (who: ReportRequest<Access, World>, body: ClientRegistration) => void
  /** Handles a metrics report of an SDK. */
  readonly count: (who: ReportRequest<Access, World>, body: ServerMetrics) => void
  /** Creates the response to an accepted report. */
  readonly accepted: () => Reply
}

/**
 * Creates the endpoints to which SDKs send registrations and metrics. Reports are accepted immediately, and stored or
 * forwarded later. Source: wire protocol
 */
export function reportRoutes<Access, World = unknown>(deps: ReportRouteDeps<Access, World>): Route<Access, World>[] {
  const { base, accepted, register, count, first, metricsLimitBytes, ...common } = deps
  const route = routesFor<Access, World>()
  return [
    route({
      ...common,
      ...(first === undefined ? {} : { first: first.register }),
      method: 'POST',
      url: `${base}/register`,
      priority: 'low',
      summary: 'Registers an SDK.',
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
      summary: 'Accepts usage reports of an SDK.',
      body: ServerMetrics,
      ...(metricsLimitBytes === undefined ? {} : { bodyLimitBytes: metricsLimitBytes }),
      handle: ({ access, body, caller }, world) => {
        count({ access, caller, world }, body)
        return accepted()
      },
    }),
  ]
}
