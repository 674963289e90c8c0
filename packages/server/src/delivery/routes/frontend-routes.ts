import { type Caller, Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import { type EvaluationDeps, evaluationRoutes, FLAT_FORM } from '@burgee/serving/evaluation/evaluation-routes'
import { singleFlagRoutes } from '@burgee/serving/evaluation/single-flag-routes'
import { MAX_SDK_BODY_BYTES } from '@burgee/serving/http-options'
import { ofrepRoutes } from '@burgee/serving/ofrep/ofrep-routes'
import type { EvaluationTargets } from '@burgee/serving/sdk/evaluation-targets'
import { createOfrepEnvelopes, ofrepStreamRoutes } from '@burgee/serving/sdk/ofrep-stream-routes'
import type { ChannelToken, OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import { type Access, EVALUATION, FRONTEND, type TokenScope } from '../../core/access/access.ts'
import { GUARDED_LIST, GUARDED_SEARCH, LONG_BODY } from '../../core/http/problem-lists.ts'
import { toGuessProblem } from '../../core/http/rate-limit-replies.ts'
import type { HttpWorld, Routes } from '../../core/http/route.ts'
import { getFlagScope, isOfTestRun, serverReportRoutes } from './sdk-report-routes.ts'

type PageWorld = Pick<HttpWorld, 'fleet' | 'documents'>

const PREFIXES = ['/api/frontend', '/api/proxy']
const CACHE_CONTROL = 'no-cache'
const UNKNOWN_STREAM = 'There is no such stream: request the flags again.'

/**
 * Creates the endpoints for SDKs in browsers and apps, below `/api/frontend` and `/api/proxy`. Unleash Proxy has the
 * same endpoints. These endpoints evaluate the flags that the caller's token can read. Source: wire protocol "Client,
 * frontend, edge API".
 */
export function frontendRoutes(targets: EvaluationTargets<Access>, { fleet, documents }: PageWorld): Routes {
  const recordPage = ({ token }: Access, caller: Caller) => {
    if (isOfTestRun(token)) return
    const scope = getFlagScope(token)
    const state = documents.peek(scope.environment)
    if (state !== undefined) fleet.pages.record(scope, caller, state.revision)
  }
  const evaluating = (prefix: string) => {
    const deps: EvaluationDeps<Access> = {
      prefix,
      target: (access, caller) => {
        recordPage(access, caller)
        return targets.frontend(access)
      },
      tag: 'Frontend',
      permission: FRONTEND,
      problems: { ofQuery: GUARDED_SEARCH, ofBody: LONG_BODY },
      form: FLAT_FORM,
      bodyLimitBytes: MAX_SDK_BODY_BYTES,
      cacheControl: CACHE_CONTROL,
    }
    return [...evaluationRoutes<Access>(deps), ...singleFlagRoutes<Access>({ ...deps, form: FLAT_FORM })]
  }
  const reporting = (prefix: string) =>
    serverReportRoutes({
      base: `${prefix}/client`,
      limits: { register: 'frontendRegister', metrics: 'frontendMetrics' },
      permission: FRONTEND,
      metricsLimitBytes: MAX_SDK_BODY_BYTES,
      tag: 'Frontend',
      replies: { 200: { description: 'Accepted', contentType: 'text/plain' } },
      problems: LONG_BODY,
      accepted: () => new Reply(200, 'OK', { 'content-type': 'text/plain; charset=utf-8' }),
    })
  return PREFIXES.flatMap((prefix) => [...evaluating(prefix), ...reporting(prefix)])
}

/** Creates the endpoints for OpenFeature providers, with client and frontend tokens. Source: OFREP 0.3.0. */
export function openFeatureRoutes(
  targets: EvaluationTargets<Access>,
  ofrepStreams: OfrepStreams<TokenRow>,
  { options, streams, limits, callers }: Pick<HttpWorld, 'options' | 'streams' | 'limits' | 'callers'>,
): Routes {
  const frameOf = createOfrepEnvelopes(ofrepStreams, options.baseUriPath)
  const evaluation = ofrepRoutes<Access>({
    target: targets.ofrep,
    envelope: ({ token }) => frameOf(getFlagScope(token).environment, channelToken(token)),
    permission: EVALUATION,
    problems: GUARDED_LIST,
    bodyLimitBytes: MAX_SDK_BODY_BYTES,
    cacheControl: CACHE_CONTROL,
  })
  const following = ofrepStreamRoutes<Access, TokenRow>({
    ofrepStreams,
    streams,
    getScope: getFlagScope,
    getNetwork: callers.getNetwork,
    problems: ['ValidationError', 'AuthenticationRequired', 'RateLimitError'],
    createUnknownError: (caller) =>
      toGuessProblem(new Problem('AuthenticationRequired', UNKNOWN_STREAM), limits.wrongToken(caller)),
  })
  return [...evaluation, ...following]
}

/**
 * Returns the part of a token that authorizes a stream. Returns undefined for personal tokens. Personal tokens cannot
 * open streams, because no stored hash could be used to verify the URL of the stream.
 */
function channelToken({ id, hash }: TokenScope): ChannelToken | undefined {
  return hash === undefined ? undefined : { id, hash }
}
