import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Export of a whole installation as one document, and import of the document here or elsewhere. */
let server: TestServer
let now = Date.parse('2030-01-02T03:04:05Z')
const A = '/api/admin'
const F = `${A}/projects/default/features`
const EXPORT = `GET ${A}/state/export`
const IMPORT = `POST ${A}/state/import`
const as = 'admin'

type Part = Record<string, unknown>[]
type Document = { version: number } & Record<string, Part>

async function fill(on: TestServer): Promise<void> {
  await on.admin(`POST ${A}/projects`, { id: 'shop', name: 'Shop', description: 'd' })
  await on.admin(`POST ${A}/tag-types`, { name: 'team' })
  await on.admin(`POST ${A}/strategies`, { name: 'own', description: 'x', parameters: [{ name: 'p', type: 'string' }] })
  const { id } = await on.admin(`POST ${A}/segments`, { name: 'nordic', constraints: [] })
  await on.admin(`POST ${A}/projects/shop/features`, { name: 'f1', description: 'one', impressionData: true })
  await on.admin(`POST ${F}`, { name: 'plain' })
  await on.admin(`POST ${F}`, { name: 'gone' })
  await on.admin(`DELETE ${F}/gone`)
  await on.admin(`POST ${A}/features/f1/tags`, { type: 'team', value: 'blue' })
  const E = `${A}/projects/shop/features/f1/environments/development`
  await on.admin(`POST ${E}/strategies`, { name: 'flexibleRollout', parameters: { rollout: '1' }, segments: [id] })
  await on.admin(`POST ${E}/strategies`, { name: 'own', parameters: { p: 'x' } })
  await on.admin(`PUT ${E}/variants`, [{ name: 'v', weight: 1000 }])
  await on.admin(`POST ${E}/on`)
}

beforeAll(async () => {
  server = await startServer({}, () => now)
  await fill(server)
  now += 1000
})
afterAll(() => server.close())

const exported = async (query = ''): Promise<Document> => server.admin(`${EXPORT}${query}`)
const keysOf = (list: Part | undefined, key: string) => list?.map((one) => one[key])

/** Returns a YAML bomb: nested lists, each ten times as large as the previous list. */
function bomb(): string {
  const lists = Array.from({ length: 8 }, (_, index) => {
    const inner = index === 0 ? '"x"' : `*a${index - 1}`
    return `a${index}: &a${index} [${Array.from({ length: 10 }, () => inner).join(',')}]`
  })
  return lists.join('\n')
}

/** Removes everything from a document that differs between servers: ids and times. */
function plain({ featureStrategySegments, ...document }: Record<string, unknown>): unknown {
  const strip = (one: object) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => !/^(id|createdAt|createdBy|sortOrder)$/.test(key)))
  const lists = Object.entries(document).map(([key, part]) => [key, Array.isArray(part) ? part.map(strip) : part])
  return { ...Object.fromEntries(lists), links: (featureStrategySegments as Part).length }
}

describe('a document with restrictions that would be ignored', () => {
  const strategy = { name: 'default' }
  const flag = { name: 'ignored', enabled: true }
  const stated = { id: 's', featureName: 'ignored', environment: 'development', strategyName: 'default' }
  scenarios(
    () => server,
    (
      [
        [
          'segments in a strategy of version 2',
          { version: 2, features: [{ ...flag, strategies: [{ ...strategy, segments: [1] }] }] },
          'segments',
        ],
        [
          'parents in version 1',
          { version: 1, features: [{ ...flag, dependencies: [{ feature: 'x' }] }] },
          'dependencies',
        ],
        [
          'segments in a strategy of version 4',
          { version: 4, features: [{ name: 'ignored' }], featureStrategies: [{ ...stated, segments: [1] }] },
          'segments',
        ],
        [
          'parents beside flags',
          { version: 4, features: [], dependencies: [{ feature: 'ignored', dependencies: [] }] },
          'dependencies',
        ],
        ['a download of SDKs without a version', { features: [{ ...flag, strategies: [strategy] }] }, 'ignored'],
        [
          'a segment of a strategy that is not there',
          { version: 4, featureStrategySegments: [{ featureStrategyId: 'gone', segmentId: 1 }] },
          'gone',
        ],
        [
          'strategies of version 3 in version 2',
          { version: 2, features: [flag], featureStrategies: [stated] },
          'featureStrategies',
        ],
        [
          'a variant that is disabled',
          {
            version: 1,
            features: [
              { ...flag, strategies: [{ ...strategy, variants: [{ name: 'a', weight: 1, disabled: true }] }] },
            ],
          },
          'disabled',
        ],
      ] as const
    ).map(([name, body, text]) => ({ name, as, call: IMPORT, body, status: 400, text })),
  )
})

