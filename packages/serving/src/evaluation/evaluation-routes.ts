import { htmlHeaders } from '@burgee/kit/http/html'
import { type Caller, Reply, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import type { Counter } from '@burgee/kit/series/series'
import type { Context } from '@burgee/protocol/context'
import { type ContextBody, ContextQuery, FlatLookup, LookupToggles, Toggles } from '@burgee/protocol/evaluation'
import type { TSchema } from 'typebox'
import type { Answers, ListKind } from '../replies/answers.ts'
import type { ContextReader } from './context-reader.ts'
import { type DecisionListener, notifyOfToggles } from './decision-listener.ts'

/** Prepared responses and usage counters for requests from one caller. */
export interface EvaluationTarget {
  /**
   * Returns the prepared responses for the current configuration. Called for each response, after the context of the
   * request is complete.
   */
  readonly answers: () => Answers
  readonly contexts: ContextReader
  /**
   * Counts toggles that a request asks for by name, including names that do not exist. Lists of all toggles are not
   * counted, because SDKs that request such lists report their own counts.
   */
  readonly bucket: { count(name: string, isOn: boolean, isFlag: boolean): void }
  /** Counts the flags evaluated for responses, including responses from the cache. */
  readonly evaluations: { add(flags: number): void }
  /** Counts responses that were served from the cache without an evaluation. */
  readonly cacheHits?: Counter
  /** Listener called with each context; undefined if nothing listens. */
  readonly onContext?: ContextListener | undefined
  /** Returns the tag of the flags, for decisions; undefined if it is unknown. */
  readonly version?: (() => string) | undefined
  /** Listener called with each decision about a flag requested by name; undefined if nothing listens. */
  readonly onDecision?: DecisionListener | undefined
}

/**
 * Listener called with a context and the names of the flags to evaluate; if the names are undefined, all flags are
 * evaluated. The listener must not retain the context, and must never throw.
 */
export type ContextListener = (context: Context, names?: readonly string[]) => void

/** Dependencies of the evaluation endpoints. `Access` is the type of the result of the app's authorization checks. */
export interface EvaluationDeps<Access> {
  readonly prefix: string
  /** Called after the checks for readiness and permissions. */
  readonly target: (access: Access, caller: Caller) => EvaluationTarget | Promise<EvaluationTarget>
  readonly tag: string
  readonly permission: string
  /**
   * Names of the documented errors: `ofQuery` for endpoints without a request body, `ofBody` for endpoints with one.
   */
  readonly problems: { readonly ofQuery: readonly string[]; readonly ofBody: readonly string[] }
  /**
   * True to serve lists of all toggles, regardless of their state. If undefined, these lists are served, and operators
   * cannot disable them.
   */
  readonly enableAllEndpoint?: boolean
  /** Format of the evaluation context in request bodies. By default, the context is in the property `context`. */
  readonly form?: ContextForm
  readonly cacheControl: string
  /**
   * Name of the request header that decides which caller may receive a response; it is listed in `Vary`. Undefined if
   * shared caches must not store the response.
   */
  readonly keyHeader?: string
  /** Schema for request bodies, if it differs from the schema of `form`. */
  readonly lookup?: typeof LookupToggles
  /** Maximum size of request bodies, if it differs from the app's limit. */
  readonly bodyLimitBytes?: number
}

/** Format in which a request body contains an evaluation context. */
export interface ContextForm {
  readonly body: TSchema
  readonly getContext: (body: LookupToggles) => ContextBody | undefined
}

const WRAPPED_FORM: ContextForm = { body: LookupToggles, getContext: ({ context }) => context }

/**
 * Form that also allows context fields at the top level, next to `toggles`. If the body has a property `context`, only
 * the fields in that property are used.
 */
export const FLAT_FORM: ContextForm = {
  body: FlatLookup,
  getContext: ({ toggles: _names, context, ...own }) => context ?? (own as ContextBody),
}

/** Endpoint for one kind of list (enabled toggles or all toggles), with its documentation. */
interface ListEndpoint {
  readonly kind: ListKind
  readonly url: string
  readonly isEnabled: boolean
  readonly ofQuery: string
  readonly ofBody: string
  readonly replies: RouteShape['replies']
}

const JSON_TYPE = 'application/json; charset=utf-8'
const TOGGLE_REPLIES = { 200: { description: 'The evaluated toggles.', schema: Toggles } }
const DISABLED_REPLIES = { 501: { description: 'The endpoint is not enabled.', contentType: 'text/html' } }

/**
 * Creates the evaluation endpoints below `prefix`. The endpoints return the toggles that are on for a context, toggles
 * requested by name, and, if enabled, all toggles. Source: spec "Proxy endpoints".
 */
export function evaluationRoutes<Access>(deps: EvaluationDeps<Access>): Route<Access>[] {
  const { prefix, enableAllEndpoint } = deps
  return [
    ...listRoutes(deps, {
      kind: 'on',
      url: prefix,
      isEnabled: true,
      ofQuery: 'Toggles that are on for the context in the query.',
      ofBody: 'Toggles that are on for the context in the body, or the listed toggles, on or off.',
      replies: TOGGLE_REPLIES,
    }),
    ...listRoutes(deps, {
      kind: 'all',
      url: `${prefix}/all`,
      isEnabled: enableAllEndpoint ?? true,
      ofQuery: 'All toggles, on or off, for the context in the query.',
      ofBody: 'All toggles, on or off, for the context in the body, or only the listed toggles.',
      replies: enableAllEndpoint === undefined ? TOGGLE_REPLIES : { ...TOGGLE_REPLIES, ...DISABLED_REPLIES },
    }),
  ]
}

/**
 * Creates the routes for one list of toggles, one with the context in the query and one with the context in the body.
 */
function listRoutes<Access>(deps: EvaluationDeps<Access>, endpoint: ListEndpoint): Route<Access>[] {
  const { target, tag, permission, problems, bodyLimitBytes, form = WRAPPED_FORM } = deps
  const { kind, url, isEnabled, replies } = endpoint
  const route = routesFor<Access>()
  const common = { url, tag, permission, replies, isHot: true }
  const headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl, ...getVaryHeader(deps.keyHeader) }
  const byQuery = (of: EvaluationTarget, query: ContextQuery, caller: Caller) =>
    applyMaybeAsync(of.contexts.fromQuery(query, caller), (context) => createListReply(of, kind, context, headers))
  const byBody = (of: EvaluationTarget, body: LookupToggles | undefined, caller: Caller) => {
    const names = body?.toggles ?? []
    const isList = names.length > 0
    const context = body === undefined ? undefined : form.getContext(body)
    return applyMaybeAsync(of.contexts.fromBody(context, caller, !isList), (complete) =>
      isList ? createNamedReply(of, names, complete, headers) : createListReply(of, kind, complete, headers),
    )
  }
  return [
    route({
      ...common,
      method: 'GET',
      summary: endpoint.ofQuery,
      query: ContextQuery,
      problems: problems.ofQuery,
      handle: ({ query, caller, access }) =>
        isEnabled
          ? applyMaybeAsync(target(access, caller), (of) => byQuery(of, query, caller))
          : createDisabledReply(deps.keyHeader),
    }),
    route({
      ...common,
      method: 'POST',
      summary: endpoint.ofBody,
      body: deps.lookup ?? (form.body as typeof LookupToggles),
      bodyOptional: true,
      ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
      problems: problems.ofBody,
      handle: ({ body, caller, access }) =>
        isEnabled
          ? applyMaybeAsync(target(access, caller), (of) => byBody(of, body, caller))
          : createDisabledReply(deps.keyHeader),
    }),
  ]
}

