import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Export of flags as a document, and import into a project of the same or another server. */
let server: TestServer
const A = '/api/admin'
const F = `${A}/projects/default/features`
const EXPORT = `POST ${A}/features-batch/export`
const VALIDATE = `POST ${A}/features-batch/validate`
const IMPORT = `POST ${A}/features-batch/import`
const as = 'admin'
const ONLY_NO = [{ contextName: 'country', operator: 'IN', values: ['no'], inverted: true }]
const VARIANTS = [{ name: 'a', weight: 1000, payload: { type: 'string', value: 'x' } }]

type Document = Record<string, Record<string, unknown>[]>

async function fill(on: TestServer): Promise<void> {
  const field = {
    name: 'country',
    description: 'c',
    stickiness: true,
    legalValues: [{ value: 'no', description: 'Norway' }, { value: 'se' }],
  }
  await on.admin(`POST ${A}/context`, field)
  await on.admin(`POST ${A}/tag-types`, { name: 'team', description: 'Team', icon: 'T' })
  const { id } = await on.admin(`POST ${A}/segments`, { name: 'nordic', constraints: [] })
  await on.admin(`POST ${F}`, { name: 'f1', description: 'desc', type: 'experiment', impressionData: true })
  await on.admin(`POST ${F}`, { name: 'parent' })
  await on.admin(`POST ${F}`, { name: 'gone' })
  await on.admin(`DELETE ${F}/gone`)
  await on.admin(`POST ${A}/features/f1/tags`, { type: 'team', value: 'blue' })
  await on.admin(`POST ${F}/f1/dependencies`, { feature: 'parent' })
  const E = `${F}/f1/environments/development`
  const rollout = { name: 'flexibleRollout', parameters: { groupId: 'f1', rollout: '50', stickiness: 'country' } }
  await on.admin(`POST ${E}/strategies`, {
    ...rollout,
    title: 'half',
    constraints: ONLY_NO,
    variants: VARIANTS,
    segments: [id],
  })
  await on.admin(`POST ${E}/strategies`, { name: 'userWithId', parameters: { userIds: '1' }, disabled: true })
  await on.admin(`POST ${E}/strategies`, { name: 'default' })
  await on.admin(`POST ${E}/on`)
}

beforeAll(async () => {
  server = await startServer()
  await fill(server)
  await server.admin(`POST ${A}/projects`, { id: 'shop', name: 'Shop' })
})
afterAll(() => server.close())

async function exported(
  selection: object = { features: ['f1', 'parent'], segmentDefinitions: true },
  environment = 'development',
): Promise<Document> {
  return server.admin(EXPORT, { environment, ...selection })
}

const names = (list: readonly Record<string, unknown>[] = []) => list.map(({ name }) => name)

