import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { startServer, type TestServer } from '../scenario.ts'

const folder = temporaryFolder()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ baseUriPath: '/flags' })
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

interface Schema {
  readonly type?: string
  readonly enum?: unknown
  readonly const?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
}

interface Media {
  readonly schema: object
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly security: unknown[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
}

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
  readonly openapi: string
  readonly servers: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const description = async () => (await server.call({ call: 'GET /flags/docs/openapi.json' })).json() as Description

/** Returns the schemas of free text that occur in the schema of a parameter. */
function listTexts(schema: Schema): readonly Schema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(listTexts)
  if (schema.items !== undefined) return listTexts(schema.items)
  return schema.type === 'string' && schema.enum === undefined && schema.const === undefined ? [schema] : []
}

/** Calls `visit` with a schema and each schema inside it, and its path. Follows each reference once. */
function visitSchemas(
  schemas: Description['components']['schemas'],
  schema: object,
  visit: (schema: Schema, path: string) => void,
): void {
  const known = new Set<string>()
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const inner of node) walk(inner, path)
      return
    }
    const { $ref } = node as { readonly $ref?: string }
    if ($ref !== undefined) {
      const name = $ref.replace('#/components/schemas/', '')
      if (!known.has(name)) {
        known.add(name)
        walk(schemas[name], `${path}/${name}`)
      }
      return
    }
    visit(node as Schema, path)
    for (const [key, inner] of Object.entries(node)) walk(inner, `${path}/${key}`)
  }
  walk(schema, '')
}

