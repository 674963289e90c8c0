import type { TSchema } from 'typebox'
import { compareText } from '../compare-text.ts'
import { DEFAULT_LIMITS } from '../http/connections.ts'
import type { RouteShape } from '../http/route.ts'
import { boundList, copySchema, DEFAULT_MAX_ITEMS } from '../input/list-limit.ts'
import { NEVER_IGNORED } from '../input/never-ignored.ts'

/** Documentation of an error that `Route.problems` can name: its status, and when it occurs. */
export interface ProblemDoc {
  readonly status: number
  readonly description?: string
  /** Media type of the error reply if it is not JSON. */
  readonly contentType?: string
  /** Schema of the error body; overrides the document's `problemSchema`. */
  readonly schema?: TSchema
}

/** Options of `buildOpenApiDocument`. */
export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  readonly description?: string
  /**
   * Prefix of all routes: '' or a path such as '/base'. The document contains it in the server URL and does not repeat
   * it in paths.
   */
  readonly basePath: string
  readonly routes: readonly RouteShape[]
  /** Documentation of every error that any route names. */
  readonly problems: Readonly<Record<string, ProblemDoc>>
  /** Schema of error bodies, unless an error has a different one. */
  readonly problemSchema: TSchema
  /** Schemas by name. A route that uses one of these objects refers to it by name in the document. */
  readonly schemas?: Readonly<Record<string, TSchema>>
  /** Returns the documented headers of a route's requests and replies. */
  readonly getHeaders?: (route: RouteShape) => HeaderDocs
  /** OpenAPI security schemes. For a route that is not 'public', a caller must satisfy only one of these schemes. */
  readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Documentation of a header. `pattern` is a regular expression for the accepted values of a request header. */
export interface HeaderDoc {
  readonly description: string
  readonly pattern?: string
}

/**
 * Descriptions of the headers of a route, by header name. Reply headers are documented for the replies that the route
 * itself declares.
 */
export interface HeaderDocs {
  readonly request?: Readonly<Record<string, HeaderDoc>>
  readonly reply?: Readonly<Record<string, string>>
}

/** JSON object within the document. */
export type OpenApiNode = Readonly<Record<string, unknown>>

/** OpenAPI document. `paths` maps each path to its operations, keyed by method in lower case. */
export interface OpenApiDocument extends OpenApiNode {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiNode>>>>
}

/**
 * Creates an OpenAPI 3.1 document as plain data. The order of routes does not affect the result. Throws an Error if a
 * route names an error that `problems` does not contain, or if two routes have the same method and path.
 */
export function buildOpenApiDocument(options: OpenApiOptions): OpenApiDocument {
  const write = createSchemaWriter(options.schemas ?? {})
  const paths: Record<string, Record<string, OpenApiNode>> = {}
  for (const route of [...options.routes].sort(compareRoutes)) {
    const path = route.url.replaceAll(PARAMETER, '{$1}')
    const method = route.method.toLowerCase()
    paths[path] ??= {}
    if (Object.hasOwn(paths[path], method)) throw new Error(`Two routes answer ${route.method} ${path}`)
    paths[path][method] = buildOperation(route, options, write)
  }
  const named = Object.entries(options.schemas ?? {}).sort(([a], [b]) => compareText(a, b))
  const schemas = Object.fromEntries(named.map(([name, schema]) => [name, write(schema, schema)]))
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version, ...omitUndefined({ description: options.description }) },
    servers: [{ url: options.basePath === '' ? '/' : options.basePath }],
    tags: [...new Set(options.routes.map((route) => route.tag))].sort(compareText).map((name) => ({ name })),
    paths,
    components: {
      schemas: boundRequestSchemas(schemas, paths),
      securitySchemes: options.securitySchemes ?? {},
    },
  }
}

type SchemaWriter = (schema: object, asItself?: object) => unknown

const PARAMETER = /:(\w+)/g

const EVENT_STREAM = 'text/event-stream'

