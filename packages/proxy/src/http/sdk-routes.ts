import type { Network } from '@burgee/kit/http/client-network'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { ClientMetrics, ClientRegistration } from '@burgee/protocol/evaluation'
import { ClientFeatures } from '@burgee/protocol/feature'
import type { Repository } from '@burgee/serving/document/repository'
import { inlineSegments } from '@burgee/serving/document/view'
import { getVaryHeader } from '@burgee/serving/evaluation/evaluation-routes'
import { CLIENT_SPEC_HEADER, hasSegmentSupport } from '@burgee/serving/sdk/client-spec'
import { createNameOwner } from '@burgee/serving/usage/name-budget'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import type { KeyAccess } from './check-client-key.ts'

/** Dependencies of the SDK endpoints. */
export interface SdkDeps {
  readonly prefix: string
  readonly repository: Repository
  readonly bucket: MetricsBucket
  readonly getNetwork: (caller: Caller) => Network
  readonly cacheControl: string
  /** Header that carries the key, for `Vary`. */
  readonly keyHeader: string
}

const route = routesFor<KeyAccess>()
const TEXT = { 202: { description: 'Accepted.', contentType: 'text/plain' } }
const accepted = () => new Reply(202, 'OK', { 'content-type': 'text/plain; charset=utf-8' })

/**
 * Creates the routes for the metrics and registrations of SDKs, and for the configuration that server SDKs download.
 * Source: spec "Proxy endpoints".
 */
export function sdkRoutes(deps: SdkDeps): Route<KeyAccess>[] {
  const { prefix } = deps
  return [
    route({
      method: 'GET',
      url: `${prefix}/client/features`,
      tag: 'Server-side SDKs',
      permission: 'server-token',
      summary: 'Returns the whole flag configuration, for server-side SDKs and other proxies.',
      replies: { 200: { description: 'Features and segments.', schema: ClientFeatures } },
      problems: ['Unauthorized', 'NotReady'],
      handle: ({ caller }) => {
        const headers = {
          'cache-control': deps.cacheControl,
          ...getVaryHeader(`${deps.keyHeader}, ${CLIENT_SPEC_HEADER}`),
        }
        return Reply.json(200, configurationFor(caller, deps.repository), headers)
      },
    }),
    ...[`${prefix}/client/metrics`, `${prefix}/all/client/metrics`].map((url) => metricsRoute(url, deps)),
    route({
      method: 'POST',
      url: `${prefix}/client/register`,
      tag: 'SDK usage',
      permission: 'any-key',
      summary: 'Registers an SDK.',
      body: ClientRegistration,
      replies: TEXT,
      problems: ['ValidationFailed', 'Unauthorized', 'TooLarge', 'MediaType'],
      handle: accepted,
    }),
  ]
}

/**
 * Returns the configuration for an SDK. Inlines segments if the SDK does not support them, because it would otherwise
 * ignore their conditions.
 */
function configurationFor(caller: Caller, { state }: Repository): ClientFeatures {
  const { version, features, segments } = state?.document ?? { version: 2, features: [], segments: [] }
  if (hasSegmentSupport(caller)) return { version, features: [...features], segments: [...segments] }
  const all = new Map(segments.map((segment) => [segment.id, { segment }]))
  return { version, features: features.map((feature) => inlineSegments(feature, all)) }
}

function metricsRoute(url: string, { bucket, getNetwork }: SdkDeps): Route<KeyAccess> {
  return route({
    method: 'POST',
    url,
    tag: 'SDK usage',
    permission: 'any-key',
    priority: 'low',
    summary: 'Accepts usage of an SDK.',
    body: ClientMetrics,
    replies: TEXT,
    problems: ['ValidationFailed', 'Unauthorized', 'TooLarge', 'MediaType'],
    handle: ({ body, caller, access }) => {
      bucket.addImpact(body.impactMetrics)
      const owner = createNameOwner(getNetwork(caller), access?.key ?? '')
      for (const [name, counts] of Object.entries(body.bucket?.toggles ?? {})) {
        bucket.add(name, { yes: counts.yes ?? 0, no: counts.no ?? 0, variants: counts.variants ?? {} }, owner)
      }
      return accepted()
    },
  })
}
