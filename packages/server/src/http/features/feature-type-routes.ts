import { type Route, routesFor } from '@burgee/kit/http/route'
import { FeatureType, FeatureTypes, Lifetime } from '@burgee/protocol/feature-type'
import Type from 'typebox'
import { execute } from '../../services/execute.ts'
import { featureTypes, setLifetime } from '../../services/features/feature-types.ts'
import type { World } from '../../services/world.ts'
import type { Access } from '../access/auth.ts'
import { WRITE } from '../route-parts.ts'

const route = routesFor<Access>()
const TYPES = '/api/admin/feature-types'

/** Types of flags, and how long flags of them are meant to live. Source: wire protocol */
export const featureTypeRoutes = (world: World): Route<Access>[] => [
  route({
    method: 'GET',
    url: TYPES,
    permission: null,
    tag: 'Feature types',
    summary: 'All types of flags.',
    replies: { 200: { description: 'Types', schema: FeatureTypes } },
    problems: ['AuthenticationRequired'],
    handle: async () => ({ version: 1, types: await featureTypes(world.db.reader) }),
  }),
  route({
    method: 'PUT',
    url: `${TYPES}/:id/lifetime`,
    permission: 'ADMIN',
    tag: 'Feature types',
    summary: 'Sets how long flags of a type are meant to live; 0 and null are for ever.',
    params: Type.Object({ id: Type.String() }),
    body: Lifetime,
    replies: { 200: { description: 'The type', schema: FeatureType } },
    problems: WRITE,
    handle: ({ params: { id }, body, access }) =>
      execute(world, access.actor, setLifetime, { id, days: body.lifetimeDays }),
  }),
]
