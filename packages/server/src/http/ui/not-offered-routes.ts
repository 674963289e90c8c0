import { invalid } from '@burgee/kit/input/refusals'
import { Banners, LicenseCheck } from '@burgee/protocol/ui-config'
import Type from 'typebox'
import { LIST, WRITE } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'

const BANNERS = '/api/admin/banners'

/** What the established server's user interface asks for on each page, and is not here. Source: wire protocol */
export const notOfferedRoutes: Routes = [
  route({
    method: 'GET',
    url: BANNERS,
    permission: null,
    tag: 'System',
    summary: 'Banners are not offered: there is never one.',
    replies: { 200: { description: 'None', schema: Banners } },
    problems: LIST,
    handle: () => ({ banners: [] }),
  }),
  route({
    method: 'POST',
    url: BANNERS,
    permission: 'ADMIN',
    tag: 'System',
    summary: 'Banners are not offered: none is taken.',
    body: Type.Object({}, { additionalProperties: true }),
    replies: { 200: { description: 'Never', schema: Banners } },
    problems: WRITE,
    handle: () => {
      throw invalid('Banners are not offered.', 'body')
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/license/check',
    permission: null,
    tag: 'System',
    summary: 'Whether the license is good: none is needed.',
    replies: { 200: { description: 'Always good', schema: LicenseCheck } },
    problems: LIST,
    handle: () => ({ isValid: true as const }),
  }),
]
