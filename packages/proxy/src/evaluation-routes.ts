import type { Engine, Evaluation } from '@burgee/engine'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/route'
import type { Counter } from '@burgee/kit/series'
import type { Context } from '@burgee/protocol/context'
import { ContextQuery, LookupToggles, Toggles } from '@burgee/protocol/evaluation'
import type { ContextReader } from './context.ts'
import type { MetricsBucket } from './metrics.ts'

/** What evaluation endpoints stand on. `engine` is asked after readiness and rights were checked. */
export interface EvaluationDeps {
  readonly prefix: string
  readonly engine: () => Engine
  readonly contexts: ContextReader
  /** Hears of listed toggles; those that an SDK asks for all at once it counts itself. */
  readonly bucket: Pick<MetricsBucket, 'count'>
  readonly evaluations: Counter
  readonly enableAllEndpoint: boolean
  readonly cacheControl: string
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
  const { prefix, contexts } = deps
  const common = { tag: 'Evaluation', permission: 'client-key', replies: OK, problems: PROBLEMS }
  const all = {
    ...common,
    replies: { ...OK, 501: { description: 'The endpoint is not enabled.', contentType: 'text/html' } },
  }
  return [
    route({
      ...common,
      method: 'GET',
      url: prefix,
      summary: 'Toggles that are on for the context in the query.',
      query: ContextQuery,
      handle: async ({ query, caller }) => {
        const results = evaluateAll(deps, await contexts.fromQuery(query, caller))
        return answer(deps, results.filter((result) => result.enabled).map(item))
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: prefix,
      summary: 'Toggles that are on for the context in the body, or the listed toggles, on or off.',
      body: LookupToggles,
      bodyOptional: true,
      handle: ({ body, caller }) =>
        listed(deps, body, caller, (results) => results.filter((one) => one.enabled).map(item)),
    }),
    route({
      ...all,
      method: 'GET',
      url: `${prefix}/all`,
      summary: 'All toggles, on or off, for the context in the query.',
      query: ContextQuery,
      handle: async ({ query, caller }) => {
        if (!deps.enableAllEndpoint) return allDisabled()
        return answer(deps, evaluateAll(deps, await contexts.fromQuery(query, caller)).map(itemOfAll))
      },
    }),
    route({
      ...all,
      method: 'POST',
      url: `${prefix}/all`,
      summary: 'All toggles, on or off, for the context in the body, or the listed ones.',
      body: LookupToggles,
      bodyOptional: true,
      handle: ({ body, caller }) => {
        if (!deps.enableAllEndpoint) return allDisabled()
        return listed(deps, body, caller, (results) => results.map(itemOfAll))
      },
    }),
  ]
}

/** With names: one item per name, in order, counted. Without: what `choose` makes of all results. */
async function listed(
  deps: EvaluationDeps,
  body: LookupToggles | undefined,
  caller: Caller,
  choose: (results: Evaluation[]) => object[],
): Promise<Reply> {
  const names = body?.toggles ?? []
  if (names.length === 0) {
    return answer(deps, choose(evaluateAll(deps, await deps.contexts.fromBody(body?.context, caller, true))))
  }
  const context = await deps.contexts.fromBody(body?.context, caller, false)
  const engine = deps.engine()
  const results = names.map((name) => engine.evaluate(name, context))
  deps.evaluations.add(results.length)
  for (const result of results) deps.bucket.count(result.name, result.enabled)
  return answer(
    deps,
    results.map((result) => ({ ...item(result), impressionData: result.impressionData ?? false })),
  )
}

function evaluateAll(deps: EvaluationDeps, context: Context): Evaluation[] {
  const results = deps.engine().evaluateAll(context)
  deps.evaluations.add(results.length)
  return results
}

function answer(deps: EvaluationDeps, toggles: object[]): Reply {
  const headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl }
  return new Reply(200, JSON.stringify({ toggles }), headers)
}

/** An evaluated toggle as SDKs read it; both spellings say whether the feature is on. */
function item(result: Evaluation): object {
  const { name, enabled, impressionData } = result
  const variant = { ...inOrder(result), feature_enabled: enabled, featureEnabled: enabled }
  return { name, enabled, variant, impressionData }
}

/**
 * The variant with its members as the established proxy orders them, so that equal answers have equal bytes and tags:
 * `payload` stands before `enabled` where the feature itself has the variants, behind it where a strategy has them.
 */
function inOrder({ variant, variantSource }: Evaluation): object {
  const { name, payload, enabled } = variant
  if (payload === undefined || variantSource === 'strategy') return variant
  return { name, payload, enabled }
}

/** The same in the list of all toggles, where the variant of a toggle that is off has one spelling only. */
function itemOfAll(result: Evaluation): object {
  if (result.enabled) return item(result)
  return {
    name: result.name,
    enabled: false,
    variant: { ...result.variant, feature_enabled: false },
    impressionData: result.impressionData,
  }
}

function allDisabled(): Reply {
  const text = 'This endpoint is switched off. Set enableAllEndpoint or ENABLE_ALL_ENDPOINT to true to use it.'
  return new Reply(501, text, { 'content-type': 'text/html; charset=utf-8' })
}
