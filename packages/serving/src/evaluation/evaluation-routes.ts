import { htmlHeaders } from '@burgee/kit/http/html'
import { type Caller, Reply, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import type { Counter } from '@burgee/kit/series/series'
import type { Context } from '@burgee/protocol/context'
import { type ContextBody, ContextQuery, FlatLookup, LookupToggles, Toggles } from '@burgee/protocol/evaluation'
import type { TSchema } from 'typebox'
import type { Answers, ListKind } from '../replies/answers.ts'
import type { ContextReader } from './context-reader.ts'

/** Prepared responses and usage counters for the requests of one caller. */
export interface EvaluationTarget {
  /**
   * Returns the prepared responses of the current configuration. Called for each response, once the request's context
   * is complete.
   */
  readonly answers: () => Answers
  readonly contexts: ContextReader
  /**
   * Counts toggles that are requested by name, including unknown names. Lists of all toggles are not counted, because
   * SDKs report their own counts for such lists.
   */
  readonly bucket: { count(name: string, isOn: boolean, isFlag: boolean): void }
  /** Counts evaluated flags in responses, including cached responses. */
  readonly evaluations: { add(flags: number): void }
  /** Counts responses served from the cache without evaluation. */
  readonly cacheHits?: Counter
  /** Listener that is called with each context; undefined if there is none. */
  readonly onContext?: ContextListener | undefined
}

/**
 * Listener that is called with a context and the names of the flags to evaluate; undefined names mean all flags. Must
 * not retain the context, and never throws.
 */
export type ContextListener = (context: Context, names?: readonly string[]) => void

/** Dependencies of the evaluation endpoints. `Access` is the result of the app's authorization checks. */
export interface EvaluationDeps<Access> {
  readonly prefix: string
  /** Called after readiness and permissions were checked. */
  readonly target: (access: Access, caller: Caller) => EvaluationTarget | Promise<EvaluationTarget>
  readonly tag: string
  readonly permission: string
  /** Names of the documented errors: `ofQuery` for endpoints without a body, `ofBody` for endpoints with a body. */
  readonly problems: { readonly ofQuery: readonly string[]; readonly ofBody: readonly string[] }
  /** True to serve lists of all toggles. If undefined, the lists are served and operators cannot disable them. */
  readonly enableAllEndpoint?: boolean
  /** Format of the context in request bodies. By default, the context is in the property `context`. */
  readonly form?: ContextForm
  readonly cacheControl: string
  /**
   * Name of the header that decides which caller may receive a response, for `Vary`. Undefined if shared caches must
   * not store the response.
   */
  readonly keyHeader?: string
  /** Schema of request bodies, if it differs from the schema of `form`. */
  readonly lookup?: typeof LookupToggles
  /** Maximum body size, if it differs from the app's limit. */
  readonly bodyLimitBytes?: number
}

/** A format of contexts in bodies. */
export interface ContextForm {
  readonly body: TSchema
  readonly getContext: (body: LookupToggles) => ContextBody | undefined
}

const WRAPPED_FORM: ContextForm = { body: LookupToggles, getContext: ({ context }) => context }

/** Form that allows context fields next to `toggles`. If there is a `context`, only its fields are used. */
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
 * by name, and, if enabled, all toggles. Source: spec "Proxy endpoints".
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
      ofBody: 'All toggles, on or off, for the context in the body, or the listed ones.',
      replies: enableAllEndpoint === undefined ? TOGGLE_REPLIES : { ...TOGGLE_REPLIES, ...DISABLED_REPLIES },
    }),
  ]
}

/** Creates the routes of one list, for a context in the query and in the body. */
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

/** Returns the toggles with the given names in order, and counts each toggle. */
function createNamedReply(of: EvaluationTarget, names: readonly string[], context: Context, headers: Headers): Reply {
  const text = of.answers().listed(names, context, (name, isOn, isFlag) => of.bucket.count(name, isOn, isFlag))
  of.evaluations.add(names.length)
  of.onContext?.(context, names)
  return new Reply(200, text, headers)
}

/**
 * Applies `act` to a value. Works synchronously unless the value is a promise, so that most requests need no promise.
 */
export function applyMaybeAsync<T, R>(value: T | Promise<T>, act: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(act) as Promise<Awaited<R>>) : act(value)
}

/** Returns the `Vary` header for responses that depend on a request header besides the URL. */
export function getVaryHeader(keyHeader: string | undefined): Readonly<Record<string, string>> {
  return keyHeader === undefined ? {} : { vary: keyHeader }
}

function createDisabledReply(keyHeader: string | undefined): Reply {
  const text = 'This endpoint is switched off. Set enableAllEndpoint or ENABLE_ALL_ENDPOINT to true to use it.'
  return new Reply(501, text, { ...htmlHeaders(), ...getVaryHeader(keyHeader) })
}
