import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer()
  await admin('POST /api/admin/projects/default/features', { name: 'f' })
})
afterAll(() => server.close())

describe('types of tags', () => {
  const T = '/api/admin/tag-types'
  scenarios(() => server, [
    { name: 'list, anonymous', call: `GET ${T}`, status: 401 },
    { name: 'list', as: 'viewer', call: `GET ${T}`, status: 200, has: { version: 1, tagTypes: [{ name: 'simple' }] } },
    {
      name: 'make by a viewer',
      as: 'viewer',
      call: `POST ${T}`,
      body: { name: 'team' },
      status: 403,
      text: 'CREATE_TAG_TYPE',
    },
    { name: 'no name', as, call: `POST ${T}`, body: {}, status: 400, text: 'name' },
    { name: 'a short name', as, call: `POST ${T}`, body: { name: 't' }, status: 400, text: 'name' },
    { name: 'a name with a slash', as, call: `POST ${T}`, body: { name: 'a/b' }, status: 400, text: 'URL friendly' },
    {
      name: 'a name to check',
      as: 'editor',
      call: `POST ${T}/validate`,
      body: { name: 'team' },
      status: 200,
      has: { valid: true, tagType: { name: 'team' } },
    },
    { name: 'a bad name to check', as, call: `POST ${T}/validate`, body: { name: '..' }, status: 400 },
    {
      name: 'make',
      as: 'editor',
      call: `POST ${T}`,
      body: { name: 'team', description: 'Who owns it' },
      status: 201,
      has: { name: 'team', icon: null },
      events: ['tag-type-created'],
    },
    {
      name: 'make again',
      as,
      call: `POST ${T}`,
      body: { name: 'team' },
      status: 409,
      has: { name: 'NameExistsError' },
    },
    { name: 'a taken name to check', as, call: `POST ${T}/validate`, body: { name: 'team' }, status: 409 },
    {
      name: 'one',
      as: 'viewer',
      call: `GET ${T}/team`,
      status: 200,
      has: { version: 1, tagType: { description: 'Who owns it' } },
    },
    { name: 'an unknown one', as, call: `GET ${T}/nope`, status: 404 },
    {
      name: 'change',
      as: 'editor',
      call: `PUT ${T}/team`,
      body: { icon: 'T' },
      status: 200,
      empty: true,
      events: ['tag-type-updated'],
    },
    { name: 'the same again', as, call: `PUT ${T}/team`, body: { icon: 'T', description: 'Who owns it' }, status: 200 },
    { name: 'change of an unknown one', as, call: `PUT ${T}/nope`, body: {}, status: 404 },
    { name: 'change by a viewer', as: 'viewer', call: `PUT ${T}/team`, body: {}, status: 403 },
  ] satisfies Scenario[])
})

