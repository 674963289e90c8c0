import type { Engine } from '@burgee/engine'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import type { Counter } from '@burgee/kit/series/series'
import type { Context } from '@burgee/protocol/context'
import { type ContextBody, ContextQuery, FlatLookup, LookupToggles, Toggles } from '@burgee/protocol/evaluation'
import type { ListKind } from '../replies/answers.ts'
import type { AnswersByEngine } from '../replies/answers-by-engine.ts'
import type { ContextReader } from './context-reader.ts'

/** What evaluation endpoints stand on. `engine` is asked after readiness and rights were checked. */
export interface EvaluationDeps {
  readonly prefix: string
  readonly engine: () => Engine
  readonly contexts: ContextReader
  /** Hears of listed toggles; those that an SDK asks for all at once it counts itself. */
  readonly bucket: { count(name: string, isOn: boolean): void }
  /** Flags decided in replies, those that are repeated included. */
  readonly evaluations: Counter
  /** Replies to contexts that came before, for which nothing was evaluated. */
  readonly repeats?: Counter
  readonly answers: AnswersByEngine
  readonly enableAllEndpoint: boolean
  /** A body may hold the fields of the context itself, instead of a `context` with them. */
  readonly flatContext?: boolean
  readonly cacheControl: string
  /** Header that decides who gets a reply: shared caches must not give it to others. Undefined where none may keep it. */
  readonly keyHeader?: string
  /** What a body may hold, where it differs from `LookupToggles`. */
  readonly lookup?: typeof LookupToggles
  /** Longest body of a request, where it differs from the app's. */
  readonly bodyLimitBytes?: number
}

/** The access of a caller whose key was accepted. */
export type KeyAccess = { readonly kind: 'client' | 'server' } | undefined

const route = routesFor<KeyAccess>()
const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEMS = ['ValidationFailed', 'Unauthorized', 'TooLarge', 'MediaType', 'EnricherFailed', 'NotReady']
const OK = { 200: { description: 'The evaluated toggles.', schema: Toggles } }

/**
 * The evaluation endpoints below `prefix`: toggles that are on for a context, listed toggles on or off, and, where
 * enabled, all toggles. Source: spec "Proxy endpoints".
 */
export function evaluationRoutes(deps: EvaluationDeps): Route<KeyAccess>[] {
  const { prefix, contexts, enableAllEndpoint, bodyLimitBytes, flatContext = false } = deps
  const { lookup = flatContext ? FlatLookup : LookupToggles } = deps
  const replies = new Replies(deps)
  const common = { tag: 'Evaluation', permission: 'client-key', replies: OK, problems: PROBLEMS, isHot: true }
  const withBody = {
    body: lookup,
    bodyOptional: true,
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
  }
  const all = {
    ...common,
    replies: { ...OK, 501: { description: 'The endpoint is not enabled.', contentType: 'text/html' } },
  }
  const byQuery = (kind: ListKind) => (query: ContextQuery, caller: Caller) =>
    after(contexts.fromQuery(query, caller), (context) => replies.list(kind, context))
  const byBody = (kind: ListKind) => (body: LookupToggles | undefined, caller: Caller) => {
    const names = body?.toggles ?? []
    const isList = names.length > 0
    const context = body?.context ?? (flatContext ? flatOf(body) : undefined)
    return after(contexts.fromBody(context, caller, !isList), (context) =>
      isList ? replies.listed(names, context) : replies.list(kind, context),
    )
  }
  const [onByQuery, onByBody, allByQuery, allByBody] = [byQuery('on'), byBody('on'), byQuery('all'), byBody('all')]
  return [
    route({
      ...common,
      method: 'GET',
      url: prefix,
      summary: 'Toggles that are on for the context in the query.',
      query: ContextQuery,
      handle: ({ query, caller }) => onByQuery(query, caller),
    }),
    route({
      ...common,
      ...withBody,
      method: 'POST',
      url: prefix,
      summary: 'Toggles that are on for the context in the body, or the listed toggles, on or off.',
      handle: ({ body, caller }) => onByBody(body, caller),
    }),
    route({
      ...all,
      method: 'GET',
      url: `${prefix}/all`,
      summary: 'All toggles, on or off, for the context in the query.',
      query: ContextQuery,
      handle: ({ query, caller }) => (enableAllEndpoint ? allByQuery(query, caller) : allDisabled(deps)),
    }),
    route({
      ...all,
      ...withBody,
      method: 'POST',
      url: `${prefix}/all`,
      summary: 'All toggles, on or off, for the context in the body, or the listed ones.',
      handle: ({ body, caller }) => (enableAllEndpoint ? allByBody(body, caller) : allDisabled(deps)),
    }),
  ]
}

/** The replies over whatever engine is in use; another engine has answers of its own. */
class Replies {
  readonly #deps: EvaluationDeps
  readonly #headers: Readonly<Record<string, string>>

  constructor(deps: EvaluationDeps) {
    this.#deps = deps
    this.#headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl, ...varying(deps.keyHeader) }
  }

  list(kind: ListKind, context: Context): Reply {
    const { engine, answers, evaluations, repeats } = this.#deps
    const current = answers.of(engine())
    const { content, isRepeated } = current.list(kind, context)
    evaluations.add(current.engine.names.length)
    if (isRepeated) repeats?.add()
    return new Reply(200, content, this.#headers)
  }

  /** One item per name, in order, counted. */
  listed(names: readonly string[], context: Context): Reply {
    const { engine, answers, evaluations, bucket } = this.#deps
    const text = answers.of(engine()).listed(names, context, (name, isOn) => bucket.count(name, isOn))
    evaluations.add(names.length)
    return new Reply(200, text, this.#headers)
  }
}

function flatOf({ toggles: _names, ...context }: FlatLookup = {}): ContextBody {
  return context
}

function after<T, R>(value: T | Promise<T>, act: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(act) : act(value)
}

/** The header that names what else than the address decides about a reply. */
export function varying(keyHeader: string | undefined): Readonly<Record<string, string>> {
  return keyHeader === undefined ? {} : { vary: keyHeader }
}

function allDisabled({ keyHeader }: EvaluationDeps): Reply {
  const text = 'This endpoint is switched off. Set enableAllEndpoint or ENABLE_ALL_ENDPOINT to true to use it.'
  return new Reply(501, text, { 'content-type': 'text/html; charset=utf-8', ...varying(keyHeader) })
}
