import type { Content } from '@burgee/kit/http/content'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { invalid } from '@burgee/kit/input/refusals'
import {
  PlaygroundRequest,
  PlaygroundResponse,
  SimplePlaygroundRequest,
  SimplePlaygroundResponse,
} from '@burgee/protocol/playground'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { LONG_BODY } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { jsonReply, parseId } from '../../core/http/route-parts.ts'
import { requireVisibleRequest } from '../change-requests/request-ref.ts'
import { isNow, parsePointInTime } from '../history/point-in-time.ts'
import { CallerGone, type PlaygroundCaller } from './playground.ts'

const common = {
  method: 'POST',
  permission: null,
  tag: 'Playground',
  problems: LONG_BODY,
} as const

/**
 * Routes that evaluate flags for given contexts and explain the results. Links in replies begin with the base path.
 * Source: spec "Admin API endpoints".
 */
export const playgroundRoutes: Routes = [
  route({
    ...common,
    url: '/api/admin/playground/advanced',
    summary: 'Evaluates all flags of some projects in some environments, for one or several contexts.',
    description:
      'A context string with commas stands for several values; every combination is evaluated. With `event` or `at`, ' +
      'flags have their state at that time, rebuilt from the events; the response lists flags whose state is unknown. `features` restricts the response to these flags.',
    body: PlaygroundRequest,
    replies: { 200: { description: 'All flags, with the result of each part', schema: PlaygroundResponse } },
    handle: ({ body, caller, access }, world) => {
      const when = parsePointInTime(body, ['event', 'at'], 'body')
      const asker = toRequester(world, caller, access)
      if (isNow(when)) return replyWhileConnected(world.playground.advanced(body, asker))
      return replyWhileConnected(world.pastPlayground.advanced({ when, body }, asker))
    },
  }),
  route({
    ...common,
    url: '/api/admin/playground',
    summary: 'Evaluates all flags of some projects in one environment, for one context.',
    body: SimplePlaygroundRequest,
    replies: { 200: { description: 'All flags, with the result of each part', schema: SimplePlaygroundResponse } },
    handle: ({ body, caller, access }, world) =>
      replyWhileConnected(world.playground.simple(body, toRequester(world, caller, access))),
  }),
  route({
    ...common,
    url: '/api/admin/playground/change-request/:id',
    summary: 'Evaluates like `advanced`, as if a change request were applied now; nothing is stored.',
    params: Type.Object({ id: Type.String() }),
    body: PlaygroundRequest,
    replies: { 200: { description: 'All flags, with the result of each part', schema: PlaygroundResponse } },
    problems: [...LONG_BODY, 'NotFoundError', 'ConflictError'],
    handle: async ({ params, body, caller, access }, world) => {
      const { actor } = access
      if (!isNow(parsePointInTime(body, ['event', 'at'], 'body'))) {
        throw invalid('A change request is applied to the current state of the flags: omit "event" and "at".', 'body')
      }
      const id = parseId(params.id, 'change request')
      const row = await requireVisibleRequest(world.db.reader, id, actor)
      return replyWhileConnected(
        world.proposedPlayground.advanced({ row, actor, body }, toRequester(world, caller, access)),
      )
    },
  }),
]

function toRequester({ options }: HttpWorld, { exit }: Caller, { actor }: Access): PlaygroundCaller {
  return { basePath: options.baseUriPath, hidden: actor.hidden, isGone: () => exit?.isGone === true }
}

/** Replies with the content. If the caller disconnects before the content is ready, replies with 503. */
async function replyWhileConnected(content: Promise<Content>): Promise<Reply> {
  try {
    return await jsonReply(200, content)
  } catch (error) {
    if (error instanceof CallerGone) return new Reply(503)
    throw error
  }
}
