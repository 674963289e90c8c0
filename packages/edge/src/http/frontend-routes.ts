import { type Caller, Reply, type Route } from '@burgee/kit/http/route'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { PageBook } from '@burgee/serving/connections/page-book'
import { evaluationRoutes } from '@burgee/serving/evaluation/evaluation-routes'
import { LENIENT_FORM } from '@burgee/serving/evaluation/lenient-form'
import { singleFlagRoutes } from '@burgee/serving/evaluation/single-flag-routes'
import { MAX_SDK_BODY_BYTES } from '@burgee/serving/http-options'
import { ofrepRoutes } from '@burgee/serving/ofrep/ofrep-routes'
import type { EvaluationTargets } from '@burgee/serving/sdk/evaluation-targets'
import { createOfrepEnvelopes, ofrepStreamRoutes } from '@burgee/serving/sdk/ofrep-stream-routes'
import type { OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import type { Environments } from '../environments/environments.ts'
import { getTokenHeader, listTokenHeaders, type ServingOptions } from '../options.ts'
import type { EdgeToken } from '../tokens/edge-token.ts'
import { TokenRefused } from '../tokens/token-refusal.ts'
import type { EdgeUsage } from '../usage/usage-interface.ts'
import { networkReader } from './address-rules.ts'
import { type Access, FRONTEND, OPENFEATURE, requireToken } from './check-token.ts'
import { edgeReportRoutes } from './edge-report-routes.ts'
import { GUARDED_QUERY, LONG_BODY } from './problem-lists.ts'

/** Dependencies of the frontend endpoints. */
export interface FrontendRouteDeps {
  readonly options: ServingOptions
  readonly targets: EvaluationTargets<Access>
  readonly usage: EdgeUsage
  readonly environments: Environments
  /** Counts the pages that ask for flags; undefined if they are not counted. */
  readonly pages?: PageBook | undefined
}

const PREFIXES = ['/api/frontend', '/api/proxy']
const CACHE_CONTROL = 'no-cache'
const ACCEPTED = { 202: { description: 'Accepted' } }

/** Returns a function that counts the page of a request, with the revision of the flags that it gets. */
export function createPageRecorder({
  environments,
  pages,
}: Pick<FrontendRouteDeps, 'environments' | 'pages'>): (access: Access, caller: Caller) => void {
  return (access, caller) => {
    const { environment, projects } = requireToken(access)
    const state = environments.peek(environment)
    if (state !== undefined) pages?.record({ environment, projects }, caller, state.revision)
  }
}

/** Returns the endpoints for SDKs in browsers and apps. Source: wire protocol, section "Endpoints Edge serves". */
export function frontendRoutes(deps: FrontendRouteDeps): Route<Access>[] {
  const { options, targets, usage } = deps
  const networkOf = networkReader(options)
  const recordPage = createPageRecorder(deps)
  const evaluating = (prefix: string) => {
    const routeDeps = {
      prefix,
      tag: 'Frontend',
      permission: FRONTEND,
      form: LENIENT_FORM,
      cacheControl: CACHE_CONTROL,
      target: (access: Access, caller: Caller) => {
        recordPage(access, caller)
        return targets.frontend(access)
      },
      problems: { ofQuery: GUARDED_QUERY, ofBody: LONG_BODY },
      bodyLimitBytes: options.evaluationBodyLimit,
      keyHeader: getTokenHeader(options),
    }
    return [...evaluationRoutes<Access>(routeDeps).filter(isServed(options)), ...singleFlagRoutes<Access>(routeDeps)]
  }
  const reporting = (prefix: string) =>
    [prefix, `${prefix}/all`].flatMap((base) =>
      edgeReportRoutes({
        base: `${base}/client`,
        permission: FRONTEND,
        tag: 'Frontend',
        replies: ACCEPTED,
        usage,
        networkOf,
        metricsLimitBytes: MAX_SDK_BODY_BYTES,
        accepted: () => new Reply(202),
      }),
    )
  return PREFIXES.flatMap((prefix) => [...evaluating(prefix), ...reporting(prefix)])
}

/** Returns true unless the options disable the endpoint; a disabled endpoint answers with 404. */
function isServed({ disableAllEndpoint }: ServingOptions): (route: { readonly url: string }) => boolean {
  return ({ url }) => !disableAllEndpoint || !url.endsWith('/all')
}

/** Returns the endpoints for OpenFeature providers, which may use backend or frontend tokens. Source: OFREP 0.3.0. */
export function openFeatureRoutes(
  { options, targets }: FrontendRouteDeps,
  ofrepStreams: OfrepStreams<EdgeToken>,
  streams: EventStreams,
): Route<Access>[] {
  const frameOf = createOfrepEnvelopes(ofrepStreams, options.basePath)
  return [
    ...ofrepRoutes<Access>({
      target: (access) => targets.ofrep(access),
      envelope: (access) => frameOf(requireToken(access).environment, requireToken(access)),
      permission: OPENFEATURE,
      problems: LONG_BODY,
      cacheControl: CACHE_CONTROL,
      keyHeader: listTokenHeaders(options).join(', '),
      bodyLimitBytes: options.evaluationBodyLimit,
    }),
    ...ofrepStreamRoutes<Access, EdgeToken>({
      ofrepStreams,
      streams,
      getNetwork: networkReader(options),
      getScope: (token) => token,
      problems: [...GUARDED_QUERY, 'TooManyStreams'],
      createUnknownError: () => new TokenRefused('unknown'),
    }),
  ]
}
