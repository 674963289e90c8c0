import type { TSchema } from 'typebox'
import { compareText } from '../compare-text.ts'
import { DEFAULT_LIMITS } from '../http/connections.ts'
import type { RouteShape } from '../http/route.ts'
import { boundList, copySchema, DEFAULT_MAX_ITEMS } from '../input/list-limit.ts'
import { NEVER_IGNORED } from '../input/never-ignored.ts'

/** Documentation of an error named in `Route.problems`: its status and the situations in which it occurs. */
export interface ProblemDoc {
  readonly status: number
  readonly description?: string
  /** Media type of the reply if it is not JSON. */
  readonly contentType?: string
  /** Schema of the body; overrides the document's `problemSchema`. */
  readonly schema?: TSchema
}

/** Options of `buildOpenApiDocument`. */
export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  readonly description?: string
  /** Prefix of all routes: '' or '/base'. Becomes the server's URL; paths do not repeat it. */
  readonly basePath: string
  readonly routes: readonly RouteShape[]
  /** Documentation of every error that a route names. */
  readonly problems: Readonly<Record<string, ProblemDoc>>
  /** Default schema of error bodies. */
  readonly problemSchema: TSchema
  /** Schemas by name. A route that uses one of these schema objects gets a reference to the named schema. */
  readonly schemas?: Readonly<Record<string, TSchema>>
  /** Returns the documented headers of a route's requests and replies. */
  readonly getHeaders?: (route: RouteShape) => HeaderDocs
  /** OpenAPI security schemes. A caller needs only one of the schemes for routes that are not 'public'. */
  readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Documentation of a header. `pattern` is a regular expression that accepted values of a request header match. */
export interface HeaderDoc {
  readonly description: string
  readonly pattern?: string
}

/** Descriptions of a route's headers by name. Reply headers apply to the replies that the route documents itself. */
export interface HeaderDocs {
  readonly request?: Readonly<Record<string, HeaderDoc>>
  readonly reply?: Readonly<Record<string, string>>
}

/** A JSON object of the document. */
export type OpenApiNode = Readonly<Record<string, unknown>>

/** OpenAPI document. `paths` maps each path to its operations by lower-case method. */
export interface OpenApiDocument extends OpenApiNode {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiNode>>>>
}

/**
 * Creates an OpenAPI 3.1 document as plain data. The order of routes does not affect the result. Throws an Error if
 * `problems` lacks an error that a route names, and for two routes with the same method and path.
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

/** Reply of the listening socket to a request whose parameters have more text than it reads. It has no body. */
const HEADERS_TOO_LARGE = {
  431: { description: `URL and headers together have more than ${DEFAULT_LIMITS.maxHeaderBytes / 1024} KiB` },
}

/** Returns the operation id: `GET /things/:id/parts` → getThingsByIdParts. */
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
 * Returns the query parameters. Objects use the form `name[property]=value`; parameters with a default are optional.
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
 * Adds limits to texts and lists of a parameter that have none. No text can be longer than the request line and the
 * headers together, and validation limits lists.
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

/** Returns the object schema in a union. Other members of the union are accepted but not documented. */
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

/** Adds the limit that validation enforces to lists without their own limit. */
function boundLists(written: unknown): unknown {
  return typeof written === 'object' && written !== null ? copySchema(written, (copy) => boundList(copy)) : written
}

/** Adds the limit of lists to the named schemas that requests use, also through other named schemas. */
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
    // OpenAPI 3.1 has no schema for single events of a stream
    if (contentType === EVENT_STREAM) return [status, { description, ...own, content: { [EVENT_STREAM]: {} } }]
    const content = { schema: schema === undefined ? { type: 'string' } : write(schema) }
    const text = textType === undefined ? {} : { [textType]: { schema: { type: 'string' } } }
    return [status, { description, ...own, content: { [contentType ?? 'application/json']: content, ...text } }]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns one reply per status; its description lists the errors. A reply that the route documents itself overrides the
 * reply for the same status.
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
 * Returns a function that copies schemas to plain JSON. Named schemas become references. Tuples use the form of JSON
 * Schema 2020-12.
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