describe('the description', () => {
  test('has no linter errors', async () => {
    mkdirSync(folder.path, { recursive: true })
    const file = join(folder.path, 'openapi.json')
    writeFileSync(file, JSON.stringify(await description()))
    const redocly = join(import.meta.dirname, '..', '..', '..', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const lint = promisify(execFile)(process.execPath, [redocly, 'lint', '--format=json', file], {
      env,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: { stdout: string }) => error)
    const { totals, problems } = JSON.parse((await lint).stdout) as {
      totals: { errors: number }
      problems: { severity: string; message: string; location: unknown }[]
    }
    expect(problems.filter((problem) => problem.severity === 'error').slice(0, 5)).toEqual([])
    expect(totals.errors).toBe(0)
  })

  test('declares 429 for every operation except probes', async () => {
    const { paths } = await description()
    const without = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        responses['429'] === undefined ? [`${method} ${path}`] : [],
      ),
    )
    expect(without.sort()).toEqual(['get /health', 'get /internal-backstage/prometheus', 'get /ready'])
  })

  test('bounds every text in a parameter, and those in queries of the admin API more tightly than the URL', async () => {
    const { paths } = await description()
    const texts = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters = [] }]) =>
        parameters.flatMap(({ name, in: place, schema }) => {
          const isTight = place === 'query' && path.startsWith('/api/admin/')
          const at = `${method} ${path} ${place} ${name}`
          return listTexts(schema).map((one) => ({
            ...one,
            at,
            max: isTight && one.pattern === undefined ? 15_000 : 16_384,
          }))
        }),
      ),
    )
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.filter(({ maxLength, max }) => maxLength === undefined || maxLength > max)).toEqual([])
  })

  test('bounds every list in a request', async () => {
    const { paths, components } = await description()
    const lists: { readonly at: string; readonly maxItems: number | undefined }[] = []
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(item)) {
        const parts = [...parameters, ...Object.values(requestBody?.content ?? {})].map(({ schema }) => schema)
        for (const part of parts) {
          visitSchemas(components.schemas, part, (schema, at) => {
            const isTuple = 'prefixItems' in schema
            if (schema.type === 'array' && !isTuple) {
              lists.push({ at: `${method} ${path} ${at}`, maxItems: schema.maxItems })
            }
          })
        }
      }
    }
    expect(lists.length).toBeGreaterThan(200)
    expect(lists.filter(({ maxItems }) => maxItems === undefined)).toEqual([])
  })

  test.each<[string, string, string, (items: readonly string[]) => object, number]>([
    [
      'values',
      'POST /api/admin/projects/default/features/f/environments/development/strategies',
      'body/constraints/0/values',
      (values) => ({ name: 'default', constraints: [{ contextName: 'a', operator: 'IN', values }] }),
      10_000,
    ],
    [
      'flags of a tag change',
      'PUT /api/admin/projects/default/tags',
      'body/features',
      (features) => ({ features, tags: { addedTags: [], removedTags: [] } }),
      5000,
    ],
  ])('rejects %s beyond the documented bound, and names them', async (_, call, place, make, max) => {
    const body = make(Array.from({ length: max + 1 }, () => 'a'))
    const reply = await server.call({ as: 'admin', call: call.replace(' ', ' /flags'), body })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining(place)])
    expect(reply.body).toContain(`must not have more than ${max} items`)
  })

  test('contains exactly the routes below the base path', async () => {
    const { openapi, servers, paths } = await description()
    expect(openapi).toBe('3.1.0')
    expect(servers).toEqual([{ url: '/flags' }])
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = server.server.routes
      // the nested manifest is only for callers that append the manifest path twice
      .filter((route) => !/^\/docs\/|\*$|manifest.*manifest/.test(route.url))
      .map((route) => `${route.method} ${route.url.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.sort()).toEqual(routes.sort())
  })

  test('marks what clients should leave, as the established server does', async () => {
    const { paths, components } = (await description()) as Description & {
      components: { schemas: Record<string, { properties: Record<string, { deprecated?: boolean }> }> }
    }
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        (operation as { deprecated?: boolean }).deprecated === true ? [`${method} ${path}`] : [],
      ),
    )
    expect(operations.sort()).toEqual([
      'get /api/admin/archive/features',
      'get /api/admin/archive/features/{projectId}',
      'get /api/admin/features',
      'get /api/admin/instance-admin/statistics',
      'get /api/admin/projects/{projectId}',
      'get /api/admin/projects/{projectId}/features/{featureName}/variants',
      'get /api/admin/state/export',
      'post /api/admin/state/import',
    ])
    const fields = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { deprecated }]) =>
        deprecated === true ? [`${name}.${field}`] : [],
      ),
    )
    expect(fields.sort()).toEqual([
      'AdminFeature.lastSeenAt',
      'AdminFeature.variants',
      'ApiToken.username',
      'FeatureListItem.lastSeenAt',
      'User.isAPI',
    ])
  })

  test('gives an event its version and the format of its time', async () => {
    const { components, paths } = (await description()) as Description & {
      components: { schemas: Record<string, { properties: Record<string, object> }> }
    }
    for (const path of ['/api/admin/events', '/api/admin/events/{featureName}'])
      expect(JSON.stringify(paths[path]?.get?.responses['200'])).toContain('"version":{"type":"number","const":1}')
    expect(components.schemas.Event?.properties.createdAt).toEqual({ type: 'string', format: 'date-time' })
    const reply = (await server.call({ as: 'admin', call: 'GET /flags/api/admin/events' })).json()
    expect(reply.version).toBe(1)
  })

  test("documents the header that reads one's own writes, and the replies that carry it", async () => {
    const { paths } = await description()
    const header = 'x-burgee-revision'
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { parameters = [], responses }] of Object.entries(item)) {
        const isAdministration = path.startsWith('/api/admin')
        const taken = parameters.filter(({ name }) => name === header).map((parameter) => parameter.in)
        const told = Object.entries(responses).filter(([, { headers = {} }]) => header in headers)
        const call = `${method} ${path}`
        expect([call, taken]).toEqual([call, isAdministration ? ['header'] : []])
        expect([call, told.length > 0]).toEqual([call, isAdministration && method !== 'get'])
      }
    }
  })

  test('documents the errors of every call', async () => {
    const { paths } = await description()
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { security, responses }] of Object.entries(item)) {
        const call = `${method} ${path}`
        if (security.length > 0)
          expect([call, Object.keys(responses)]).toEqual([call, expect.arrayContaining(['401', '403'])])
      }
    }
  })
})

describe('the page', () => {
  test.each([
    ['/flags/docs/openapi', 200, 'text/html; charset=utf-8'],
    ['/flags/docs/openapi/page.js', 200, 'text/javascript; charset=utf-8'],
    ['/flags/docs/openapi/page.css', 200, 'text/css; charset=utf-8'],
    ['/docs/openapi', 404, 'application/json; charset=utf-8'],
  ])('%s → %i %s', async (path, status, type) => {
    const reply = await server.call({ call: `GET ${path}` })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, type])
  })
})