function buildOperation(route: RouteShape, options: OpenApiOptions, write: SchemaWriter): OpenApiNode {
  const headers = options.getHeaders?.(route) ?? {}
  const parameters = [
    ...buildPathParameters(route, write),
    ...buildQueryParameters(route, write),
    ...buildHeaderParameters(headers.request ?? {}),
  ]
  const isPublic = route.permission === 'public'
  return {
    operationId: buildOperationId(route),
    summary: route.summary,
    ...omitUndefined({ description: route.description }),
    tags: [route.tag],
    ...(route.isDeprecated === true ? { deprecated: true } : {}),
    ...(isPublic || route.permission === null ? {} : { 'x-permission': route.permission }),
    ...omitUndefined({ 'x-event-types': route.eventTypes }),
    security: isPublic ? [] : Object.keys(options.securitySchemes ?? {}).map((name) => ({ [name]: [] })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: buildRequestBody(route, route.body, write) }),
    responses: {
      ...(parameters.length === 0 ? {} : HEADERS_TOO_LARGE),
      ...buildProblemReplies(route, options, write),
      ...buildReplies(route, headers.reply, write),
    },
  }
}

/**
 * Reply that the listening socket sends if URL and headers of a request exceed the maximum size. The reply has no body.
 */
const HEADERS_TOO_LARGE = {
  431: { description: `URL and headers together have more than ${DEFAULT_LIMITS.maxHeaderBytes / 1024} KiB` },
}

/** Returns the operation id of a route: `GET /things/:id/parts` → getThingsByIdParts. */
function buildOperationId(route: RouteShape): string {
  const words = route.url.replaceAll(PARAMETER, 'by-$1').split(/\W+/).filter(Boolean)
  return route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

type ParameterSchema = TSchema & {
  readonly default?: unknown
  readonly type?: string
  readonly anyOf?: readonly ParameterSchema[]
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ParameterSchema>>
  readonly required?: readonly string[]
}

function buildPathParameters(route: RouteShape, write: SchemaWriter): OpenApiNode[] {
  const { properties = {} } = (route.params ?? {}) as ObjectSchema
  return [...route.url.matchAll(PARAMETER)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: boundTexts(write(properties[name] ?? { type: 'string' })),
  }))
}

/**
 * Returns the documentation of the query parameters. Properties of an object are written as `name[property]=value`;
 * parameters with a default are optional.
 */
function buildQueryParameters(route: RouteShape, write: SchemaWriter): OpenApiNode[] {
  const { properties = {}, required = [] } = (route.query ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, schema]) => {
    const described = selectDocumentedForm(schema)
    return {
      name,
      in: 'query',
      required: required.includes(name) && schema.default === undefined,
      ...(described.type === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema: boundTexts(write(described)),
    }
  })
}

/**
 * Adds limits to the strings and lists in a parameter that have none. A string cannot be longer than request line and
 * headers together, and validation limits the length of lists.
 */
function boundTexts(written: unknown): OpenApiNode {
  const schema = written as OpenApiNode
  const { type, anyOf, items } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(boundTexts) }
  if (type === 'array' && items !== undefined) {
    return { maxItems: DEFAULT_MAX_ITEMS, ...schema, items: boundTexts(items) }
  }
  const isBounded = ['maxLength', 'enum', 'const'].some((name) => schema[name] !== undefined)
  return type === 'string' && !isBounded ? { ...schema, maxLength: DEFAULT_LIMITS.maxHeaderBytes } : schema
}

/**
 * Returns the member of a union that is an object schema. Other members of the union are accepted but not documented.
 */
function selectDocumentedForm(schema: ParameterSchema): ParameterSchema {
  return schema.anyOf?.find(({ type }) => type === 'object') ?? schema
}

function buildHeaderParameters(headers: Readonly<Record<string, HeaderDoc>>): OpenApiNode[] {
  return Object.entries(headers).map(([name, { description, pattern }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: boundTexts({ type: 'string', ...omitUndefined({ pattern }) }),
  }))
}

