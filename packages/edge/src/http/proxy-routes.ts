import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { createLookupToggles } from '@burgee/protocol/evaluation'
import { NotReady } from '@burgee/serving/access-errors'
import { evaluationRoutes } from '@burgee/serving/evaluation/evaluation-routes'
import { MAX_SDK_BODY_BYTES } from '@burgee/serving/http-options'
import { getTokenHeader } from '../options.ts'
import { networkReader } from './address-rules.ts'
import { type Access, CLIENT_KEY } from './check-token.ts'
import { edgeReportRoutes } from './edge-report-routes.ts'
import { createPageRecorder, type FrontendRouteDeps } from './frontend-routes.ts'

const PREFIX = '/proxy'
const CACHE_CONTROL = 'public, max-age=2'
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const ACCEPTED = { 202: { description: 'Accepted.', contentType: 'text/plain' } }
const OF_QUERY = ['ValidationFailed', 'Unauthorized', 'NotReady']
const OF_BODY = [...OF_QUERY, 'TooLarge', 'MediaType']
const route = routesFor<Access>()

/**
 * Returns the endpoints for proxy SDKs. Statuses and bodies are the same as in the responses of the proxy. Source: spec
 * "Proxy endpoints".
 */
export function proxyRoutes(deps: FrontendRouteDeps, isReady: () => boolean): Route<Access>[] {
  const { options, targets, usage } = deps
  const recordPage = createPageRecorder(deps)
  const networkOf = networkReader(options)
  return [
    ...evaluationRoutes<Access>({
      prefix: PREFIX,
      tag: 'Client proxy',
      permission: CLIENT_KEY,
      cacheControl: CACHE_CONTROL,
      target: (access, caller) => {
        recordPage(access, caller)
        return targets.frontend(access)
      },
      problems: { ofQuery: OF_QUERY, ofBody: OF_BODY },
      enableAllEndpoint: options.enableAllEndpoint,
      lookup: createLookupToggles(options.evaluationNameLimit),
      bodyLimitBytes: options.evaluationBodyLimit,
      keyHeader: getTokenHeader(options),
    }),
    ...[PREFIX, `${PREFIX}/all`].flatMap((base) =>
      edgeReportRoutes({
        base: `${base}/client`,
        permission: CLIENT_KEY,
        tag: 'Client proxy',
        replies: ACCEPTED,
        usage,
        networkOf,
        metricsLimitBytes: MAX_SDK_BODY_BYTES,
        accepted: () => new Reply(202, 'OK', TEXT),
      }),
    ),
    route({
      method: 'GET',
      url: `${PREFIX}/health`,
      tag: 'Client proxy',
      permission: 'public',
      summary: 'Health check: fails until there are flags to serve.',
      replies: { 200: { description: 'Ready.', contentType: 'text/html' } },
      problems: ['NotReady'],
      handle: () => {
        if (!isReady()) throw new NotReady()
        return new Reply(200, 'ok', htmlHeaders())
      },
    }),
  ]
}