describe('an export', () => {
  test('contains the state of the flag in the environment and all its references', async () => {
    const { featureStrategies = [], ...document } = await exported()
    expect(document).toEqual({
      features: [
        {
          name: 'f1',
          description: 'desc',
          type: 'experiment',
          project: 'default',
          stale: false,
          impressionData: true,
          archived: false,
        },
        {
          name: 'parent',
          description: null,
          type: 'release',
          project: 'default',
          stale: false,
          impressionData: false,
          archived: false,
        },
      ],
      featureEnvironments: [
        { name: 'f1', featureName: 'f1', environment: 'development', enabled: true, variants: [] },
        { name: 'parent', featureName: 'parent', environment: 'development', enabled: false, variants: [] },
      ],
      contextFields: [
        {
          name: 'country',
          description: 'c',
          stickiness: true,
          sortOrder: expect.any(Number),
          legalValues: [{ value: 'no', description: 'Norway' }, { value: 'se' }],
        },
      ],
      featureTags: [{ featureName: 'f1', tagType: 'team', tagValue: 'blue' }],
      segments: [{ id: expect.any(Number), name: 'nordic', description: null, project: null, constraints: [] }],
      tagTypes: [{ name: 'team', description: 'Team', icon: 'T' }],
      dependencies: [{ feature: 'f1', dependencies: [{ feature: 'parent', enabled: true, variants: [] }] }],
    })
    expect(names(featureStrategies)).toEqual(['flexibleRollout', 'userWithId', 'default'])
    expect(featureStrategies[0]).toMatchObject({
      featureName: 'f1',
      title: 'half',
      disabled: false,
      constraints: ONLY_NO,
    })
    expect(featureStrategies[0]).not.toHaveProperty('sortOrder')
  })

  test('contains only names of segments unless more is requested, which other servers would reject', async () => {
    const { segments } = await exported({ features: ['f1'] })
    expect(segments).toEqual([{ id: expect.any(Number), name: 'nordic' }])
  })

  test.each<[string, object, string[]]>([
    ['all, by an empty list', { features: [] }, ['f1', 'parent']],
    ['by project', { project: 'default' }, ['f1', 'parent']],
    ['by a project without flags', { project: 'shop' }, []],
    ['by the value of a tag', { tag: 'blue' }, ['f1']],
    ['by a tag as a whole', { tag: 'team:blue' }, ['f1']],
    ['an unknown one', { features: ['nope'] }, []],
    ['never an archived one', { features: ['gone'] }, []],
    ['by all criteria', { project: 'default', features: ['parent', 'f1'], tag: 'blue' }, ['f1']],
  ])('selects flags: %s', async (_name, selection, expected) => {
    expect(names((await exported(selection)).features)).toEqual(expected)
  })

  test('writes an event with the selection, but without the content', async () => {
    await exported({ tag: 'blue' })
    const { events } = await server.admin(`GET ${A}/search/events?limit=1`)
    expect(events[0]).toMatchObject({
      type: 'features-exported',
      environment: 'development',
      data: { environment: 'development', tag: 'blue', count: 1 },
    })
    expect(Object.keys(events[0].data).sort()).toEqual(['count', 'environment', 'tag'])
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: EXPORT, body: { environment: 'development', features: [] }, status: 401 },
      {
        name: 'to a viewer',
        as: 'viewer',
        call: EXPORT,
        body: { environment: 'development', features: [], downloadFile: true },
        status: 200,
        events: ['features-exported'],
      },
      { name: 'without an environment', as, call: EXPORT, body: { features: [] }, status: 400, text: 'environment' },
      {
        name: 'without a selection',
        as,
        call: EXPORT,
        body: { environment: 'development' },
        status: 400,
        text: 'project',
      },
      {
        name: 'as it is nowhere',
        as,
        call: EXPORT,
        body: { environment: 'nope', features: [] },
        status: 404,
        text: 'nope',
      },
    ],
  )
})