function buildRequestBody(route: RouteShape, body: TSchema, write: SchemaWriter): OpenApiNode {
  const { bodyOptional, bodyForms = [], neverIgnored } = route
  const writeBody = (schema: TSchema) => boundLists(write(schema))
  const others = bodyForms.map(({ mediaType, schema }) => [mediaType, { schema: writeBody(schema) }])
  const content = { 'application/json': { schema: writeBody(body) }, ...Object.fromEntries(others) }
  return { required: bodyOptional !== true, content, ...omitUndefined({ [NEVER_IGNORED]: neverIgnored }) }
}

/** Adds the limit that validation enforces to every list that has no limit. */
function boundLists(written: unknown): unknown {
  return typeof written === 'object' && written !== null ? copySchema(written, (copy) => boundList(copy)) : written
}

/** Adds list limits to the named schemas that requests use, including those used through other named schemas. */
function boundRequestSchemas(
  schemas: Readonly<Record<string, unknown>>,
  paths: OpenApiDocument['paths'],
): Readonly<Record<string, unknown>> {
  const bounded = { ...schemas }
  const isDone = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(part) ?? '').matchAll(REFERENCE)) {
      if (isDone.has(name)) continue
      isDone.add(name)
      bounded[name] = boundLists(schemas[name])
      visit(schemas[name])
    }
  }
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) visit(operation.requestBody)
  return bounded
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

function buildReplies(
  route: RouteShape,
  headers: Readonly<Record<string, string>> | undefined,
  write: SchemaWriter,
): Record<string, OpenApiNode> {
  const named = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  const own = named.length === 0 ? {} : { headers: Object.fromEntries(named) }
  const entries = Object.entries(route.replies).map(([status, reply]) => {
    const { description, schema, contentType, textType } = reply
    if (schema === undefined && contentType === undefined) return [status, { description, ...own }]
    // OpenAPI 3.1 cannot express a schema for the individual events of a stream
    if (contentType === EVENT_STREAM) return [status, { description, ...own, content: { [EVENT_STREAM]: {} } }]
    const content = { schema: schema === undefined ? { type: 'string' } : write(schema) }
    const text = textType === undefined ? {} : { [textType]: { schema: { type: 'string' } } }
    return [status, { description, ...own, content: { [contentType ?? 'application/json']: content, ...text } }]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns one reply per status, with a description that lists the errors that have this status. If the route itself
 * documents a reply for a status, that reply takes precedence.
 */
function buildProblemReplies(
  route: RouteShape,
  options: OpenApiOptions,
  write: SchemaWriter,
): Record<string, OpenApiNode> {
  const byStatus = new Map<number, string[]>()
  const contents = new Map<number, OpenApiNode>()
  for (const name of [...route.problems].sort(compareText)) {
    const problem = Object.hasOwn(options.problems, name) ? options.problems[name] : undefined
    if (problem === undefined) throw new Error(`${route.method} ${route.url} names the unknown problem "${name}"`)
    const text = problem.description === undefined ? name : `${name}: ${problem.description}`
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), text])
    const own = write(problem.schema ?? options.problemSchema)
    const schema = problem.contentType === undefined ? own : { type: 'string' }
    const media = { [problem.contentType ?? 'application/json']: { schema } }
    contents.set(problem.status, { ...contents.get(problem.status), ...media })
  }
  return Object.fromEntries(
    [...byStatus].map(([status, texts]) => [
      status,
      { description: texts.join('; '), ...omitUndefined({ content: contents.get(status) }) },
    ]),
  )
}

/**
 * Returns a function that converts schemas to plain JSON. Schemas that have a name become references. Tuples are
 * written in the form of JSON Schema 2020-12.
 */
function createSchemaWriter(named: Readonly<Record<string, TSchema>>): SchemaWriter {
  const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]))
  const write = (value: unknown, asItself?: object): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => write(item))
    const name = value === asItself ? undefined : names.get(value)
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
    const plain = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, write(inner)]))
    if (!Array.isArray(plain.items)) return plain
    const { items, additionalItems: _, ...rest } = plain
    return { ...rest, prefixItems: items, items: false }
  }
  return write
}

function omitUndefined(members: OpenApiNode): OpenApiNode {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function compareRoutes(a: RouteShape, b: RouteShape): number {
  return compareText(a.url, b.url) || compareText(a.method, b.method)
}
