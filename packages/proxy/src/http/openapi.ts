import type { RouteShape } from '@burgee/kit/http/route'
import { buildOpenApiDocument, type OpenApiDocument } from '@burgee/kit/openapi/openapi'
import {
  ClientMetrics,
  ClientRegistration,
  ContextBody,
  EvaluatedToggle,
  type LookupToggles,
  Toggles,
  Variant,
} from '@burgee/protocol/evaluation'
import { ClientFeatures, Constraint, Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import Type from 'typebox'
import type { ProxyOptions } from '../options.ts'
import { VERSION } from '../version.ts'

/** Body of JSON error replies; `validation` lists the violations of a request. */
const ErrorBody = Type.Object({
  error: Type.String(),
  validation: Type.Optional(
    Type.Array(
      Type.Object({
        instancePath: Type.String(),
        schemaPath: Type.String(),
        keyword: Type.String(),
        params: Type.Record(Type.String(), Type.Unknown()),
        message: Type.String(),
      }),
    ),
  ),
})

/** Body of error replies to OpenFeature providers. */
const OfrepDenial = Type.Object({ errorDetails: Type.String() })

const PROBLEMS = {
  ValidationFailed: { status: 400, description: 'the request does not match its schema, or is not JSON' },
  Unauthorized: { status: 401, description: 'the key is missing or unknown', contentType: 'text/plain' },
  OfrepUnauthorized: { status: 401, description: 'the key is missing or unknown', schema: OfrepDenial },
  NotForwarded: {
    status: 404,
    description: 'the request came through a reverse proxy and `FORWARDED_METRICS` is false',
    contentType: 'text/html',
  },
  TooLarge: { status: 413, description: 'the body is too large' },
  MediaType: { status: 415, description: 'the body is not JSON' },
  EnricherFailed: { status: 500, description: 'a context enricher failed' },
  TooManyStreams: { status: 429, description: 'the limit of open streams is reached' },
  NotReady: { status: 503, description: 'there is no configuration yet', contentType: 'text/html' },
} as const

const SCHEMAS = {
  ClientFeatures,
  ClientMetrics,
  ClientRegistration,
  Constraint,
  ContextBody,
  ErrorBody,
  EvaluatedToggle,
  Feature,
  Segment,
  Strategy,
  Toggles,
  Variant,
  VariantDefinition,
}

/** Creates the description of the proxy's API; `lookup` is the body schema of evaluation routes. */
export function describeProxy(
  routes: readonly RouteShape[],
  lookup: typeof LookupToggles,
  { proxyBasePath, clientKeysHeaderName }: Pick<ProxyOptions, 'proxyBasePath' | 'clientKeysHeaderName'>,
): OpenApiDocument {
  return buildOpenApiDocument({
    title: 'Burgee proxy',
    version: VERSION,
    description: 'Evaluates feature flags for web and mobile SDKs. Returns only results, never the configuration.',
    basePath: proxyBasePath,
    routes: routes.filter((route) => !route.url.includes('*')).map(withoutReadiness),
    problems: PROBLEMS,
    problemSchema: ErrorBody,
    schemas: { ...SCHEMAS, LookupToggles: lookup },
    securitySchemes: { clientKey: { type: 'apiKey', in: 'header', name: clientKeysHeaderName } },
  })
}

/** Documents routes with the permission 'ready' as public, because they require no key. */
function withoutReadiness(route: RouteShape): RouteShape {
  return route.permission === 'ready' ? { ...route, permission: 'public' } : route
}
