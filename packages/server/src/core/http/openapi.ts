import type { RouteShape } from '@burgee/kit/http/route'
import {
  buildOpenApiDocument,
  type HeaderDocs,
  type OpenApiDocument,
  type ProblemDoc,
} from '@burgee/kit/openapi/openapi'
import { ApiToken, Feedback, User } from '@burgee/protocol/access'
import { AdminFeature, FeatureListItem } from '@burgee/protocol/admin-feature'
import { EvaluatedToggle, Toggles } from '@burgee/protocol/evaluation'
import { Event, Tag } from '@burgee/protocol/event'
import { ClientFeatures, Constraint, Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import { PlaygroundContext, PlaygroundResult, PlaygroundStrategy } from '@burgee/protocol/playground'
import { PROBLEMS, ProblemBody, ProblemDetail, type ProblemName } from '@burgee/protocol/problem'
import { Environment, Project } from '@burgee/protocol/project'
import { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { AdminSegment } from '@burgee/protocol/targeting/segment'
import { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import Type from 'typebox'
import { isForSdks } from '../access/access.ts'
import { VERSION } from '../version.ts'
import { isRefusedInMaintenance } from './maintenance.ts'
import { MANIFEST_TWICE } from './manifest-paths.ts'
import { isLimited } from './pending-quota.ts'
import { revisionDocs } from './revision-header.ts'
import { valueWarningsDocs } from './value-warnings-header.ts'

/** Body of 401 and 403 replies to SDKs. The body contains only a message. */
const SdkProblem = Type.Object({ message: Type.String() })

const DESCRIPTIONS: Readonly<Partial<Record<ProblemName, string>>> = {
  ValidationError: 'the request does not fit its schema or a rule; the message names the property',
  PasswordWeakError: 'the password is easily guessed',
  AuthenticationRequired: 'credentials are missing or invalid',
  PasswordMismatch: 'the password is wrong',
  InvalidTokenError: 'the link was used, has expired, or never existed',
  NoAccessError: 'the credentials are valid, but a permission is missing',
  InvalidOperationError: 'a rule forbids the operation',
  NotFoundError: 'no such object exists',
  NameExistsError: 'the name is taken',
  ConflictError: 'the operation conflicts with the current state',
  PreconditionFailedError: 'the state differs from the one in If-Match',
  ContentTypeerror: 'the body is not JSON',
  PayloadTooLargeError: 'the body is too large',
  MaintenanceModeError: 'the server is in maintenance mode',
}

const SCHEMAS = {
  AdminFeature,
  AdminSegment,
  AdminStrategy,
  ApiToken,
  ClientFeatures,
  Constraint,
  ConstraintInput,
  Environment,
  EvaluatedToggle,
  Event,
  Feature,
  FeatureListItem,
  Feedback,
  PlaygroundContext,
  PlaygroundResult,
  PlaygroundStrategy,
  ProblemBody,
  ProblemDetail,
  Project,
  SdkProblem,
  Segment,
  Strategy,
  StrategyInput,
  Tag,
  Toggles,
  User,
  VariantDefinition,
}

/** Operations that the OpenAPI document marks as deprecated, as Unleash's own document does. */
const DEPRECATED_OPERATIONS: ReadonlySet<string> = new Set([
  'GET /api/admin/archive/features',
  'GET /api/admin/archive/features/:projectId',
  'GET /api/admin/features',
  'GET /api/admin/instance-admin/statistics',
  'GET /api/admin/projects/:projectId',
  'GET /api/admin/projects/:projectId/features/:featureName/variants',
  'GET /api/admin/state/export',
  'POST /api/admin/state/import',
])

/** Returns the OpenAPI document of the server, with all routes and all error replies. */
export function describeServer(routes: readonly RouteShape[], basePath: string): OpenApiDocument {
  const described = routes.filter(isDescribed).map(withProblems)
  return buildOpenApiDocument({
    title: 'Burgee',
    version: VERSION,
    description: 'Feature flags: administration, and the APIs of server-side and front-end SDKs.',
    basePath,
    routes: described.map(markDeprecated),
    problems: problemDocs(),
    problemSchema: ProblemBody,
    schemas: SCHEMAS,
    getHeaders: headerDocs,
    securitySchemes: {
      apiToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
      session: { type: 'apiKey', in: 'cookie', name: 'burgee-session' },
    },
  })
}

function headerDocs(route: RouteShape): HeaderDocs {
  const { request = {}, reply = {} } = revisionDocs(route)
  return { request, reply: { ...reply, ...valueWarningsDocs(route).reply } }
}

/** Returns false for routes that the OpenAPI document omits, because they exist only for clients with a wrong URL. */
function isDescribed({ url }: RouteShape): boolean {
  return !url.includes('*') && !url.startsWith(MANIFEST_TWICE)
}

function problemDocs(): Record<string, ProblemDoc> {
  const docs = Object.entries(PROBLEMS).map(([name, status]): [string, ProblemDoc] => {
    const description = DESCRIPTIONS[name as ProblemName]
    return [name, { status, ...(description === undefined ? {} : { description }) }]
  })
  return {
    ...Object.fromEntries(docs),
    RateLimitError: { status: 429, description: 'too many requests', contentType: 'text/plain' },
    SdkUnauthorized: { status: 401, description: 'the token is missing or invalid', schema: SdkProblem },
    SdkForbidden: { status: 403, description: 'the token is of another type', schema: SdkProblem },
  }
}

/**
 * Adds the error replies of the checks that run before the handler. Routes do not list the errors of these checks
 * themselves.
 */
function withProblems(route: RouteShape): RouteShape {
  const isOfSdks = isForSdks(route.permission)
  const isPublic = route.permission === 'public'
  const access = isPublic ? [] : ['AuthenticationRequired', 'NoAccessError']
  // every route that requires credentials limits how many credential checks can wait
  const limits = isPublic && !isLimited(route) ? [] : ['RateLimitError']
  const takesForms = route.method === 'GET' || isOfSdks || route.permission === 'public'
  const media = route.body === undefined && takesForms ? [] : ['ContentTypeerror']
  const input = hasInput(route) ? ['ValidationError', 'PayloadTooLargeError'] : []
  const path = route.url.includes(':') ? ['ValidationError', 'NotFoundError'] : []
  const maintenance = isRefusedInMaintenance(route) ? ['MaintenanceModeError'] : []
  const added = [...access, ...limits, ...media, ...input, ...path, ...maintenance]
  const problems = [...new Set([...route.problems, ...added])]
  const answersSdks = isOfSdks || route.url.startsWith('/ofrep/')
  return { ...route, problems: answersSdks ? problems.map((name) => FOR_SDKS[name] ?? name) : problems }
}

/**
 * Returns true if a request to the route can contain invalid input: a query, headers or a body. Routes without a body
 * still reject a body that is not JSON.
 */
function hasInput(route: RouteShape): boolean {
  return route.query !== undefined || route.method !== 'GET' || revisionDocs(route).request !== undefined
}

const FOR_SDKS: Readonly<Record<string, string>> = {
  AuthenticationRequired: 'SdkUnauthorized',
  NoAccessError: 'SdkForbidden',
}

function markDeprecated(route: RouteShape): RouteShape {
  return DEPRECATED_OPERATIONS.has(`${route.method} ${route.url}`) ? { ...route, isDeprecated: true } : route
}
