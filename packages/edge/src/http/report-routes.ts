import type { Network } from '@burgee/kit/http/network'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { ClientMetricsBulk, strategyNames } from '@burgee/protocol/evaluation'
import { type ReportDoor as CommonDoor, reportRoutes as commonRoutes } from '@burgee/serving/sdk/report-routes'
import { sdkVersionOf } from '@burgee/serving/sdk/sdk-version'
import { nameOwner } from '@burgee/serving/usage/name-room'
import Type from 'typebox'
import type { EdgeUsage, ReportSource } from '../usage/edge-usage.ts'
import { VERSION } from '../version.ts'
import { type Access, BACKEND, tokenOf } from './access.ts'
import { LONG_BODY } from './problem-lists.ts'

/** What the doors for reports do not have in common. */
export interface ReportDoor extends Omit<CommonDoor<Access, unknown>, 'problems' | 'first' | 'register' | 'count'> {
  readonly usage: EdgeUsage
  readonly networkOf: (caller: Caller) => Network
}

const route = routesFor<Access>()
/** Servers and nodes before this one report more than people ever type; whoever looks at a web page has a front end's token. */
const REPORT_LIMIT_BYTES = 4 * 1024 * 1024
const NOTED = { 202: { description: 'Noted' } }
/** One object for all: what follows from headers is remembered by the object that holds them. */
const WITH_VERSION = { 'x-edge-version': VERSION }

/** Registrations and counts of SDKs, taken at once and delivered later. Source: wire protocol */
export function reportRoutes({ usage, networkOf, ...door }: ReportDoor): Route<Access>[] {
  return commonRoutes<Access>({
    ...door,
    problems: LONG_BODY,
    register: ({ access, caller }, { appName, instanceId, sdkVersion, strategies }) =>
      usage.register(sourceOf(access, networkOf(caller)), {
        appName,
        instanceId,
        sdkVersion,
        strategies: strategyNames(strategies),
      }),
    count: ({ access, caller }, { appName, instanceId, bucket }) => {
      if (bucket === undefined) return
      const source = sourceOf(access, networkOf(caller))
      // SDKs of pages and phones never register
      if (tokenOf(access).kind === 'frontend') {
        usage.register(source, { appName, instanceId, sdkVersion: sdkVersionOf(caller), strategies: [] })
      }
      const { start, toggles } = bucket
      const counts = Object.entries(toggles).map(([name, { yes = 0, no = 0, variants = {} }]) => {
        return { name, at: start, yes, no, variants }
      })
      usage.count(source, appName, counts)
    },
  })
}

/** Reports of server SDKs, and of nodes that stand before this one. Source: wire protocol "Endpoints Edge serves" */
export function backendReportRoutes({ usage, networkOf }: Pick<ReportDoor, 'usage' | 'networkOf'>): Route<Access>[] {
  const common = { tag: 'Client', permission: BACKEND, replies: NOTED }
  return [
    ...reportRoutes({
      ...{ base: '/api/client', ...common, usage, networkOf, metricsLimitBytes: REPORT_LIMIT_BYTES },
      accepted: () => new Reply(202, undefined, WITH_VERSION),
    }),
    route({
      ...common,
      method: 'POST',
      url: '/api/client/metrics/bulk',
      priority: 'low',
      summary: 'Registrations and counts of many applications, from a node before this one.',
      problems: LONG_BODY,
      body: ClientMetricsBulk,
      bodyLimitBytes: REPORT_LIMIT_BYTES,
      handle: ({ access, body, caller }) => {
        bulkReport(usage, sourceOf(access, networkOf(caller)), body)
        return new Reply(202)
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: '/api/client/metrics/edge',
      priority: 'low',
      summary: 'What a node before this one says of itself; nothing is done with it.',
      problems: LONG_BODY,
      body: Type.Unknown(),
      bodyLimitBytes: REPORT_LIMIT_BYTES,
      handle: () => new Reply(202),
    }),
  ]
}

function sourceOf(access: Access, network: Network): ReportSource {
  const token = tokenOf(access)
  return { lane: token, owner: nameOwner(network, token.id) }
}

function bulkReport(usage: EdgeUsage, from: ReportSource, body: ClientMetricsBulk): void {
  for (const { appName, instanceId, sdkVersion, strategies } of body.applications) {
    usage.register(from, { appName, instanceId, sdkVersion, strategies: strategyNames(strategies) })
  }
  const byApp = Map.groupBy(body.metrics, ({ appName }) => appName)
  for (const [appName, metrics] of byApp) {
    const counts = metrics.map(({ featureName, timestamp, yes = 0, no = 0, variants = {} }) => {
      return { name: featureName, at: timestamp, yes, no, variants }
    })
    usage.count(from, appName, counts)
  }
}
