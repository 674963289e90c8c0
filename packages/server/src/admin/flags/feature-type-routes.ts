import { FeatureType, FeatureTypes, Lifetime } from '@burgee/protocol/feature-type'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { LIST, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readFeatureTypes, setLifetime } from './feature-types.ts'

const TYPES = '/api/admin/feature-types'

/** Routes for flag types and their expected lifetimes. Source: wire protocol */
export const featureTypeRoutes: Routes = [
  route({
    method: 'GET',
    url: TYPES,
    permission: null,
    tag: 'Feature types',
    summary: 'Lists flag types.',
    replies: { 200: { description: 'Types', schema: FeatureTypes } },
    problems: LIST,
    handle: async (_input, world) => ({ version: 1, types: await readFeatureTypes(world.db.reader) }),
  }),
  route({
    method: 'PUT',
    url: `${TYPES}/:id/lifetime`,
    permission: 'ADMIN',
    tag: 'Feature types',
    summary: 'Sets the expected lifetime of flags of a type; 0 and null mean no limit.',
    params: Type.Object({ id: Type.String() }),
    body: Lifetime,
    replies: { 200: { description: 'The type', schema: FeatureType } },
    problems: WRITE,
    handle: ({ params: { id }, body, access }, world) =>
      execute(world, access.actor, setLifetime, { id, days: body.lifetimeDays }),
  }),
]
