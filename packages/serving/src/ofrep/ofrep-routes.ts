import { type Caller, Reply, type Route, type RouteShape, routesFor, SafeReply } from '@burgee/kit/http/route'
import type { Context } from '@burgee/protocol/context'
import {
  OfrepBulk,
  OfrepBulkFailure,
  OfrepBulkQuery,
  OfrepEvaluation,
  OfrepFailure,
  OfrepNotFound,
  OfrepRequest,
} from '@burgee/protocol/openfeature/ofrep'
import Type from 'typebox'
import { after, type EvaluationTarget, varying } from '../evaluation/evaluation-routes.ts'
import type { OfrepAnswers, OfrepFrame } from '../replies/ofrep-answers.ts'
import { contextOfOfrep } from './ofrep-context.ts'
import { unknownFlag } from './ofrep-failure.ts'

/** What one caller's requests are answered from. */
export interface OfrepTarget extends Omit<EvaluationTarget, 'answers'> {
  /** Answers over the configuration in use; asked for each reply, once its context is complete. */
  readonly ofrep: () => OfrepAnswers
  /** Waits for flags that a provider has heard of and that are not in use yet; undefined where there is nothing to wait for. */
  readonly reached?: ((tag: string) => Promise<void> | undefined) | undefined
}

/** What OFREP's endpoints stand on. */
export interface OfrepDeps<Access> {
  /** Asked after readiness and rights were checked. */
  readonly target: (access: Access) => OfrepTarget | Promise<OfrepTarget>
  /** What stands around the flags of a list. */
  readonly frame: (access: Access) => OfrepFrame
  readonly permission: string
  /** Names of the problems that every endpoint can answer with. */
  readonly problems: readonly string[]
  readonly cacheControl: string
  /** Headers that decide who gets a reply. */
  readonly keyHeader?: string
  /** Longest body of a request, where it differs from the app's. */
  readonly bodyLimitBytes?: number
}

/** Where all flags are evaluated; single ones below it. */
export const OFREP_FLAGS = '/ofrep/v1/evaluate/flags'

type Headers = Readonly<Record<string, string>>

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * OpenFeature's remote evaluation: all flags at once, as providers in browsers and apps ask, and one at a time, as
 * those of servers do. A list is asked for by POST, and whoever has it already gets 304. Source: OFREP 0.3.0.
 */
export function ofrepRoutes<Access>(deps: OfrepDeps<Access>): Route<Access>[] {
  const { target, permission, problems, bodyLimitBytes } = deps
  const route = routesFor<Access>()
  const headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl, ...varying(deps.keyHeader) }
  const common = {
    ...{ method: 'POST' as const, tag: 'OpenFeature', permission, body: OfrepRequest, bodyOptional: true },
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
  }
  const contextOf = (of: OfrepTarget, body: OfrepRequest | undefined, caller: Caller) =>
    of.contexts.fromBody(contextOfOfrep(body?.context), caller, true)
  const single = (url: string) =>
    route({
      ...common,
      url,
      takesRawPath: true,
      summary: 'One flag for the context in the body.',
      params: Type.Record(Type.String(), Type.String()),
      replies: SINGLE,
      problems,
      handle: ({ body, params, caller, access }) =>
        after(target(access), (of) =>
          after(contextOf(of, body, caller), (context) =>
            singleReply(of, params.key ?? params['*'] ?? '', context, headers),
          ),
        ),
    })
  return [
    route({
      ...common,
      url: OFREP_FLAGS,
      isHot: true,
      summary: 'All flags, on and off, for the context in the body.',
      query: OfrepBulkQuery,
      replies: {
        200: { description: 'The flags, by name, and where to hear of changes.', schema: OfrepBulk },
        400: { description: 'The body is not valid.', schema: OfrepBulkFailure },
        304: { description: 'The answer is the one that If-None-Match names.' },
      },
      problems,
      handle: ({ query, body, caller, access }) => {
        const reply = (of: OfrepTarget) =>
          after(contextOf(of, body, caller), (context) =>
            bulkReply(of, context, { headers, frame: deps.frame(access) }),
          )
        return after(target(access), (of) => {
          const reached = query.flagConfigEtag === undefined ? undefined : of.reached?.(query.flagConfigEtag)
          // by then there may be another state, and another target with it
          return reached === undefined ? reply(of) : reached.then(() => after(target(access), reply))
        })
      },
    }),
    single(`${OFREP_FLAGS}/:key`),
    // keys with slashes, which some providers send as they are
    single(`${OFREP_FLAGS}/*`),
  ]
}

const SINGLE: RouteShape['replies'] = {
  200: { description: 'The flag. Without a value the default of the application counts.', schema: OfrepEvaluation },
  400: { description: 'The body is not valid, or the value of the flag is not.', schema: OfrepFailure },
  404: { description: 'There is no such flag.', schema: OfrepNotFound },
}

function bulkReply(
  of: OfrepTarget,
  context: Context,
  { headers, frame }: { readonly headers: Headers; readonly frame: OfrepFrame },
): Reply {
  const answers = of.ofrep()
  const { content, isRepeated } = answers.bulk(context, frame)
  of.evaluations.add(answers.engine.names.length)
  of.seen?.(context)
  if (isRepeated) of.repeats?.add()
  return new SafeReply(200, content, headers)
}

/** A single evaluation counts as a use: providers have no other way to tell of it. */
function singleReply(of: OfrepTarget, key: string, context: Context, headers: Headers): Reply {
  const found = of.ofrep().single(key, context)
  if (found === undefined) return unknownFlag(key)
  of.evaluations.add(1)
  of.seen?.(context, [key])
  of.bucket.count(key, found.isOn, true)
  return new Reply('errorCode' in found.answer ? 400 : 200, JSON.stringify(found.answer), headers)
}
