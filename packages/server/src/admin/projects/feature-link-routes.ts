import { Reply } from '@burgee/kit/http/route'
import { LinkInput } from '@burgee/protocol/administration/feature-link'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { FEATURES, FeatureParams, toFeatureRef } from '../flags/feature-routes.ts'
import { addLink, removeLink, updateLink } from './feature-links.ts'

const LINK = `${FEATURES}/:featureName/link`
const common = { permission: 'UPDATE_FEATURE', tag: 'Features' } as const
const one = {
  ...common,
  url: `${LINK}/:linkId`,
  params: Type.Object({ ...FeatureParams.properties, linkId: Type.String() }),
}
const done = { 204: { description: 'Done' } } as const

/** Routes for web links that are attached to flags. Source: wire protocol */
export const featureLinkRoutes: Routes = [
  route({
    ...common,
    method: 'POST',
    url: LINK,
    summary: 'Adds a link to a flag.',
    params: FeatureParams,
    body: LinkInput,
    replies: done,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, addLink, { ...toFeatureRef(params), body })
      return new Reply(204)
    },
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Updates a link of a flag; an omitted title keeps its value.',
    body: LinkInput,
    replies: done,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, updateLink, { ...toFeatureRef(params), id: params.linkId, body })
      return new Reply(204)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a link of a flag.',
    replies: done,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeLink, { ...toFeatureRef(params), id: params.linkId })
      return new Reply(204)
    },
  }),
]
