import Type from 'typebox'
import { expect, test } from 'vitest'
import { type Route, routesFor } from '../http/route.ts'
import { buildOpenApiDocument, type OpenApiOptions } from './openapi.ts'

const route = routesFor<string>()
const Thing = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String({ minLength: 1 })) })
const Problem = Type.Object({ name: Type.String(), message: Type.String() })
const handle = () => ({})

const readThing = route({
  method: 'GET',
  url: '/things/:id/parts/:part',
  summary: 'One part.',
  description: 'In full.',
  tag: 'things',
  permission: null,
  params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  query: Type.Object({
    limit: Type.Integer({ default: 10 }),
    from: Type.String(),
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  replies: { 200: { description: 'The part.', schema: Thing } },
  problems: ['NotFound', 'Forbidden', 'Missing'],
  handle,
})
const writeThing = route({
  method: 'POST',
  url: '/things',
  summary: 'Adds.',
  tag: 'things',
  permission: 'CREATE_THING',
  body: Type.Object({ things: Type.Array(Thing), place: Type.Tuple([Type.Number(), Type.Number()]) }),
  replies: { 201: { description: 'Added.' }, 404: { description: 'No place.', contentType: 'text/html' } },
  problems: ['NotFound'],
  handle,
})
const health = route({
  method: 'GET',
  url: '/health',
  summary: 'Up?',
  tag: 'system',
  permission: 'public',
  replies: { 200: { description: 'Up.', contentType: 'text/plain' } },
  problems: [],
  handle,
})

const OPTIONS: OpenApiOptions = {
  title: 'Things',
  version: '1.2.3',
  basePath: '/base',
  routes: [writeThing, readThing, health] as Route<never>[],
  problems: {
    NotFound: { status: 404, description: 'it is not there' },
    Missing: { status: 404 },
    Forbidden: { status: 403 },
    Unused: { status: 500 },
  },
  problemSchema: Problem,
  schemas: { Thing, Problem },
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'authorization' }, session: { type: 'http' } },
}

const document = buildOpenApiDocument(OPTIONS)

test('the frame: version, title, server, tags and named schemas', () => {
  const { paths, ...frame } = document
  expect(Object.keys(paths)).toEqual(['/health', '/things', '/things/{id}/parts/{part}'])
  expect(frame).toEqual({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.2.3' },
    servers: [{ url: '/base' }],
    tags: [{ name: 'system' }, { name: 'things' }],
    components: {
      schemas: {
        Problem: {
          type: 'object',
          required: ['name', 'message'],
          properties: { name: { type: 'string' }, message: { type: 'string' } },
        },
        Thing: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 } },
        },
      },
      securitySchemes: OPTIONS.securitySchemes,
    },
  })
})

test('parameters of path and query, replies and problems by status', () => {
  expect(document.paths['/things/{id}/parts/{part}']?.get).toEqual({
    operationId: 'getThingsByIdPartsByPart',
    summary: 'One part.',
    description: 'In full.',
    tags: ['things'],
    security: [{ key: [] }, { session: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      { name: 'part', in: 'path', required: true, schema: { type: 'string', maxLength: 16_384 } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 10 } },
      { name: 'from', in: 'query', required: true, schema: { type: 'string', maxLength: 16_384 } },
      {
        name: 'properties',
        in: 'query',
        required: false,
        style: 'deepObject',
        explode: true,
        schema: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
      },
    ],
    responses: {
      200: { description: 'The part.', content: jsonOf({ $ref: '#/components/schemas/Thing' }) },
      403: { description: 'Forbidden', content: jsonOf({ $ref: '#/components/schemas/Problem' }) },
      404: {
        description: 'Missing; NotFound: it is not there',
        content: jsonOf({ $ref: '#/components/schemas/Problem' }),
      },
      431: { description: 'URL and headers together have more than 16 KiB' },
    },
  })
})

test('body, permission, a reply without body; a documented status is not overwritten by a problem', () => {
  expect(document.paths['/things']?.post).toEqual({
    operationId: 'postThings',
    summary: 'Adds.',
    tags: ['things'],
    'x-permission': 'CREATE_THING',
    security: [{ key: [] }, { session: [] }],
    requestBody: {
      required: true,
      content: jsonOf({
        type: 'object',
        required: ['things', 'place'],
        properties: {
          things: { type: 'array', maxItems: 100_000, items: { $ref: '#/components/schemas/Thing' } },
          place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
        },
      }),
    },
    responses: {
      201: { description: 'Added.' },
      404: { description: 'No place.', content: { 'text/html': { schema: { type: 'string' } } } },
    },
  })
})

test('documents a problem whose media type is not JSON', () => {
  const problems = { ...OPTIONS.problems, NotFound: { status: 404, contentType: 'text/plain' } }
  const { paths } = buildOpenApiDocument({ ...OPTIONS, problems, routes: [readThing] as Route<never>[] })
  expect(paths['/things/{id}/parts/{part}']?.get).toMatchObject({
    responses: {
      404: {
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
    },
  })
})

test('a public route needs nothing; text replies have their type', () => {
  expect(document.paths['/health']?.get).toEqual({
    operationId: 'getHealth',
    summary: 'Up?',
    tags: ['system'],
    security: [],
    responses: { 200: { description: 'Up.', content: { 'text/plain': { schema: { type: 'string' } } } } },
  })
})

test('a body that may be left out', () => {
  const optional = buildOpenApiDocument({
    ...OPTIONS,
    routes: [{ ...writeThing, bodyOptional: true }] as Route<never>[],
  })
  expect(optional.paths['/things']?.post).toMatchObject({ requestBody: { required: false } })
})

test('the order of routes and schemas does not matter, and all is plain JSON', () => {
  const turned = buildOpenApiDocument({
    ...OPTIONS,
    routes: [...OPTIONS.routes].reverse(),
    schemas: { Problem, Thing },
  })
  expect(JSON.stringify(turned)).toBe(JSON.stringify(document))
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('documents routes without base path, names and security', () => {
  const { schemas: _, securitySchemes: __, ...plain } = OPTIONS
  const small = buildOpenApiDocument({
    ...plain,
    basePath: '',
    description: 'All.',
    routes: [readThing] as Route<never>[],
  })
  expect(small).toMatchObject({ info: { description: 'All.' }, servers: [{ url: '/' }], components: { schemas: {} } })
  expect(JSON.stringify(small)).not.toContain('$ref')
  expect(small.paths['/things/{id}/parts/{part}']?.get).toMatchObject({ security: [] })
})

test.each<[string, Route<never>[], string]>([
  ['an unknown problem', [{ ...health, problems: ['constructor'] }] as Route<never>[], 'unknown problem "constructor"'],
  ['a route twice', [health, health] as Route<never>[], 'Two routes answer GET /health'],
])('%s is an error', (_name, routes, message) => {
  expect(() => buildOpenApiDocument({ ...OPTIONS, routes })).toThrow(message)
})

function jsonOf(schema: object) {
  return { 'application/json': { schema } }
}
