import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import type { Context } from '@burgee/protocol/context'
import { ContextQuery, EvaluatedToggle, type LookupToggles } from '@burgee/protocol/evaluation'
import Type from 'typebox'
import { notifyOfToggle } from './decision-listener.ts'
import {
  applyMaybeAsync,
  type ContextForm,
  type EvaluationDeps,
  type EvaluationTarget,
  getVaryHeader,
} from './evaluation-routes.ts'

/** Dependencies of the single-flag endpoints. */
export interface SingleFlagDeps<Access> extends Omit<EvaluationDeps<Access>, 'lookup' | 'enableAllEndpoint'> {
  readonly form: ContextForm
}

const params = Type.Object({ featureName: Type.String() })
const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Creates the endpoints below `prefix` that evaluate a single flag, requested by name. Source: wire protocol, section
 * "Endpoints Edge serves".
 */
export function singleFlagRoutes<Access>(deps: SingleFlagDeps<Access>): Route<Access>[] {
  const { prefix, target, tag, permission, problems, form, bodyLimitBytes } = deps
  const route = routesFor<Access>()
  const headers = { 'content-type': JSON_TYPE, 'cache-control': deps.cacheControl, ...getVaryHeader(deps.keyHeader) }
  const common = {
    url: `${prefix}/features/:featureName`,
    tag,
    permission,
    params,
    replies: { 200: { description: 'The evaluated flag.', schema: EvaluatedToggle } },
  }
  const byBody = (of: EvaluationTarget, body: LookupToggles | undefined, caller: Caller) =>
    of.contexts.fromBody(body === undefined ? undefined : form.getContext(body), caller, true)
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Evaluates a flag for the context in the query.',
      query: ContextQuery,
      problems: [...problems.ofQuery, 'NotFoundError'],
      handle: ({ access, params, query, caller }) =>
        applyMaybeAsync(target(access, caller), (of) =>
          applyMaybeAsync(of.contexts.fromQuery(query, caller), (context) =>
            createSingleReply(of, params.featureName, context, headers),
          ),
        ),
    }),
    route({
      ...common,
      method: 'POST',
      summary: 'Evaluates a flag for the context in the body.',
      body: form.body as typeof LookupToggles,
      bodyOptional: true,
      ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
      problems: [...problems.ofBody, 'NotFoundError'],
      handle: ({ access, params, body, caller }) =>
        applyMaybeAsync(target(access, caller), (of) =>
          applyMaybeAsync(byBody(of, body, caller), (context) =>
            createSingleReply(of, params.featureName, context, headers),
          ),
        ),
    }),
  ]
}

function createSingleReply(
  of: EvaluationTarget,
  name: string,
  context: Context,
  headers: Readonly<Record<string, string>>,
): Reply {
  const text = of.answers().single(name, context)
  if (text === undefined) throw notFound(`There is no flag ${JSON.stringify(name)}.`)
  of.evaluations.add(1)
  of.onContext?.(context, [name])
  notifyOfToggle(of, text, context)
  return new Reply(200, text, headers)
}