describe('the document', () => {
  test('contains unarchived flags and their references', async () => {
    const document = await exported()
    expect(document.version).toBe(4)
    expect(keysOf(document.features, 'name')).toEqual(['f1', 'plain'])
    expect(document.features?.[0]).toMatchObject({
      description: 'one',
      project: 'shop',
      impressionData: true,
      archived: false,
    })
    expect(keysOf(document.strategies, 'name')).toEqual(['own'])
    expect(keysOf(document.projects, 'id')).toEqual(['default', 'shop'])
    expect(keysOf(document.environments, 'name')).toEqual(['development', 'production'])
    expect(document.featureTags).toEqual([{ featureName: 'f1', tagType: 'team', tagValue: 'blue' }])
    expect(keysOf(document.featureStrategies, 'strategyName')).toEqual(['flexibleRollout', 'own'])
    expect(document.featureEnvironments).toHaveLength(4)
    expect(document.featureStrategySegments).toEqual([
      { featureStrategyId: document.featureStrategies?.[0]?.id, segmentId: document.segments?.[0]?.id },
    ])
  })

  test.each([
    ['strategies', ['strategies']],
    ['projects', ['projects']],
    ['tags', ['tagTypes', 'tags', 'featureTags']],
    ['environments', ['environments']],
    ['segments', ['segments', 'featureStrategySegments']],
    [
      'featureToggles',
      ['features', 'featureStrategies', 'featureEnvironments', 'featureTags', 'featureStrategySegments'],
    ],
  ])('leaves out %s where that is false', async (part, empty) => {
    const whole = await exported()
    const document = await exported(`?${part}=false`)
    for (const [key, list] of Object.entries(whole))
      expect([key, document[key]]).toEqual([key, empty.includes(key) ? [] : list])
  })

  test('has the same content as YAML', async () => {
    const reply = await server.call({ as, call: `${EXPORT}?format=yaml` })
    expect(reply.headers['content-type']).toBe('text/yaml; charset=utf-8')
    expect(reply.headers['content-disposition']).toBeUndefined()
    expect(parse(reply.body)).toEqual(await exported())
  })

  test.each([
    ['json', 'json', 'true'],
    ['yaml', 'yml', '1'],
  ])('comes as a file in %s', async (format, ending, download) => {
    const reply = await server.call({ as, call: `${EXPORT}?format=${format}&download=${download}` })
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="export-2030-01-02_03-04-06.${ending}"`)
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: EXPORT, status: 401 },
      { name: 'for an editor', as: 'editor', call: EXPORT, status: 403, text: 'ADMIN' },
      { name: 'in another form', as, call: `${EXPORT}?format=xml`, status: 400, text: 'format' },
      { name: 'from an editor', as: 'editor', call: IMPORT, body: {}, status: 403, text: 'ADMIN' },
      { name: 'of a version to come', as, call: IMPORT, body: { version: 9 }, status: 400, text: 'version' },
      { name: 'of nothing', as, call: IMPORT, body: { features: [] }, status: 202, text: 'Accepted' },
      {
        name: 'a flag without a name',
        as,
        call: IMPORT,
        body: { features: [{}] },
        status: 400,
        text: 'features/0/name',
      },
      { name: 'no document', as, call: IMPORT, body: [], status: 400 },
    ],
  )
})

describe('the import', () => {
  test('makes another installation equal, with the events of each change', async () => {
    const other = await startServer()
    try {
      const document = await exported()
      const last = await other.lastEventId()
      expect((await other.call({ as, call: IMPORT, body: document })).statusCode).toBe(202)
      expect(await other.eventsAfter(last)).toEqual([
        'project-created',
        'tag-type-created',
        'strategy-created',
        'segment-created',
        'feature-created',
        'feature-strategy-add',
        'feature-strategy-add',
        'feature-environment-variants-updated',
        'feature-environment-enabled',
        'tag-created',
        'feature-tagged',
        'feature-created',
      ])
      expect(plain(await other.admin(EXPORT))).toEqual(plain(document))
      const again = await other.lastEventId()
      await other.call({ as, call: IMPORT, body: document })
      expect(await other.eventsAfter(again)).toEqual([])
      const refused = await other.call({ as, call: `${IMPORT}?keep=false`, body: document })
      expect([refused.statusCode, refused.json().message]).toEqual([409, 'Feature f1 already exists'])
      expect(await other.eventsAfter(again)).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('replaces existing content with drop, except for what belongs to remaining projects', async () => {
    const other = await startServer()
    try {
      const document = await exported()
      await other.admin(`POST ${A}/projects`, { id: 'shop', name: 'Theirs' })
      await other.admin(`POST ${A}/projects`, { id: 'old', name: 'Old' })
      await other.admin(`POST ${F}`, { name: 'child' })
      await other.admin(`POST ${F}`, { name: 'plain' })
      await other.admin(`POST ${F}/child/dependencies`, { feature: 'plain' })
      await other.admin(`POST ${A}/segments`, { name: 'gone', constraints: [] })
      await other.admin(`POST ${A}/tags`, { type: 'simple', value: 'gone' })
      await other.admin(`POST ${A}/environments`, { name: 'stage', type: 'test' })
      const token = { tokenName: 't', type: 'client', environment: 'development', projects: ['shop'] }
      const { secret } = await other.admin(`POST ${A}/api-tokens`, token)
      expect((await other.call({ as, call: `${IMPORT}?drop=true`, body: document })).statusCode).toBe(202)
      const after = (await other.admin(EXPORT)) as Document
      expect(plain({ ...after, projects: [] })).toEqual(plain({ ...document, projects: [] }))
      expect(keysOf(after.projects, 'name')).toEqual(['Default', 'Theirs'])
      const download = await other.call({ as: secret, call: 'GET /api/client/features' })
      expect(download.json().features).toMatchObject([{ name: 'f1', enabled: true }])
    } finally {
      await other.close()
    }
  })

  test('changes nothing if it fails, even with drop', async () => {
    const before = await exported()
    const last = await server.lastEventId()
    const strategy = { featureName: 'n', environment: 'development', strategyName: 'nope' }
    for (const body of [
      { features: [{ name: 'n' }], featureStrategies: [strategy], projects: [], segments: [] },
      { features: [{ name: 'n', project: 'nope' }] },
      { features: [{ name: 'n' }, { name: 'n' }] },
      { features: [{ name: 'a b' }] },
      { features: [{ name: 'n' }], featureEnvironments: [{ featureName: 'n', environment: 'nope', enabled: true }] },
    ]) {
      const reply = await server.call({ as, call: `${IMPORT}?drop=true`, body })
      expect(reply.statusCode, reply.body).toBeGreaterThanOrEqual(400)
    }
    expect(await exported()).toEqual(before)
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test.each<[string, object, boolean, object[]]>([
    ['on without a strategy', { enabled: true, strategies: [] }, true, [{ name: 'default' }]],
    [
      'on with a strategy that is disabled',
      { enabled: true, strategies: [{ name: 'default', disabled: true }] },
      true,
      [{ disabled: true }, { name: 'default', disabled: false }],
    ],
    ['off with a strategy', { enabled: false, strategies: [{ name: 'default' }] }, false, [{ name: 'default' }]],
    [
      'on for some',
      { enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: '1' } }] },
      true,
      [{ name: 'userWithId' }],
    ],
  ])('accepts a document of version 1, %s', async (title, flag, enabled, strategies) => {
    const name = `v1-${title.replaceAll(' ', '-')}`
    const reply = await server.call({
      as,
      call: IMPORT,
      body: { version: 1, features: [{ name, description: null, ...flag }] },
    })
    expect(reply.statusCode, reply.body).toBe(202)
    const { environments } = await server.admin(`GET ${F}/${name}`)
    const places = Object.fromEntries(environments.map((one: { name: string }) => [one.name, one]))
    expect(places.default).toMatchObject({ enabled, strategies })
    expect([places.development.enabled, places.production.enabled]).toEqual([false, false])
  })

  test('takes what exports of the established server say, null and all', async () => {
    const body = {
      version: 4,
      features: [
        {
          name: 'theirs',
          description: null,
          type: 'release',
          project: 'default',
          stale: true,
          createdAt: '2026-01-01T00:00:00Z',
          lastSeenAt: null,
          impressionData: false,
          archivedAt: null,
          archived: false,
        },
      ],
      strategies: [{ name: 'customA', description: null, parameters: [], deprecated: true, title: null }],
      projects: [
        {
          id: 'theirs',
          name: 'T',
          description: null,
          health: 100,
          updatedAt: 'x',
          mode: 'open',
          defaultStickiness: 'default',
          featureNaming: {},
        },
      ],
      tagTypes: [{ name: 'their-type', description: null, icon: null }],
      segments: [
        {
          id: 71,
          name: 'their-segment',
          description: null,
          constraints: [],
          createdBy: 'x',
          usedInProjects: 1,
          usedInFeatures: 1,
        },
      ],
      featureStrategies: [
        {
          id: 'x',
          featureName: 'theirs',
          projectId: 'default',
          environment: 'development',
          strategyName: 'default',
          title: null,
          parameters: {},
          constraints: [],
          variants: [],
          disabled: null,
        },
      ],
      featureEnvironments: [{ featureName: 'theirs', environment: 'development', enabled: true, variants: null }],
      featureStrategySegments: [{ featureStrategyId: 'x', segmentId: 71 }],
    }
    const reply = await server.call({ as, call: IMPORT, body })
    expect([reply.statusCode, reply.body]).toEqual([202, 'Accepted'])
    const { stale, environments } = await server.admin(`GET ${F}/theirs`)
    const { segments } = await server.admin(`GET ${A}/segments`)
    const own = segments.find((one: { name: string }) => one.name === 'their-segment')
    expect([stale, environments.find((one: { name: string }) => one.name === 'development')]).toMatchObject([
      true,
      { enabled: true, strategies: [{ name: 'default', title: null, segments: [own.id] }] },
    ])
    expect(await server.admin(`GET ${A}/strategies/customA`)).toMatchObject({ deprecated: true })
  })
})

describe('the document comes in each notation', () => {
  const form = (file: string, name = 'file') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n${file}\r\n--b--\r\n`
  const many = (count: number) =>
    `${'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'.repeat(count)}--b--\r\n`
  const multipart = 'multipart/form-data; boundary=b'
  const yaml = (name: string) => `version: 4\nfeatures:\n  - name: ${name}\n`
  const flags = (name: string) => JSON.stringify({ version: 4, features: [{ name }] })
  const events = ['feature-created']
  const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`
  const tooLong = `features: [] #${'x'.repeat(4_000_000)}`
  scenarios(
    () => server,
    [
      ...['application/yaml', 'text/yaml', 'text/x-yaml; charset=utf-8', 'Application/X-YAML'].map((type, index) => ({
        name: type,
        as,
        call: IMPORT,
        headers: { 'content-type': type },
        raw: yaml(`yaml-${index}`),
        status: 202,
        text: 'Accepted',
        events,
      })),
      {
        name: 'YAML with braces',
        as,
        call: IMPORT,
        headers: { 'content-type': 'text/yaml' },
        status: 202,
        events,
        raw: '{version: 4, features: [{name: braces}]}',
      },
      {
        name: 'a form with YAML with braces',
        as,
        call: IMPORT,
        status: 202,
        raw: form('{version: 4, features: [{name: form-flow}]}'),
        headers: { 'content-type': multipart },
        events,
      },
      ...[form(yaml('form-yaml')), form(flags('form-json'))].map((raw, index) => ({
        name: `a form with ${['YAML', 'JSON'][index]}`,
        as,
        call: IMPORT,
        raw,
        status: 202,
        events,
        headers: { 'content-type': multipart },
      })),
      ...(
        [
          ['text that is no document', 'text/yaml', 'features: [', 400, 'neither JSON nor YAML'],
          ['a flag without a name', 'text/yaml', 'features: [{}]', 400, 'name'],
          ['YAML above the size limit', 'text/yaml', tooLong, 413, 'too large'],
          ['a thing that is written once and meant a thousand times', 'text/yaml', bomb(), 400, 'neither'],
          ['YAML with braces that nests without end', 'text/yaml', deep.replace('"a"', 'a'), 400, 'deeper'],
          ['a form without a file', multipart, form('x', 'other'), 400, 'no field'],
          [
            'a form with two files',
            multipart,
            `${form(flags('one')).slice(0, -7)}${form(flags('two'))}`,
            400,
            'several',
          ],
          ['a form with another boundary', multipart.replace('=b', '=c'), form(flags('x')), 400, 'form is invalid'],
          ['a form without a boundary', 'multipart/form-data', form(flags('x')), 400, 'form is invalid'],
          ['a form of nothing', multipart, '', 400, 'body'],
          ['a form of ten thousand fields', multipart, many(10_000), 400, 'no field'],
          ['a form with more YAML than is read at once', multipart, form(tooLong), 413, 'too large'],
          ['YAML that nests without end', 'text/yaml', `${'- '.repeat(5000)}a`, 400, 'nests too deeply'],
          ['a document of more than 16 MB', 'text/yaml', 'x'.repeat(16 * 1024 * 1024 + 1), 413, 'too large'],
          ['a form that does not end', multipart, form(flags('cut')).slice(0, -9), 400, 'form is invalid'],
          ['JSON that nests without end in a form', multipart, form(deep), 400, 'deeper'],
          ['a form of another kind', 'application/x-www-form-urlencoded', 'file=x', 415, 'content type'],
        ] as const
      ).map(([name, type, raw, status, text]) => ({
        name,
        as,
        call: IMPORT,
        headers: { 'content-type': type },
        raw,
        status,
        text,
      })),
      {
        name: 'a form, anonymous',
        call: IMPORT,
        headers: { 'content-type': multipart },
        raw: form('x'),
        status: 401,
      },
      {
        name: 'a form of an editor',
        as: 'editor',
        call: IMPORT,
        raw: form('x'),
        status: 403,
        headers: { 'content-type': multipart },
      },
    ],
  )
})
