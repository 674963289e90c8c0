import { invalid, notFound } from '@burgee/kit/input/refusals'
import { createKeyedMutex } from '@burgee/kit/keyed-mutex'
import { FlagHistory, HistoryQuery } from '@burgee/protocol/administration/flag-history'
import { Restoration, RestorationInput } from '@burgee/protocol/administration/flag-restoration'
import { execute } from '../../core/execute.ts'
import { SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readFlagHistory } from '../history/flag-history.ts'
import { parsePointInTime } from '../history/point-in-time.ts'
import { previewRestoration, readRestorableState, restoreFlag } from '../history/restoration.ts'
import { FEATURES, FeatureParams, toFeatureRef } from './feature-routes.ts'

const RESTORATION = `${FEATURES}/:featureName/history/restoration`
const restoring = {
  method: 'POST',
  permission: 'UPDATE_FEATURE',
  tag: 'Features',
  params: FeatureParams,
  body: RestorationInput,
  replies: { 200: { description: 'Changes from the current to the past state', schema: Restoration } },
  problems: [...WRITE, 'ConflictError'],
} as const

/**
 * Creates the routes that show a flag as it was at a point in time, compare that state with the current one, and
 * restore it. The routes are not part of the wire protocol.
 */
export const historyRoutes = (inTurn = createKeyedMutex<string>()): Routes => [
  historyRoute(inTurn),
  route({
    ...restoring,
    url: `${RESTORATION}/preview`,
    summary: 'Previews the changes of restoring a flag to an earlier time, and their effect on users.',
    description: 'If an environment requires change requests, these changes can be proposed unmodified.',
    handle: async ({ params, body, access }, world) => {
      const requested = toRestorationRequest(params, body)
      return inTurn(access.actor.name, () =>
        world.db.scan(async (reader) => {
          const then = await readRestorableState(reader, requested.ref, requested.when, access.actor)
          return previewRestoration(reader, { ...requested, past: then })
        }),
      )
    },
  }),
  route({
    ...restoring,
    url: RESTORATION,
    summary: 'Restores the state of a flag at an earlier time through ordinary changes: all selected parts or none.',
    description:
      '`environments` selects environments, whose on/off state, strategies and variants are restored; `details` selects properties of the flag itself. Without both, everything is restored. ' +
      'Each change requires its own permission. Flags that were on without an enabled strategy are restored as off.',
    problems: [...restoring.problems, 'PreconditionFailedError'],
    handle: async ({ params, body, access }, world) => {
      const { when, ...asked } = toRestorationRequest(params, body)
      const { actor } = access
      // past states cannot change, so the read can take place before the transaction
      const past = await inTurn(actor.name, () =>
        world.db.scan((reader) => readRestorableState(reader, asked.ref, when, actor)),
      )
      return execute(world, actor, restoreFlag, { ...asked, past, actor, lastEventId: body.lastEventId })
    },
  }),
]

/**
 * Creates the history route. The requests of each user run one at a time, because reconstructing a past state may
 * require reading thousands of events.
 */
function historyRoute(inTurn: ReturnType<typeof createKeyedMutex<string>>): Routes[number] {
  return route({
    method: 'GET',
    url: `${FEATURES}/:featureName/history`,
    permission: null,
    tag: 'Features',
    summary: 'Returns a flag as of a time, and its differences to another time.',
    description:
      'The state is rebuilt exactly from the events; if they do not suffice, the response states since when it is known. `event` means ' +
      'right after that event, `at` a time. Without `toEvent` and `toAt`, the state is compared with the current state.',
    params: FeatureParams,
    query: HistoryQuery,
    replies: { 200: { description: 'Both moments', schema: FlagHistory } },
    problems: [...SEARCH, 'NotFoundError'],
    handle: async ({ params, query, access }, world) => {
      const when = parsePointInTime(query, ['event', 'at'])
      const compared = parsePointInTime({ event: query.toEvent, at: query.toAt }, ['toEvent', 'toAt'])
      const ref = toFeatureRef(params)
      const { actor } = access
      const found = await inTurn(actor.name, () =>
        world.db.scan((reader) => readFlagHistory(reader, { ref, when, compared }, actor)),
      )
      if (found !== undefined) return found
      throw notFound(`There was no flag "${ref.feature}" in project "${ref.project}".`)
    },
  })
}

function toRestorationRequest(
  params: Parameters<typeof toFeatureRef>[0],
  { event, at, environments, details }: RestorationInput,
) {
  const when = parsePointInTime({ event, at }, ['event', 'at'], 'body')
  if (event === undefined && at === undefined) {
    throw invalid('"event" or "at" is required', 'body/event')
  }
  return { ref: toFeatureRef(params), when, environments, details }
}
