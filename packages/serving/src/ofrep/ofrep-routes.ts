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
import { applyMaybeAsync, type EvaluationTarget, getVaryHeader } from '../evaluation/evaluation-routes.ts'
import type { OfrepAnswers, OfrepEnvelope } from '../replies/ofrep-answers.ts'
import { toUnleashContext } from './ofrep-context.ts'
import { createUnknownFlagReply } from './ofrep-failure.ts'

/** Prepared responses and usage counters for requests from one caller. */
export interface OfrepTarget extends Omit<EvaluationTarget, 'answers'> {
  /**
   * Returns the prepared responses for the current configuration. Called for each response, after the context of the
   * request is complete.
   */
  readonly ofrep: () => OfrepAnswers
  /**
   * If a provider knows flags from another node that are not in use here yet, waits for them. Returns undefined if
   * there is nothing to wait for.
   */
  readonly waitForTag?: ((tag: string) => Promise<void> | undefined) | undefined
}

/** Dependencies of the OFREP endpoints. */
export interface OfrepDeps<Access> {
  /** Called after the checks for readiness and permissions. */
  readonly target: (access: Access) => OfrepTarget | Promise<OfrepTarget>
  /** Returns the JSON that surrounds the flags in a list response. */
  readonly envelope: (access: Access) => OfrepEnvelope
  readonly permission: string
  /** Names of the documented errors that every endpoint can return. */
  readonly problems: readonly string[]
  readonly cacheControl: string
  /** Names of the request headers that decide which caller may receive a response; they are listed in `Vary`. */
  readonly keyHeader?: string
  /** Maximum size of request bodies, if it differs from the app's limit. */
  readonly bodyLimitBytes?: number
}

/** Path of the bulk evaluation; the paths of single evaluations are below it. */
export const OFREP_FLAGS_PATH = '/ofrep/v1/evaluate/flags'

type Headers = Readonly<Record<string, string>>

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Creates the endpoints of the OpenFeature Remote Evaluation Protocol. Providers in browsers and apps request all flags
 * at once; providers in servers request one flag at a time. The endpoint for all flags uses POST, and responds with 304
 * to a matching `If-None-Match`. Source: OFREP 0.3.0.
 */
export function ofrepRoutes<Access>(deps: OfrepDeps<Access>): Route<Access>[] {
  const { target, permission, problems, bodyLimitBytes } = deps
  const route = routesFor<Access>()
  const headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl, ...getVaryHeader(deps.keyHeader) }
  const common = {
    method: 'POST' as const,
    tag: 'OpenFeature',
    permission,
    body: OfrepRequest,
    bodyOptional: true,
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
  }
  const contextOf = (of: OfrepTarget, body: OfrepRequest | undefined, caller: Caller) =>
    of.contexts.fromBody(toUnleashContext(body?.context), caller, true)
  const single = (url: string) =>
    route({
      ...common,
      url,
      takesRawPath: true,
      summary: 'Evaluates a flag for the context in the body.',
      params: Type.Record(Type.String(), Type.String()),
      replies: SINGLE_REPLIES,
      problems,
      handle: ({ body, params, caller, access }) =>
        applyMaybeAsync(target(access), (of) =>
          applyMaybeAsync(contextOf(of, body, caller), (context) =>
            createSingleReply(of, params.key ?? params['*'] ?? '', context, headers),
          ),
        ),
    })
  return [
    route({
      ...common,
      url: OFREP_FLAGS_PATH,
      isHot: true,
      summary: 'Evaluates all flags, on and off, for the context in the body.',
      query: OfrepBulkQuery,
      replies: {
        200: { description: 'The flags, by name, and the URL of the event stream.', schema: OfrepBulk },
        400: { description: 'The body is not valid.', schema: OfrepBulkFailure },
        304: { description: 'The response has not changed since the one in If-None-Match.' },
      },
      problems,
      handle: ({ query, body, caller, access }) => {
        const reply = (of: OfrepTarget) =>
          applyMaybeAsync(contextOf(of, body, caller), (context) =>
            createBulkReply(of, context, { headers, frame: deps.envelope(access) }),
          )
        return applyMaybeAsync(target(access), (of) => {
          const reached = query.flagConfigEtag === undefined ? undefined : of.waitForTag?.(query.flagConfigEtag)
          // the configuration, and the target with it, may have changed in the meantime
          return reached === undefined ? reply(of) : reached.then(() => applyMaybeAsync(target(access), reply))
        })
      },
    }),
    single(`${OFREP_FLAGS_PATH}/:key`),
    // also matches keys that contain slashes, which some providers send unescaped
    single(`${OFREP_FLAGS_PATH}/*`),
  ]
}

const SINGLE_REPLIES: RouteShape['replies'] = {
  200: { description: 'The flag. Without a value, the default of the application applies.', schema: OfrepEvaluation },
  400: { description: 'The body or the value of the flag is not valid.', schema: OfrepFailure },
  404: { description: 'There is no such flag.', schema: OfrepNotFound },
}

function createBulkReply(
  of: OfrepTarget,
  context: Context,
  { headers, frame }: { readonly headers: Headers; readonly frame: OfrepEnvelope },
): Reply {
  const answers = of.ofrep()
  const { content, isCached } = answers.bulk(context, frame)
  of.evaluations.add(answers.engine.names.length)
  of.onContext?.(context)
  if (isCached) of.cacheHits?.add()
  return new SafeReply(200, content, headers)
}

/** Returns the response for a single flag, and counts it as usage, because providers cannot report usage themselves. */
function createSingleReply(of: OfrepTarget, key: string, context: Context, headers: Headers): Reply {
  const found = of.ofrep().single(key, context)
  if (found === undefined) return createUnknownFlagReply(key)
  of.evaluations.add(1)
  of.onContext?.(context, [key])
  of.onDecision?.({ ...found.answer, flag: key }, { version: of.version, context })
  of.bucket.count(key, found.isOn, true)
  return new Reply('errorCode' in found.answer ? 400 : 200, JSON.stringify(found.answer), headers)
}
