import type { RouteShape } from '@burgee/kit/http/route'
import { buildOpenApiDocument, type OpenApiDocument } from '@burgee/kit/openapi/openapi'
import { DeltaEvents } from '@burgee/protocol/delta'
import {
  ClientMetricsBulk,
  ClientRegistration,
  EvaluatedToggle,
  ServerMetrics,
  Toggles,
  TokensQuestion,
  ValidTokens,
  Variant,
} from '@burgee/protocol/evaluation'
import { ClientFeatures, Constraint, Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import Type from 'typebox'
import { VERSION } from '../version.ts'

/** Body of error replies; `details` lists the parts of a request that violate the schema. */
const ErrorBody = Type.Object({
  explanation: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.Optional(Type.String()), message: Type.String() }))),
})

const PROBLEMS = {
  ValidationFailed: { status: 400, description: 'the request does not match its schema, or is not JSON' },
  ValidationError: { status: 400, description: 'the request is invalid' },
  Unauthorized: { status: 401, description: 'the key is missing or unknown', contentType: 'text/plain' },
  TokenRefused: { status: 403, description: 'the token is missing, invalid, or of the wrong kind' },
  NotFoundError: { status: 404, description: 'there is no such flag' },
  NotForwarded: {
    status: 404,
    description: 'the request came through a reverse proxy and `FORWARDED_METRICS` is false',
  },
  TooLarge: { status: 413, description: 'the body is too large' },
  MediaType: { status: 415, description: 'the body is not JSON' },
  RateLimitError: { status: 429, description: 'the limit of open streams is reached' },
  TooManyRequests: { status: 429, description: 'too many requests, or too many invalid tokens, from this network' },
  TooManyStreams: { status: 429, description: 'the limit of open streams is reached' },
  NotReady: { status: 503, description: 'there are no flags yet, or the token cannot be validated at the moment' },
} as const

const SCHEMAS = {
  ClientFeatures,
  ClientMetricsBulk,
  ClientRegistration,
  Constraint,
  DeltaEvents,
  ErrorBody,
  EvaluatedToggle,
  Feature,
  Segment,
  ServerMetrics,
  Strategy,
  Toggles,
  TokensQuestion,
  ValidTokens,
  Variant,
  VariantDefinition,
}

/** Returns the OpenAPI document that describes a node. */
export function describeEdge(routes: readonly RouteShape[], basePath: string, tokenHeader: string): OpenApiDocument {
  return buildOpenApiDocument({
    title: 'Burgee edge',
    version: VERSION,
    description: 'Flags for server-side and frontend SDKs, by token.',
    basePath,
    routes: routes.filter((route) => !route.url.includes('*')),
    problems: PROBLEMS,
    problemSchema: ErrorBody,
    schemas: SCHEMAS,
    securitySchemes: { token: { type: 'apiKey', in: 'header', name: tokenHeader } },
  })
}