type Headers = Readonly<Record<string, string>>

function createListReply(of: EvaluationTarget, kind: ListKind, context: Context, headers: Headers): Reply {
  const answers = of.answers()
  const { content, isCached } = answers.list(kind, context)
  of.evaluations.add(answers.engine.names.length)
  of.onContext?.(context)
  if (isCached) of.cacheHits?.add()
  return new Reply(200, content, headers)
}

/** Returns the toggles with the given names, in the given order, and counts each of them. */
function createNamedReply(of: EvaluationTarget, names: readonly string[], context: Context, headers: Headers): Reply {
  const text = of.answers().listed(names, context, (name, isOn, isFlag) => of.bucket.count(name, isOn, isFlag))
  of.evaluations.add(names.length)
  of.onContext?.(context, names)
  notifyOfToggles(of, text, context)
  return new Reply(200, text, headers)
}

/**
 * Applies `act` to a value or to the result of a promise. Works synchronously unless the value is a promise, so that
 * most requests need no promise.
 */
export function applyMaybeAsync<T, R>(value: T | Promise<T>, act: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(act) as Promise<Awaited<R>>) : act(value)
}

/** Returns the `Vary` header for responses that depend on a request header as well as on the URL. */
export function getVaryHeader(keyHeader: string | undefined): Readonly<Record<string, string>> {
  return keyHeader === undefined ? {} : { vary: keyHeader }
}

function createDisabledReply(keyHeader: string | undefined): Reply {
  const text = 'This endpoint is disabled. Set enableAllEndpoint or ENABLE_ALL_ENDPOINT to true to use it.'
  return new Reply(501, text, { ...htmlHeaders(), ...getVaryHeader(keyHeader) })
}
