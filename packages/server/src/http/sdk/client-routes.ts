import { matchesEtag } from '@burgee/kit/http/etag'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { ClientFeatures, Feature } from '@burgee/protocol/feature'
import Type from 'typebox'
import { notFound } from '../../services/refusals.ts'
import type { Download } from '../../services/sdk/downloads.ts'
import { CLIENT } from '../access/auth.ts'
import { GUARDED_SEARCH, LONG_BODY } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'
import { bulkMetrics, ClientMetricsBulk } from './client-metrics.ts'
import { knowsSegments } from './client-spec.ts'
import { FeaturesQuery, wantedFlags } from './flag-query.ts'
import { reporterOf, reportRoutes } from './report-routes.ts'

const BASE = '/api/client'
/** One object for all: what follows from headers is remembered by the object that holds them. */
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const REPORT = {
  tag: 'Client',
  replies: { 202: { description: 'Noted' } },
  problems: LONG_BODY,
}
/** A proxy in front of many applications reports more than people ever type. */
const REPORT_LIMIT_BYTES = 4 * 1024 * 1024

/** What server-side SDKs and proxies call: download, registration, metrics. Source: wire protocol */
export const clientRoutes: Routes = [
  route({
    method: 'GET',
    url: `${BASE}/features`,
    isHot: true,
    permission: CLIENT,
    tag: 'Client',
    summary: 'All flags of the token, as SDKs evaluate them.',
    query: FeaturesQuery,
    replies: { 200: { description: 'Flags and segments', schema: ClientFeatures } },
    problems: GUARDED_SEARCH,
    handle: ({ access, query, caller }, world) => {
      const wanted = wantedFlags(access.token, query)
      const download = world.downloads.get(wanted, !knowsSegments(specOf(caller)))
      const reply = ({ content, etag }: Download): Reply => {
        const result = matchesEtag(caller.headers['if-none-match'], etag) ? 'not-modified' : 'sent'
        world.telemetry.downloads.add(1, { environment: wanted.environment, result })
        return new Reply(200, content, JSON_TYPE)
      }
      return download instanceof Promise ? download.then(reply) : reply(download)
    },
  }),
  route({
    method: 'GET',
    url: `${BASE}/features/:featureName`,
    permission: CLIENT,
    tag: 'Client',
    summary: 'One flag of the token.',
    params: Type.Object({ featureName: Type.String() }),
    query: FeaturesQuery,
    replies: { 200: { description: 'The flag', schema: Feature } },
    problems: [...GUARDED_SEARCH, 'NotFoundError'],
    handle: async ({ access, params, query, caller }, world) => {
      const download = await world.downloads.get(wantedFlags(access.token, query), !knowsSegments(specOf(caller)))
      const found = download.find(params.featureName)
      if (found === undefined) throw notFound(`There is no flag "${params.featureName}".`)
      return found
    },
  }),
  ...reportRoutes({
    ...REPORT,
    base: BASE,
    limits: { register: 'clientRegister', metrics: 'clientMetrics' },
    permission: CLIENT,
    metricsLimitBytes: REPORT_LIMIT_BYTES,
    accepted: () => new Reply(202),
  }),
  route({
    ...REPORT,
    problems: [...REPORT.problems, 'RateLimitError'],
    method: 'POST',
    url: `${BASE}/metrics/bulk`,
    permission: CLIENT,
    summary: 'Registrations and counts of many applications, from a proxy.',
    first: (caller, { limits }) => limits.clientMetrics(caller),
    body: ClientMetricsBulk,
    bodyLimitBytes: REPORT_LIMIT_BYTES,
    handle: ({ access, body, caller }, world) => {
      bulkMetrics(world.usage, body, { reporter: reporterOf(access.token), address: world.callers.addressOf(caller) })
      return new Reply(202)
    },
  }),
]

function specOf(caller: Caller): string | undefined {
  const header = caller.headers['unleash-client-spec']
  return Array.isArray(header) ? header[0] : header
}