describe('an import', () => {
  const STATE = { name: 'f1', enabled: true }

  test('produces the same state on another server, and no flag event when repeated', async () => {
    const other = await startServer()
    try {
      const data = await exported()
      await other.admin(`POST ${A}/segments`, { name: 'other', constraints: [] })
      await other.admin(`POST ${A}/segments`, { name: 'nordic', constraints: [] })
      await other.admin(`POST ${A}/projects`, { id: 'target', name: 'Target' })
      const body = { project: 'target', environment: 'production', data }
      const last = await other.lastEventId()
      await other.admin(IMPORT, body)
      expect(await other.eventsAfter(last)).toEqual([
        'context-field-created',
        'tag-type-created',
        'feature-created',
        'feature-strategy-add',
        'feature-strategy-add',
        'feature-strategy-add',
        'feature-environment-enabled',
        'tag-created',
        'feature-tagged',
        'feature-created',
        'feature-dependency-added',
        'features-imported',
      ])
      const back = await other.admin(EXPORT, { environment: 'production', project: 'target' })
      const plain = (document: Document) => ({
        ...document,
        features: document.features?.map(({ project: _own, ...rest }) => rest),
        featureEnvironments: document.featureEnvironments?.map(({ environment: _own, ...rest }) => rest),
        featureStrategies: document.featureStrategies?.map(({ id: _own, segments, ...rest }) => ({
          ...rest,
          segments: (segments as []).length,
        })),
        segments: names(document.segments),
        contextFields: document.contextFields?.map(({ sortOrder: _place, ...rest }) => rest),
      })
      expect(plain(back)).toEqual(plain(data))
      const again = await other.lastEventId()
      await other.admin(IMPORT, body)
      expect(await other.eventsAfter(again)).toEqual(['features-imported'])
      const { environments } = await other.admin(`GET ${A}/projects/target/features/f1`)
      expect(environments).toMatchObject([
        { name: 'development', enabled: false, strategies: [] },
        { name: 'production', enabled: true },
      ])
    } finally {
      await other.close()
    }
  })

  const flag = (name: string, more: object = {}) => ({
    features: [{ name }],
    featureStrategies: [],
    tagTypes: [],
    ...more,
  })
  const into = (data: object, project = 'shop', environment = 'development') => ({ project, environment, data })
  const staff = { featureName: 's', name: 'userWithId', parameters: { userIds: '1' } }

  test('replaces the strategies of this environment, and nothing elsewhere', async () => {
    const S = `${A}/projects/shop/features`
    await server.admin(`POST ${S}`, { name: 's', description: 'kept' })
    for (const environment of ['development', 'production']) {
      await server.admin(`POST ${S}/s/environments/${environment}/strategies`, { name: 'default' })
      await server.admin(`POST ${S}/s/environments/${environment}/on`)
    }
    const last = await server.lastEventId()
    await server.admin(
      IMPORT,
      into(flag('s', { featureStrategies: [staff], featureEnvironments: [{ ...STATE, featureName: 's' }] })),
    )
    expect(await server.eventsAfter(last)).toEqual([
      'feature-strategy-remove',
      'feature-strategy-add',
      'features-imported',
    ])
    const { description, environments } = await server.admin(`GET ${S}/s`)
    expect(description).toBe('kept')
    expect(environments).toMatchObject([
      { enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: '1' } }] },
      { enabled: true, strategies: [{ name: 'default' }] },
    ])
  })

  test('adds an explicit strategy to flags that are on for everyone in the document', async () => {
    const S = `${A}/projects/shop/features`
    const forEveryone = { enabled: true, strategies: [{ name: 'default', constraints: [] }] }
    // this removes the strategies of the flag, and the document contains none
    await server.admin(IMPORT, into(flag('s', { featureEnvironments: [{ ...STATE, featureName: 's' }] })))
    expect((await server.admin(`GET ${S}/s`)).environments[0]).toMatchObject(forEveryone)
    await server.admin(IMPORT, into(flag('t', { featureEnvironments: [{ ...STATE, featureName: 't' }] })))
    expect((await server.admin(`GET ${S}/t`)).environments[0]).toMatchObject(forEveryone)
    const half = { featureName: 'u', name: 'flexibleRollout' }
    await server.admin(
      IMPORT,
      into(flag('u', { featureStrategies: [half], featureEnvironments: [{ ...STATE, featureName: 'u' }] })),
    )
    expect((await server.admin(`GET ${S}/u`)).environments[0]).toMatchObject({
      enabled: true,
      strategies: [{ parameters: {} }],
    })
  })

  test('passes over archived flags', async () => {
    const last = await server.lastEventId()
    await server.admin(IMPORT, into(flag('gone'), 'default'))
    expect(await server.eventsAfter(last)).toEqual(['features-imported'])
  })

  /** Imports that fail just after (or just before) a part of the document was written. */
  const refused: readonly (readonly [string, object, number, string])[] = [
    [
      'an unknown type of strategy',
      into(flag('n', { featureStrategies: [{ featureName: 'n', name: 'nope' }] })),
      400,
      'nope',
    ],
    ['a flag of another project', into(flag('f1')), 400, 'f1 (in project default)'],
    ['a flag twice', into({ ...flag('n'), features: [{ name: 'n' }, { name: 'n' }] }), 400, 'n'],
    [
      'an unknown segment',
      into(
        flag('n', {
          featureStrategies: [{ ...staff, featureName: 'n', segments: [7] }],
          segments: [{ id: 7, name: 'nope' }],
        }),
      ),
      400,
      'nope',
    ],
    [
      'a segment without its name',
      into(flag('n', { featureStrategies: [{ ...staff, featureName: 'n', segments: [7] }] })),
      400,
      '7',
    ],
    [
      'a context field with other values',
      into(flag('n', { contextFields: [{ name: 'country', legalValues: [{ value: 'dk' }] }] })),
      400,
      'country',
    ],
    ['an unknown project', into(flag('n'), 'nope'), 404, 'nope'],
    ['an unknown environment', into(flag('n'), 'shop', 'nope'), 404, 'nope'],
    [
      'a parent elsewhere',
      into(flag('n', { dependencies: [{ feature: 'n', dependencies: [{ feature: 'f1' }] }] })),
      403,
      'f1',
    ],
    [
      'a parent of nowhere',
      into(flag('n', { dependencies: [{ feature: 'n', dependencies: [{ feature: 'm' }] }] })),
      403,
      'm',
    ],
    [
      'a name that no URL holds',
      into({ ...flag('n'), features: [{ name: 'n' }, { name: 'a b' }] }),
      400,
      'URL friendly',
    ],
    [
      'a share that is none',
      into(
        flag('n', {
          featureStrategies: [{ featureName: 'n', name: 'flexibleRollout', parameters: { rollout: '1000' } }],
        }),
      ),
      400,
      'rollout',
    ],
    [
      'a tag of an unknown type',
      into(flag('n', { featureTags: [{ featureName: 'n', tagType: 'nope', tagValue: 'xx' }] })),
      400,
      'nope',
    ],
    ['no tag types', into({ features: [], featureStrategies: [] }), 400, 'tagTypes'],
    ['no data', { project: 'shop', environment: 'development' }, 400, 'data'],
  ]
  test.each(refused)('fails as a whole: %s', async (_name, body, status, text) => {
    const last = await server.lastEventId()
    const reply = await server.call({ as, call: IMPORT, body })
    expect([reply.statusCode, reply.body.includes(text)]).toEqual([status, true])
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await server.call({ as, call: `GET ${A}/projects/shop/features/n` })).statusCode).toBe(404)
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: IMPORT, body: into(flag('n')), status: 401 },
      { name: 'from a viewer', as: 'viewer', call: IMPORT, body: into(flag('n')), status: 403, text: 'UPDATE_FEATURE' },
      {
        name: 'from who may not in this project',
        as: 'editor',
        call: IMPORT,
        body: into(flag('n', { featureStrategies: [{ ...staff, featureName: 'n' }] })),
        status: 403,
        has: { permissions: ['CREATE_FEATURE', 'UPDATE_FEATURE', 'CREATE_FEATURE_STRATEGY'] },
        text: 'Create activation strategies',
      },
      {
        name: 'from an editor, in the default project',
        as: 'editor',
        call: IMPORT,
        body: into(flag('by-editor', { featureStrategies: [{ ...staff, featureName: 'by-editor' }] }), 'default'),
        status: 200,
        empty: true,
        events: ['feature-created', 'feature-strategy-add', 'features-imported'],
      },
    ],
  )
})

