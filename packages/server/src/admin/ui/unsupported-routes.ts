import { invalid, notFound } from '@burgee/kit/input/refusals'
import { Banners, License, LicenseCheck, RequestRates, Traffic } from '@burgee/protocol/ui-config'
import Type from 'typebox'
import { LIST, READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'

const BANNERS = '/api/admin/banners'
const LICENSE = '/api/admin/license'
const METRICS = '/api/admin/metrics'
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const read = { method: 'GET', permission: null, tag: 'System', problems: LIST } as const

/** Routes for features that this server lacks, which Unleash's UI requests on every page. Source: wire protocol */
export const unsupportedRoutes: Routes = [
  route({
    method: 'GET',
    url: BANNERS,
    permission: null,
    tag: 'System',
    summary: 'Banners are not supported: returns an empty list.',
    replies: { 200: { description: 'None', schema: Banners } },
    problems: LIST,
    handle: () => ({ banners: [] }),
  }),
  route({
    method: 'POST',
    url: BANNERS,
    permission: 'ADMIN',
    tag: 'System',
    summary: 'Banners are not supported: rejects the request.',
    body: Type.Object({}, { additionalProperties: true }),
    replies: { 200: { description: 'Never returned', schema: Banners } },
    problems: WRITE,
    handle: () => {
      throw invalid('Banners are not supported.', 'body')
    },
  }),
  route({
    method: 'GET',
    url: `${LICENSE}/check`,
    permission: null,
    tag: 'System',
    summary: 'Returns that the license is valid; no license is needed.',
    replies: { 200: { description: 'Always valid', schema: LicenseCheck } },
    problems: LIST,
    handle: () => ({ isValid: true as const }),
  }),
  route({
    ...read,
    url: LICENSE,
    summary: 'Returns an empty license; no license is needed.',
    replies: { 200: { description: 'None', schema: License } },
    handle: () => ({}),
  }),
  route({
    ...read,
    method: 'POST',
    permission: 'ADMIN',
    url: LICENSE,
    summary: 'Rejects a license; no license is needed.',
    body: Type.Object({}, { additionalProperties: true }),
    replies: { 200: { description: 'Never returned', schema: License } },
    problems: WRITE,
    handle: () => {
      throw invalid('No license is needed.', 'body')
    },
  }),
  route({
    ...read,
    url: `${METRICS}/rps`,
    summary: 'Requests per second are not measured here: use the Prometheus metrics.',
    replies: { 200: { description: 'None', schema: RequestRates } },
    handle: () => ({ status: 'success' as const, data: { resultType: 'matrix' as const, result: [] } }),
  }),
  route({
    ...read,
    url: `${METRICS}/traffic/:period`,
    summary: 'Traffic is not measured here: use the Prometheus metrics.',
    params: Type.Object({ period: Type.String() }),
    replies: { 200: { description: 'None', schema: Traffic } },
    problems: READ,
    handle: ({ params: { period } }) => {
      if (!MONTH.test(period)) throw notFound('There is no such month.')
      return { version: 1 as const, period, apiData: [] }
    },
  }),
]
