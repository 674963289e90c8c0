import { Reply } from '@burgee/kit/http/route'
import { FlagPeople, PresenceChoice, PresenceInput } from '@burgee/protocol/user'
import { GUARDED_LIST, GUARDED_SEARCH, READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { requirePerson } from '../../core/http/route-parts.ts'
import { FEATURES, FeatureParams, toFeatureRef } from '../flags/feature-routes.ts'
import {
  endPresence,
  isPresenceVisible,
  readFlagPeople,
  recordPresence,
  setPresenceVisibility,
} from './flag-presence.ts'

const PRESENCE = '/api/admin/user/presence'
const mine = { permission: null, tag: 'Me' } as const
const NOTED = { 204: { description: 'Accepted' } }

/**
 * Routes that show who is viewing a flag, list its followers, and let users hide their presence. The routes are not
 * part of the wire protocol.
 */
export const presenceRoutes: Routes = [
  route({
    ...mine,
    method: 'GET',
    url: PRESENCE,
    summary: 'Returns whether others can see which flag the current user is viewing.',
    replies: { 200: { description: 'Current setting', schema: PresenceChoice } },
    problems: [...GUARDED_LIST, 'InvalidOperationError'],
    handle: async ({ access }, world) => ({ shown: await isPresenceVisible(world, requirePerson(access).id) }),
  }),
  route({
    ...mine,
    method: 'PUT',
    url: PRESENCE,
    summary: 'Records for one minute that the current user is viewing a flag.',
    description:
      'Pages repeat this call every 30 seconds. The flag replaces the previous one. Nothing is recorded for users who do not want to be visible.',
    body: PresenceInput,
    replies: NOTED,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ body, access }, world) => {
      requirePerson(access)
      await recordPresence(world, access.actor, body)
      return new Reply(204)
    },
  }),
  route({
    ...mine,
    method: 'DELETE',
    url: PRESENCE,
    summary: 'Records that the current user no longer views a flag; no-op if the user is viewing another flag.',
    query: PresenceInput,
    replies: NOTED,
    problems: [...GUARDED_SEARCH, 'InvalidOperationError'],
    handle: async ({ query: { feature }, access }, world) => {
      await endPresence(world, requirePerson(access).id, feature)
      return new Reply(204)
    },
  }),
  route({
    ...mine,
    method: 'PUT',
    url: `${PRESENCE}/shown`,
    summary: 'Sets whether others can see which flag the current user is viewing; default true.',
    body: PresenceChoice,
    replies: { 200: { description: 'Current setting', schema: PresenceChoice } },
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ body: { shown }, access }, world) => {
      await setPresenceVisibility(world, requirePerson(access).id, shown)
      return { shown }
    },
  }),
  route({
    method: 'GET',
    url: `${FEATURES}/:featureName/people`,
    permission: null,
    tag: 'Features',
    summary: 'Lists other users who are viewing a flag, and users who watch it.',
    description:
      'Lists at most 100 people of each kind, and only people who may see the flag. A viewer is dropped after a minute without a report. Followers are the creator of the flag and the users who have it as a favorite.',
    params: FeatureParams,
    replies: { 200: { description: 'Users, service accounts and groups', schema: FlagPeople } },
    problems: READ,
    handle: ({ params, access: { actor } }, world) => readFlagPeople(world, actor, toFeatureRef(params)),
  }),
]
