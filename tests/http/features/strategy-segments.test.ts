import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Sets all segments of a strategy at once. The body determines which flag's permissions are checked. */
let server: TestServer
let strategyId = ''
const as = 'admin'
const CALL = 'POST /api/admin/segments/strategies'
const STRATEGIES = '/api/admin/projects/default/features/f/environments/development/strategies'
const FULL = {
  name: 'flexibleRollout',
  title: 'mine',
  disabled: true,
  parameters: { rollout: '20', stickiness: 'random', groupId: 'g' },
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
  variants: [{ name: 'v', weight: 1000 }],
}

async function admin(call: string, body?: unknown) {
  return (await server.call({ as, call, ...(body === undefined ? {} : { body }) })).json()
}

beforeAll(async () => {
  server = await startServer()
  await admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  for (const [name, project] of [['one'], ['two'], ['theirs', 'other']]) {
    await admin('POST /api/admin/segments', { name, constraints: [], project })
  }
  await admin('POST /api/admin/projects/default/features', { name: 'f' })
  strategyId = (await admin(`POST ${STRATEGIES}`, FULL)).id
})
afterAll(() => server.close())

const body = (more: object = {}) => ({
  projectId: 'default',
  environmentId: 'development',
  strategyId,
  segmentIds: [1],
  ...more,
})

describe('segments of a strategy', () => {
  test.each([
    { name: 'anonymous', as: undefined, status: 401 },
    { name: 'a viewer', as: 'viewer', status: 403, text: 'UPDATE_FEATURE_STRATEGY' },
    { name: 'an editor, of a project that is not theirs', as: 'editor', more: { projectId: 'other' }, status: 403 },
    { name: 'no segments', more: { segmentIds: undefined }, status: 400, text: 'segmentIds' },
    { name: 'a text as segments', more: { segmentIds: 'one' }, status: 400, text: 'segmentIds' },
    { name: 'an unknown strategy', more: { strategyId: 'nope' }, status: 404, text: 'nope' },
    { name: 'another environment', more: { environmentId: 'production' }, status: 404 },
    { name: 'another project', more: { projectId: 'other' }, status: 404 },
    { name: 'an unknown segment', more: { segmentIds: [1, 77] }, status: 404, text: '77' },
    { name: 'a segment of another project', more: { segmentIds: [3] }, status: 400, text: 'another project' },
    { name: 'two', as: 'editor', more: { segmentIds: [2, 1, 2] }, status: 201, segments: [1, 2], isChange: true },
    { name: 'the same', more: { segmentIds: [1, 2], additional: true }, status: 201, segments: [1, 2] },
    { name: 'another', more: { segmentIds: [2] }, status: 201, segments: [2], isChange: true },
    { name: 'none', more: { segmentIds: [] }, status: 201, segments: [], isChange: true },
  ])('$name → $status', async ({ status, more, text, segments, isChange = false, ...row }) => {
    const who = 'as' in row ? row.as : as
    const last = await server.lastEventId()
    const reply = await server.call({ call: CALL, body: body(more), ...(who === undefined ? {} : { as: who }) })
    expect(reply.statusCode, reply.body).toBe(status)
    if (text !== undefined) expect(reply.body).toContain(text)
    expect(await server.eventsAfter(last)).toEqual(isChange ? ['feature-strategy-update'] : [])
    if (segments === undefined) return
    expect(reply.json()).toEqual({ ...body(), segmentIds: segments })
    const shown = (await admin(`GET /api/admin/segments/strategies/${strategyId}`)).segments
    expect(shown.map((segment: { id: number }) => segment.id)).toEqual(segments)
  })

  test('everything else of the strategy stays', async () => {
    const { constraints, variants, ...rest } = await admin(`GET ${STRATEGIES}/${strategyId}`)
    const { constraints: ownConstraints, variants: ownVariants, ...own } = FULL
    expect(rest).toMatchObject({ ...own, segments: [] })
    expect([constraints, variants]).toMatchObject([ownConstraints, ownVariants])
  })
})
