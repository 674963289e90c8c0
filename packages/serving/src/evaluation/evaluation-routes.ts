import { htmlHeaders } from '@burgee/kit/http/html'
import { type Caller, Reply, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import type { Counter } from '@burgee/kit/series/series'
import type { Context } from '@burgee/protocol/context'
import { type ContextBody, ContextQuery, FlatLookup, LookupToggles, Toggles } from '@burgee/protocol/evaluation'
import type { TSchema } from 'typebox'
import type { Answers, ListKind } from '../replies/answers.ts'
import type { ContextReader } from './context-reader.ts'

/** What one caller's requests are answered from. */
export interface EvaluationTarget {
  /** Answers over the configuration in use; asked for each reply, once its context is complete. */
  readonly answers: () => Answers
  readonly contexts: ContextReader
  /** Counts listed toggles, also names of no flag; those that an SDK asks for all at once it counts itself. */
  readonly bucket: { count(name: string, isOn: boolean, isFlag: boolean): void }
  /** Counts flags decided in replies, those that are repeated included. */
  readonly evaluations: { add(flags: number): void }
  /** Counts replies to contexts that came before, for which nothing was evaluated. */
  readonly repeats?: Counter
  /** Hears of each context; undefined where nobody wants to. */
  readonly seen?: SeenContext | undefined
}

/** Hears of a context that flags are decided for: these, or all. It must not keep the context, and never throws. */
export type SeenContext = (context: Context, names?: readonly string[]) => void

/** What evaluation endpoints stand on; `Access` is what the checks of the app found out about a caller. */
export interface EvaluationDeps<Access> {
  readonly prefix: string
  /** Asked after readiness and rights were checked. */
  readonly target: (access: Access) => EvaluationTarget | Promise<EvaluationTarget>
  readonly tag: string
  readonly permission: string
  /** Names of the problems that an endpoint without or with a body can answer with. */
  readonly problems: { readonly ofQuery: readonly string[]; readonly ofBody: readonly string[] }
  /** Whether lists of all toggles are given, where the operator decides about that; always by default. */
  readonly enableAllEndpoint?: boolean
  /** How bodies hold their context; in `context` by default. */
  readonly form?: ContextForm
  readonly cacheControl: string
  /** Header that decides who gets a reply: shared caches must not give it to others. Undefined where none may keep it. */
  readonly keyHeader?: string
  /** What a body may hold, where it differs from that of the form. */
  readonly lookup?: typeof LookupToggles
  /** Longest body of a request, where it differs from the app's. */
  readonly bodyLimitBytes?: number
}

/** A way to write a context into a body. */
export interface ContextForm {
  readonly body: TSchema
  readonly contextOf: (body: LookupToggles) => ContextBody | undefined
}

const WRAPPED: ContextForm = { body: LookupToggles, contextOf: ({ context }) => context }

/** The fields of the context may stand beside `toggles`; where there is a `context`, it alone counts. */
export const FLAT_FORM: ContextForm = {
  body: FlatLookup,
  contextOf: ({ toggles: _names, context, ...own }) => context ?? (own as ContextBody),
}

/** Which list an endpoint gives, and what its documentation says. */
interface ListEndpoint {
  readonly kind: ListKind
  readonly url: string
  readonly isEnabled: boolean
  readonly ofQuery: string
  readonly ofBody: string
  readonly replies: RouteShape['replies']
}

const JSON_TYPE = 'application/json; charset=utf-8'
const OK = { 200: { description: 'The evaluated toggles.', schema: Toggles } }
const OFF = { 501: { description: 'The endpoint is not enabled.', contentType: 'text/html' } }

/**
 * The evaluation endpoints below `prefix`: toggles that are on for a context, listed toggles on or off, and, where
 * enabled, all toggles. Source: spec "Proxy endpoints".
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
      replies: OK,
    }),
    ...listRoutes(deps, {
      kind: 'all',
      url: `${prefix}/all`,
      isEnabled: enableAllEndpoint ?? true,
      ofQuery: 'All toggles, on or off, for the context in the query.',
      ofBody: 'All toggles, on or off, for the context in the body, or the listed ones.',
      replies: enableAllEndpoint === undefined ? OK : { ...OK, ...OFF },
    }),
  ]
}

/** One list, for a context in the query and for one in the body. */
function listRoutes<Access>(deps: EvaluationDeps<Access>, endpoint: ListEndpoint): Route<Access>[] {
  const { target, tag, permission, problems, bodyLimitBytes, form = WRAPPED } = deps
  const { kind, url, isEnabled, replies } = endpoint
  const route = routesFor<Access>()
  const common = { url, tag, permission, replies, isHot: true }
  const headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl, ...varying(deps.keyHeader) }
  const byQuery = (of: EvaluationTarget, query: ContextQuery, caller: Caller) =>
    after(of.contexts.fromQuery(query, caller), (context) => listReply(of, kind, context, headers))
  const byBody = (of: EvaluationTarget, body: LookupToggles | undefined, caller: Caller) => {
    const names = body?.toggles ?? []
    const isList = names.length > 0
    const context = body === undefined ? undefined : form.contextOf(body)
    return after(of.contexts.fromBody(context, caller, !isList), (complete) =>
      isList ? listedReply(of, names, complete, headers) : listReply(of, kind, complete, headers),
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
        isEnabled ? after(target(access), (of) => byQuery(of, query, caller)) : disabled(deps.keyHeader),
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
        isEnabled ? after(target(access), (of) => byBody(of, body, caller)) : disabled(deps.keyHeader),
    }),
  ]
}

type Headers = Readonly<Record<string, string>>

function listReply(of: EvaluationTarget, kind: ListKind, context: Context, headers: Headers): Reply {
  const answers = of.answers()
  const { content, isRepeated } = answers.list(kind, context)
  of.evaluations.add(answers.engine.names.length)
  of.seen?.(context)
  if (isRepeated) of.repeats?.add()
  return new Reply(200, content, headers)
}

/** Answers one item per name, in order, and counts each. */
function listedReply(of: EvaluationTarget, names: readonly string[], context: Context, headers: Headers): Reply {
  const text = of.answers().listed(names, context, (name, isOn, isFlag) => of.bucket.count(name, isOn, isFlag))
  of.evaluations.add(names.length)
  of.seen?.(context, names)
  return new Reply(200, text, headers)
}

/** Acts on a value at once where it is there, so that most requests are answered without a promise. */
export function after<T, R>(value: T | Promise<T>, act: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(act) as Promise<Awaited<R>>) : act(value)
}

/** The header that says by which other header, besides the address, replies differ. */
export function varying(keyHeader: string | undefined): Readonly<Record<string, string>> {
  return keyHeader === undefined ? {} : { vary: keyHeader }
}

function disabled(keyHeader: string | undefined): Reply {
  const text = 'This endpoint is switched off. Set enableAllEndpoint or ENABLE_ALL_ENDPOINT to true to use it.'
  return new Reply(501, text, { ...htmlHeaders(), ...varying(keyHeader) })
}