describe('the validation of an import', () => {
  test('reports all problems at once', async () => {
    await server.admin(`POST ${A}/strategies`, { name: 'own', parameters: [] })
    const data = {
      features: [{ name: 'f1' }, { name: 'n' }, { name: 'n' }, { name: 'gone' }, { name: 's' }],
      featureStrategies: [
        { featureName: 'n', name: 'nope' },
        { featureName: 'n', name: 'own', segments: [7] },
      ],
      contextFields: [{ name: 'country', legalValues: [{ value: 'dk' }] }],
      segments: [{ id: 7, name: 'unknown' }],
      dependencies: [{ feature: 'n', dependencies: [{ feature: 'm' }] }],
      tagTypes: [],
    }
    const reply = await server.call({
      as: 'viewer',
      call: VALIDATE,
      body: { project: 'shop', environment: 'development', data },
    })
    expect(reply.statusCode).toBe(200)
    const { errors, warnings, permissions } = reply.json()
    const items = (list: { affectedItems: string[] }[]) => list.map(({ affectedItems }) => affectedItems)
    expect(items(errors)).toEqual([
      ['nope'],
      ['country'],
      ['f1 (in project default)', 'gone (in project default)'],
      ['n'],
      ['unknown'],
      ['m'],
    ])
    expect(errors[2].message).toContain('outside of project shop:')
    expect(items(warnings)).toEqual([['own'], ['gone'], ['s']])
    expect(items(permissions)).toEqual([
      [
        'Create feature toggles',
        'Update feature toggles',
        'Create activation strategies',
        'Delete activation strategies',
        'Update dependencies',
      ],
    ])
  })

  test('reports nothing for a valid import, and writes nothing', async () => {
    const last = await server.lastEventId()
    const data = { features: [{ name: 'new' }], featureStrategies: [], tagTypes: [] }
    expect(await server.admin(VALIDATE, { project: 'shop', environment: 'development', data })).toEqual({
      errors: [],
      warnings: [],
      permissions: [],
    })
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('segments of a document', () => {
  const STAFF = [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@acme.example', '@acme.test'] }]
  const OTHERS = [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@else.example'] }]
  const strategies = (feature: string, ids: readonly number[]) => [
    { featureName: feature, name: 'default', segments: ids },
  ]
  const order = (feature: string, segment: object, more: object = {}) => ({
    project: 'shop',
    environment: 'development',
    data: {
      features: [{ name: feature }],
      featureStrategies: strategies(feature, [7]),
      featureEnvironments: [{ featureName: feature, enabled: true }],
      segments: [{ id: 7, ...segment }],
      tagTypes: [],
    },
    ...more,
  })
  const found = (reply: Record<string, { message: string; affectedItems: string[] }[]>, list: string) =>
    (reply[list] ?? []).map(({ affectedItems }) => affectedItems)
  const create = { createMissingSegments: true }
  const segmentNamed = async (name: string) => {
    const { segments } = await server.admin(`GET ${A}/segments`)
    return segments.find((segment: { name: string }) => segment.name === name)
  }

  test('get created if chosen, as in the document, only for the chosen project', async () => {
    const segment = { name: 'staff', description: 'Ours', constraints: STAFF }
    const reply = await server.admin(VALIDATE, order('for-staff', segment))
    expect(found(reply, 'errors')).toEqual([['staff']])
    expect(reply.segments).toEqual([{ name: 'staff', here: null, coming: STAFF, isCreatable: true }])
    const body = order('for-staff', segment, create)
    const chosen = await server.admin(VALIDATE, body)
    expect([chosen.errors, found(chosen, 'warnings'), chosen.permissions]).toEqual([[], [['staff']], []])
    expect((await server.call({ as, call: IMPORT, body: order('for-staff', segment) })).statusCode).toBe(400)
    const last = await server.lastEventId()
    await server.admin(IMPORT, body)
    expect(await server.eventsAfter(last)).toEqual([
      ...['segment-created', 'feature-created', 'feature-strategy-add', 'feature-environment-enabled'],
      'features-imported',
    ])
    const made = await segmentNamed('staff')
    expect(made).toMatchObject({ description: 'Ours', project: null, constraints: STAFF, usedInFeatures: 1 })
    const [{ strategies: own }] = (await server.admin(`GET ${A}/projects/shop/features/for-staff`)).environments
    expect(own).toMatchObject([{ name: 'default', segments: [made.id] }])
    // validating the same document again no longer causes this message
    expect((await server.admin(VALIDATE, body)).segments).toBeUndefined()
  })

  test('become segments of the target project if they belong to a project', async () => {
    const segment = { name: 'of-a-project', project: 'elsewhere', constraints: STAFF }
    await server.admin(IMPORT, order('owned', segment, create))
    expect(await segmentNamed('of-a-project')).toMatchObject({ project: 'shop' })
    const there = { ...order('owned-too', segment), project: 'default' }
    expect(found(await server.admin(VALIDATE, there), 'errors')).toEqual([['of-a-project']])
    expect((await server.call({ as, call: IMPORT, body: there })).statusCode).toBe(400)
  })

  test.each<[string, object]>([
    ['contains only its name', {}],
    ['has a name that no segment may have', { name: ' ', constraints: [] }],
  ])('cannot be created if the document %s', async (_what, segment) => {
    const body = order('unmade', { name: 'unsaid', ...segment }, create)
    const reply = await server.admin(VALIDATE, body)
    expect(reply.errors).toHaveLength(1)
    expect(reply.segments).toMatchObject([{ here: null, coming: null, isCreatable: false }])
    expect((await server.call({ as, call: IMPORT, body })).statusCode).toBe(400)
  })

  test('cannot be created if two of one name differ', async () => {
    const body = order('twice-said', { name: 'twice-said', constraints: STAFF }, create)
    body.data.featureStrategies = strategies('twice-said', [7, 8])
    body.data.segments.push({ id: 8, name: 'twice-said', constraints: OTHERS } as never)
    expect(found(await server.admin(VALIDATE, body), 'errors')).toEqual([['twice-said']])
  })

  test('can be created only by actors with the permission', async () => {
    const body = { ...order('by-editor-too', { name: 'theirs', constraints: STAFF }, create), project: 'default' }
    const { roles } = await server.admin(`POST ${A}/roles`, {
      name: 'Imports',
      description: '',
      type: 'custom',
      permissions: ['CREATE_FEATURE', 'UPDATE_FEATURE', 'CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT'].map(
        (name) => ({ name, environment: name.endsWith('FEATURE') ? undefined : 'development' }),
      ),
    })
    const { users } = await server.admin(`GET ${A}/user-admin`)
    const viewer = users.find(({ rootRole }: { rootRole: number }) => rootRole === 3)
    await server.admin(`POST ${A}/projects/default/access`, { roles: [roles.id], groups: [], users: [viewer.id] })
    const asked = await server.call({ as: 'viewer', call: VALIDATE, body })
    expect(found(asked.json(), 'permissions')).toEqual([['Create segments']])
    const refused = await server.call({ as: 'viewer', call: IMPORT, body })
    expect([refused.statusCode, refused.json().permissions]).toEqual([403, ['CREATE_SEGMENT']])
    expect(await segmentNamed('theirs')).toBeUndefined()
  })

  test('remain hidden and uncreated if they are in a project the actor cannot see', async () => {
    await server.admin(`POST ${A}/projects`, { id: 'vault', name: 'Vault', mode: 'private' })
    await server.admin(`POST ${A}/segments`, { name: 'secret', project: 'vault', constraints: OTHERS })
    const body = { ...order('peeking', { name: 'secret', constraints: STAFF }, create), project: 'default' }
    const reply = await server.call({ as: 'editor', call: VALIDATE, body })
    expect(found(reply.json(), 'errors')).toEqual([['secret']])
    expect(reply.json().segments).toEqual([{ name: 'secret', here: null, coming: null, isCreatable: false }])
    expect((await server.call({ as: 'editor', call: IMPORT, body })).statusCode).toBe(400)
  })

  test('refuse the import if they differ here, unless existing ones are to be used; empty ones are named', async () => {
    await server.admin(`POST ${A}/segments`, { name: 'empty-here', constraints: [] })
    await server.admin(`POST ${A}/segments`, { name: 'other-here', constraints: OTHERS })
    const reordered = [{ ...STAFF[0], values: ['@acme.test', '@acme.example'], inverted: false }]
    await server.admin(`POST ${A}/segments`, { name: 'same-here', constraints: reordered })
    const look = (name: string, constraints?: object[]) =>
      server.admin(VALIDATE, order('looked-at', { name, constraints }, { useExistingSegments: true }))
    const empty = await look('empty-here', STAFF)
    expect(empty.errors).toEqual([])
    expect(empty.warnings.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('match everyone'),
      expect.stringContaining('have other constraints here'),
    ])
    expect(empty.segments).toEqual([{ name: 'empty-here', here: [], coming: STAFF, isCreatable: false }])
    const unsaid = await look('empty-here')
    expect(unsaid.warnings).toEqual([{ message: expect.stringContaining('everyone'), affectedItems: ['empty-here'] }])
    const other = await look('other-here', STAFF)
    expect(found(other, 'warnings')).toEqual([['other-here']])
    expect(other.segments).toMatchObject([{ here: OTHERS, coming: STAFF }])
    const refused = await server.admin(VALIDATE, order('looked-at', { name: 'other-here', constraints: STAFF }))
    expect(found(refused, 'errors')).toEqual([['other-here']])
    expect(await look('same-here', STAFF)).toEqual({ errors: [], warnings: [], permissions: [] })
  })

  test('need a new validation if one has changed since', async () => {
    const { id } = await server.admin(`POST ${A}/segments`, { name: 'moving', constraints: STAFF })
    const body = order('moving', { name: 'moving', constraints: STAFF })
    const { headers } = await server.call({ as, call: VALIDATE, body })
    await server.admin(`PUT ${A}/segments/${id}`, { name: 'moving', constraints: [] })
    const reply = await server.call({ as, call: IMPORT, body, headers: { 'if-match': String(headers.etag) } })
    expect(reply.statusCode).toBe(412)
  })
})

describe('an import after its validation', () => {
  const data = (name: string) => ({
    features: [{ name }],
    featureStrategies: [{ featureName: name, name: 'userWithId', parameters: { userIds: '1' } }],
    tagTypes: [],
  })
  const S = `${A}/projects/shop/features`
  const guard = (changeRequestsEnabled: boolean) =>
    server.admin(`PUT ${A}/projects/shop/environments/development/change-requests/config`, {
      changeRequestsEnabled,
      requiredApprovals: 1,
    })

  test.each<[string, (name: string) => Promise<unknown>, (name: string) => Promise<unknown>]>([
    ['a flag of that name is there now', async () => {}, (name) => server.admin(`POST ${S}`, { name })],
    [
      'it is archived now',
      (name) => server.admin(`POST ${S}`, { name }),
      (name) => server.admin(`DELETE ${S}/${name}`),
    ],
    [
      'it is in another project now',
      (name) => server.admin(`POST ${S}`, { name }),
      (name) => server.admin(`POST ${S}/${name}/changeProject`, { newProjectId: 'default' }),
    ],
    ['changes there take a request now', async () => {}, () => guard(true)],
  ])('fails where %s, and succeeds after a new validation', async (what, before, meanwhile) => {
    const name = `looked-${what.replaceAll(' ', '-')}`
    await before(name)
    const body = { project: 'shop', environment: 'development', data: data(name) }
    const look = async () => String((await server.call({ as, call: VALIDATE, body })).headers.etag)
    const put = (etag: string) => server.call({ as, call: IMPORT, body, headers: { 'if-match': etag } })
    const seen = await look()
    await meanwhile(name)
    const last = await server.lastEventId()
    expect((await put(seen)).json().name).toBe('PreconditionFailedError')
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await put(await look())).statusCode).toBe(what.includes('another project') ? 400 : 200)
    await guard(false)
  })

  test('succeeds if the validation still holds, and once if two come at the same time', async () => {
    const body = { project: 'shop', environment: 'development', data: data('raced') }
    const { headers } = await server.call({ as, call: VALIDATE, body })
    const one = { as, call: IMPORT, body, headers: { 'if-match': String(headers.etag) } } as const
    const both = await Promise.all([server.call(one), server.call(one)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412])
  })
})

/**
 * Counts the list elements passed to array searches during an operation. Searching a list once per element is O(n²).
 */
async function searched(work: () => Promise<unknown>): Promise<number> {
  const names = ['every', 'filter', 'find', 'findIndex', 'includes', 'indexOf', 'some'] as const
  const own = names.map((name) => Array.prototype[name])
  let count = 0
  for (const [index, name] of names.entries()) {
    const search = own[index] as (...given: unknown[]) => unknown
    Object.defineProperty(Array.prototype, name, {
      configurable: true,
      writable: true,
      value(this: unknown[], ...given: unknown[]) {
        count += this.length
        return search.apply(this, given)
      },
    })
  }
  try {
    await work()
  } finally {
    for (const [index, name] of names.entries()) {
      Object.defineProperty(Array.prototype, name, { configurable: true, writable: true, value: own[index] })
    }
  }
  return count
}

test('a long document is scanned once, and not for each of its items', async () => {
  const numbers = Array.from({ length: 2000 }, (_, index) => index + 1)
  const nordic = { id: 2001, name: 'nordic' }
  const data = {
    features: numbers.map((n) => ({ name: `long-${n}` })),
    featureStrategies: numbers.map((n) => ({ featureName: 'none', name: 'default', segments: [n] })),
    featureEnvironments: numbers.map(() => ({ featureName: 'none', enabled: true })),
    segments: [...numbers.map((id) => ({ id: id + 3000, name: `unused-${id}` })), nordic],
    tagTypes: [],
  }
  const body = { project: 'shop', environment: 'development', data }
  expect(await searched(() => server.admin(VALIDATE, body))).toBeLessThan(100_000)
  const names = ['short-1', 'short-2', 'short-3', 'short-4', 'short-5', 'short-6']
  const short = {
    ...data,
    features: names.map((name) => ({ name })),
    featureStrategies: [
      ...numbers.map(() => ({ featureName: 'none', name: 'default' })),
      ...names.map((featureName) => ({ featureName, name: 'default', segments: [2001, 2001, 2001] })),
    ],
  }
  expect(await searched(() => server.call({ as, call: IMPORT, body: { ...body, data: short } }))).toBeLessThan(20_000)
})

test.each([
  ['contextFields', { name: 'x' }, 1001],
  ['tagTypes', { name: 'xx' }, 1001],
  ['segments', { id: 1, name: 'x' }, 10_001],
])('a document holds so many and no more: %s', async (list, one, length) => {
  const data = { features: [], featureStrategies: [], tagTypes: [], [list]: Array.from({ length }, () => one) }
  const body = { project: 'shop', environment: 'development', data }
  const reply = await server.call({ as: 'viewer', call: VALIDATE, body })
  expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining(list)])
})