describe('tags as such', () => {
  const G = '/api/admin/tags'
  const tag = { type: 'team', value: 'blue' }
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${G}`, status: 401 },
    { name: 'none', as: 'viewer', call: `GET ${G}`, status: 200, has: { version: 1, tags: [] } },
    { name: 'make by a viewer', as: 'viewer', call: `POST ${G}`, body: tag, status: 403 },
    { name: 'of an unknown type', as, call: `POST ${G}`, body: { ...tag, type: 'nope' }, status: 400, text: 'nope' },
    { name: 'of one character', as, call: `POST ${G}`, body: { ...tag, value: 'x' }, status: 400, text: 'value' },
    {
      name: 'make',
      as: 'editor',
      call: `POST ${G}`,
      body: tag,
      status: 201,
      has: { version: 1, tag },
      events: ['tag-created'],
    },
    { name: 'make again', as, call: `POST ${G}`, body: tag, status: 409 },
    {
      name: 'give it to a flag',
      as,
      call: 'POST /api/admin/features/f/tags',
      body: tag,
      status: 201,
      events: ['feature-tagged'],
    },
    { name: 'of a type', as: 'viewer', call: `GET ${G}/team`, status: 200, has: { tags: [tag] } },
    { name: 'of an unknown type to read', as, call: `GET ${G}/nope`, status: 404 },
    { name: 'one', as: 'viewer', call: `GET ${G}/team/blue`, status: 200, has: { version: 1, tag } },
    { name: 'an unknown one', as, call: `GET ${G}/team/nope`, status: 404 },
    { name: 'remove by a viewer', as: 'viewer', call: `DELETE ${G}/team/blue`, status: 403 },
    { name: 'remove', as, call: `DELETE ${G}/team/blue`, status: 200, empty: true, events: ['tag-deleted'] },
    { name: 'remove again', as, call: `DELETE ${G}/team/blue`, status: 404 },
    { name: 'it is gone from the flag', as, call: 'GET /api/admin/features/f/tags', status: 200, has: { tags: [] } },
    { name: 'remove the type by a viewer', as: 'viewer', call: 'DELETE /api/admin/tag-types/team', status: 403 },
    {
      name: 'remove the type',
      as: 'editor',
      call: 'DELETE /api/admin/tag-types/team',
      status: 200,
      empty: true,
      events: ['tag-type-deleted'],
    },
    { name: 'remove the type again', as, call: 'DELETE /api/admin/tag-types/team', status: 404 },
    { name: 'a type that every object has', as, call: 'DELETE /api/admin/tag-types/__proto__', status: 404 },
  ] satisfies Scenario[])
})

describe('tags of one flag at once', () => {
  const T = '/api/admin/features/f/tags'
  const tag = (value: string, type = 'simple') => ({ type, value })
  const change = (addedTags: unknown[], removedTags: unknown[] = []) => ({ addedTags, removedTags })
  scenarios(() => server, [
    { name: 'anonymous', call: `PUT ${T}`, body: change([]), status: 401 },
    { name: 'a viewer', as: 'viewer', call: `PUT ${T}`, body: change([]), status: 403 },
    { name: 'an unknown flag', as, call: `PUT ${T.replace('/f/', '/nope/')}`, body: change([]), status: 404 },
    { name: 'no removedTags', as, call: `PUT ${T}`, body: { addedTags: [] }, status: 400, text: 'removedTags' },
    { name: 'an unknown type', as, call: `PUT ${T}`, body: change([tag('ab', 'nope')]), status: 400 },
    {
      name: 'two',
      as: 'editor',
      call: `PUT ${T}`,
      body: change([tag('ab'), tag('cd')]),
      status: 200,
      has: { version: 1, tags: [tag('ab'), tag('cd')] },
      events: ['tag-created', 'tag-created', 'feature-tagged', 'feature-tagged'],
    },
    {
      name: 'one new, one gone',
      as,
      call: `PUT ${T}`,
      body: change([tag('ef')], [tag('ab')]),
      status: 200,
      has: { tags: [tag('cd'), tag('ef')] },
      events: ['tag-created', 'feature-tagged', 'feature-untagged'],
    },
    { name: 'the same again', as, call: `PUT ${T}`, body: change([tag('ef')]), status: 200 },
  ] satisfies Scenario[])
})

describe('segments and constraints before they are used', () => {
  const V = 'POST /api/admin/constraints/validate'
  const S = '/api/admin/segments'
  const constraint = (extra: object) => ({ contextName: 'userId', operator: 'IN', values: ['1'], ...extra })
  let strategy = ''
  beforeAll(async () => {
    await admin(`POST ${S}`, { name: 'staff', constraints: [] })
    const made = await admin('POST /api/admin/projects/default/features/f/environments/development/strategies', {
      name: 'default',
      segments: [1],
    })
    strategy = made.id
    await admin('POST /api/admin/context', { name: 'plan', legalValues: [{ value: 'free' }, { value: 'paid' }] })
  })
  scenarios(() => server, [
    { name: 'anonymous', call: V, body: constraint({}), status: 401 },
    { name: 'a good constraint', as: 'viewer', call: V, body: constraint({}), status: 204, empty: true },
    { name: 'no field', as, call: V, body: { operator: 'IN' }, status: 400, text: 'contextName' },
    {
      name: 'an unknown operator',
      as,
      call: V,
      body: constraint({ operator: 'EQUALS' }),
      status: 400,
      text: 'operator',
    },
    { name: 'something else', as, call: V, body: constraint({ foo: 1 }), status: 400, text: 'foo' },
    {
      name: 'no number',
      as,
      call: V,
      body: constraint({ operator: 'NUM_GT', value: 'ten' }),
      status: 400,
      text: 'number',
    },
    {
      name: 'no version',
      as,
      call: V,
      body: constraint({ operator: 'SEMVER_EQ', value: 'v1.2.3' }),
      status: 400,
      text: 'version',
    },
    {
      name: 'a pattern with too many instructions',
      as,
      call: V,
      body: constraint({ operator: 'REGEX', values: [], value: '(a?){1000}' }),
      status: 400,
      text: '1,000 RE2 instructions',
    },
    {
      name: 'no date',
      as,
      call: V,
      body: constraint({ operator: 'DATE_AFTER', value: 'soon' }),
      status: 400,
      text: 'date',
    },
    {
      name: 'too many values',
      as,
      call: V,
      body: constraint({ values: Array.from({ length: 1001 }, (_, n) => `${n}`) }),
      status: 400,
      text: '1000',
    },
    {
      name: 'legal values',
      as,
      call: V,
      body: constraint({ contextName: 'plan', values: ['free', 'paid'] }),
      status: 204,
    },
    {
      name: 'an illegal value',
      as,
      call: V,
      body: constraint({ contextName: 'plan', values: ['free', 'gold'] }),
      status: 400,
      text: 'gold',
    },
    { name: 'a field that every object has', as, call: V, body: constraint({ contextName: '__proto__' }), status: 204 },
    {
      name: 'a name of a segment by a viewer',
      as: 'viewer',
      call: `POST ${S}/validate`,
      body: { name: 'x' },
      status: 403,
    },
    {
      name: 'a free name of a segment',
      as: 'editor',
      call: `POST ${S}/validate`,
      body: { name: 'x' },
      status: 204,
      empty: true,
    },
    { name: 'a taken name of a segment', as, call: `POST ${S}/validate`, body: { name: 'staff' }, status: 409 },
    { name: 'no name of a segment', as, call: `POST ${S}/validate`, body: {}, status: 400, text: 'name' },
    { name: 'uses of a segment, anonymous', call: `GET ${S}/1/strategies`, status: 401 },
    {
      name: 'what uses a segment',
      as: 'viewer',
      call: `GET ${S}/1/strategies`,
      status: 200,
      has: {
        strategies: [{ projectId: 'default', featureName: 'f', strategyName: 'default', environment: 'development' }],
      },
    },
    { name: 'what uses an unknown segment', as, call: `GET ${S}/99/strategies`, status: 404 },
    { name: 'what uses a word', as, call: `GET ${S}/abc/strategies`, status: 404 },
    { name: 'segments of an unknown strategy', as, call: `GET ${S}/strategies/nope`, status: 404 },
  ] satisfies Scenario[])

  test('segments of a strategy', async () => {
    expect((await admin(`GET ${S}/strategies/${strategy}`)).segments).toMatchObject([{ id: 1, name: 'staff' }])
  })
})
