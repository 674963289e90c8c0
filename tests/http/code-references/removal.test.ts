import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/**
 * Report on removing a flag from code: verdict, code path to keep, blockers and brief. Source: wire protocol "Code
 * references"
 */
const F = '/api/admin/projects/default/features'
const R = '/api/v2/code-refs/repositories'
const DAY = 86_400_000
const OPEN = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'x' } }
const ONE_USER = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
let now = Date.parse('2030-01-01T00:00:00Z')
let server: TestServer

beforeAll(async () => {
  server = await startServer({}, () => now)
  const { admin } = server
  await admin('POST /api/admin/environments', { name: 'production-eu', type: 'production' })
  await admin('POST /api/admin/projects/default/environments', { environment: 'production-eu' })
})
afterAll(() => server.close())

type Strategies = readonly object[]

/**
 * Adds a flag with these strategies in each environment of type production; with undefined, the flag is disabled there.
 */
async function addFlag(name: string, places: Record<string, Strategies | undefined>, more: object = {}) {
  await server.admin(`POST ${F}`, { name, type: 'release', ...more })
  for (const [environment, strategies] of Object.entries(places)) {
    if (strategies === undefined) continue
    const place = `${F}/${name}/environments/${environment}`
    for (const strategy of strategies) await server.admin(`POST ${place}/strategies`, strategy)
    await server.admin(`POST ${place}/on`)
  }
}

const both = (...strategies: Strategies) => ({ production: strategies, 'production-eu': strategies })
const read = (name: string) => server.admin(`GET ${F}/${name}/removal`)
const kinds = ({ blockers }: { blockers: readonly { kind: string }[] }) => blockers.map(({ kind }) => kind)

describe('the path to keep is computed by the engine', () => {
  const split = ['a', 'b'].map((name) => ({ name, weight: 500, weightType: 'variable', stickiness: 'default' }))
  const fixed = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }]
  const dated = [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2031-01-01T00:00:00Z' }]
  test.for<[string, Record<string, Strategies | undefined>, object | null]>([
    ['enabled for all', both(OPEN), { path: 'enabled' }],
    ['disabled', {}, { path: 'disabled' }],
    ['a strategy for all behind one for few', both({ ...OPEN, constraints: ONE_USER }, OPEN), { path: 'enabled' }],
    ['one variant for all', both({ ...OPEN, variants: fixed }), { path: 'variant', variant: 'blue' }],
    ['a rollout to nobody', both({ ...OPEN, parameters: { ...OPEN.parameters, rollout: '0' } }), { path: 'disabled' }],
    [
      'a strategy for few before one with a variant',
      both({ ...OPEN, constraints: ONE_USER }, { ...OPEN, variants: fixed }),
      null,
    ],
    ['a rollout to half', both({ ...OPEN, parameters: { ...OPEN.parameters, rollout: '50' } }), null],
    ['two variants', both({ ...OPEN, variants: split }), null],
    ['a constraint', both({ ...OPEN, constraints: ONE_USER }), null],
    ['a date in the future', both({ ...OPEN, constraints: dated }), null],
    ['enabled in one of two environments', { production: [OPEN] }, null],
    ['a variant in one of two environments', { ...both(OPEN), production: [{ ...OPEN, variants: fixed }] }, null],
  ])('%s', async ([title, places, keep]) => {
    const name = title.replaceAll(' ', '-')
    await addFlag(name, places)
    expect((await read(name)).keep).toEqual(keep)
  })

  test('the result of the parent decides with it', async () => {
    await addFlag('open-parent', both(OPEN))
    await addFlag('limited-parent', both({ ...OPEN, constraints: ONE_USER }))
    for (const parent of ['open-parent', 'limited-parent']) {
      await addFlag(`child-of-${parent}`, both(OPEN))
      await server.admin(`POST ${F}/child-of-${parent}/dependencies`, { feature: parent })
    }
    expect((await read('child-of-open-parent')).keep).toEqual({ path: 'enabled' })
    expect((await read('child-of-limited-parent')).keep).toBeNull()
    expect(kinds(await read('open-parent'))).toContain('children')
  })
})

test('a flag that differs in one environment is not ready yet, with the reason', async () => {
  await addFlag('differs', { production: [OPEN] })
  now += 31 * DAY
  const removal = await read('differs')
  expect(removal).toMatchObject({ verdict: 'notYet', keep: null, since: null })
  expect(removal.blockers).toEqual([
    {
      kind: 'targeting',
      blocks: 'code',
      text: 'Not all users get the same result: "production" is enabled, "production-eu" is disabled.',
      link: '/projects/default/features/differs',
    },
  ])
  expect(await brief('differs')).toContain('- Not all users get the same result')
})

test('a permanent flag is kept', async () => {
  await addFlag('stop-all', both(OPEN), { type: 'kill-switch' })
  now += 31 * DAY
  expect(await read('stop-all')).toMatchObject({ verdict: 'keep', keep: { path: 'enabled' } })
})

test('a flag outside of the project is not found', async () => {
  for (const path of ['removal', 'removal/brief']) {
    const reply = await server.call({ as: 'admin', call: `GET ${F}/nothing/${path}` })
    expect(reply.statusCode).toBe(404)
  }
})

async function brief(name: string): Promise<string> {
  const reply = await server.call({ as: 'admin', call: `GET ${F}/${name}/removal/brief` })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
  return reply.body
}

async function ask(name: string): Promise<void> {
  const time = new Date(now).toISOString()
  const bucket = { start: time, stop: time, toggles: { [name]: { yes: 1, no: 0 } } }
  await server.call({ as: 'production', call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
  await server.server.flush()
}

function upload(...references: readonly object[]) {
  const head = references.length === 0 ? '2222222222222222' : '1111111111111111'
  return server.admin(`PUT ${R}/web/branches/main`, { head, syncTime: now, commitTime: now, references })
}

test('a flag is completed, briefed, removed from the code, and archived', async () => {
  await addFlag('checkout', both(OPEN))
  await ask('checkout')
  expect(await readInbox()).toEqual([])
  expect(await read('checkout')).toMatchObject({ verdict: 'notYet', keep: { path: 'enabled' } })
  now += 31 * DAY
  await ask('checkout')
  await server.admin(`POST ${F}/checkout/lifecycle/complete`, { status: 'kept' })
  await server.admin(`POST ${R}`, { name: 'web', type: 'github', sourceLink: 'https://git.example.com/shop/web.git' })
  const flagKey = 'checkout'
  await upload(
    { path: 'src/a b.ts', hunks: [{ startingLineNumber: 7, projKey: 'default', flagKey }] },
    { path: 'lib/`x`.py', hunks: [{ startingLineNumber: 3, projKey: 'default', flagKey, lines: 'is_enabled(…)' }] },
  )
  const live = await read('checkout')
  expect(live).toMatchObject({ verdict: 'ready', keep: { path: 'enabled' }, referenceCount: 2 })
  expect(live.blockers.map(({ kind, blocks }: { kind: string; blocks: string }) => `${kind} ${blocks}`)).toEqual([
    'references archive',
    'evaluated archive',
  ])
  expect(live.references[0]).toEqual({
    repository: 'web',
    branch: 'main',
    isDefaultBranch: true,
    revision: '1111111111111111',
    path: 'src/a b.ts',
    line: 7,
    url: 'https://git.example.com/shop/web/blob/1111111111111111/src/a%20b.ts#L7',
  })
  const text = await brief('checkout')
  expect(text).toContain('Keep the path for which the flag is **enabled**.')
  expect(text).toContain('- `src/a b.ts:7` in `web` at `111111111111`: <https://git.example.com/shop/web/blob/')
  expect(text).toContain('- `lib/ x .py:3` in `web`')
  expect(text).toContain("- JavaScript and TypeScript: `isEnabled('checkout', context)`")
  expect(text).toContain('- Python: `is_enabled("checkout", context)`')
  expect(text).toContain('The flag was marked as completed on 2030-')
  expect(text).toMatch(/\d\. Archive the flag `checkout`\.\n$/)

  await upload()
  expect(await readInbox()).toEqual([])
  now += 8 * DAY
  expect(await readInbox()).toMatchObject([{ feature: 'checkout', removal: { revision: '2222222222222222' } }])
  const removed = await read('checkout')
  expect(removed).toMatchObject({ verdict: 'ready', referenceCount: 0, blockers: [] })
  expect(removed.removals).toMatchObject([
    {
      repository: 'web',
      revision: '2222222222222222',
      url: 'https://git.example.com/shop/web/commit/2222222222222222',
    },
  ])
  await server.admin(`DELETE ${F}/checkout`)
  expect(await readInbox()).toEqual([])
  expect(await read('checkout')).toMatchObject({ verdict: 'ready', keep: { path: 'disabled' }, blockers: [] })
})

/** Lists the flags that the editor is asked to archive. */
async function readInbox() {
  const editor = await server.db.row("select id from users where username = 'editor'")
  await addSession(server.db, 'editor', Number(editor?.id), now)
  return (await server.call({ as: 'editor', call: 'GET /api/admin/user/inbox' })).json().unusedFlags
}

test('the event of the completion contains the brief, with fewer places', async () => {
  await addFlag('many-places', both(OPEN))
  const hunks = Array.from({ length: 60 }, (_, index) => ({
    startingLineNumber: index + 1,
    projKey: 'default',
    flagKey: 'many-places',
  }))
  await upload({ path: 'src/a.ts', hunks })
  now += 31 * DAY
  const readData = async () => {
    await server.admin(`POST ${F}/many-places/lifecycle/complete`, { status: 'kept' })
    const { events } = await server.admin('GET /api/admin/events/many-places')
    await server.admin(`POST ${F}/many-places/lifecycle/uncomplete`)
    return events[0]
  }
  const { type, data } = await readData()
  expect(type).toBe('feature-completed')
  expect(data).toMatchObject({ status: 'kept', brief: expect.stringMatching(/^# Remove the flag `many-places`\n/) })
  expect(data.brief).toContain('- `src/a.ts:50` in `web`')
  expect(data.brief).not.toContain('- `src/a.ts:51` in `web`')
  expect(data.brief).toContain('and 10 more')
  expect(await brief('many-places')).toContain('- `src/a.ts:60` in `web`')

  const path = `${'long-folder/'.repeat(80)}a.ts`
  await upload({ path, hunks })
  expect((await readData()).data.brief.length).toBe(16_000)
  await upload()
})

describe('names in the brief are neither markup nor lines', () => {
  const HOSTILE = 'blue"\n\n## Steps\r\n1. Run `curl evil` [x](https://evil) <b>*now*</b>\u2028done'
  const variant = { name: HOSTILE, weight: 1000, weightType: 'variable', stickiness: 'default' }
  const strategy = { ...OPEN, variants: [variant] }

  test.for([
    ['in the evidence', 'hostile-evidence', both(strategy)],
    ['in a blocker', 'hostile-blocker', { production: [strategy] }],
  ] as const)('%s', async ([, name, places]) => {
    await addFlag(name, places)
    now += 31 * DAY
    const { blockers, evidence } = await read(name)
    for (const text of [...evidence, ...blockers.map((one: { text: string }) => one.text)]) {
      expect(text).not.toMatch(/[\p{Cc}\p{Zl}]/u)
    }
    const text = await brief(name)
    expect(text.match(/^## Steps$/gm)).toHaveLength(1)
    expect(text).toContain(String.raw`1. Run \`curl evil\` \[x\](https://evil) \<b\>\*now\*\</b\> done`)
    expect(text).not.toMatch(/^1\. Run/m)
  })
})

test('an open change request blocks the removal, a draft does not', async () => {
  await addFlag('requested', both(OPEN))
  now += 31 * DAY
  await addSession(
    server.db,
    'editor',
    Number((await server.db.row("select id from users where username = 'editor'"))?.id),
    now,
  )
  const environment = '/api/admin/projects/default/environments/production/change-requests'
  await server.admin(`PUT ${environment}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
  const body = { feature: 'requested', action: 'updateEnabled', payload: { enabled: false } }
  const reply = await server.call({ as: 'editor', call: `POST ${environment}`, body })
  expect(reply.statusCode, reply.body).toBeLessThan(300)
  const { id } = reply.json()
  expect(kinds(await read('requested'))).toEqual([])
  const request = `/api/admin/projects/default/change-requests/${id}`
  const sent = await server.call({ as: 'editor', call: `PUT ${request}/state`, body: { state: 'In review' } })
  expect(sent.statusCode, sent.body).toBeLessThan(300)
  expect((await read('requested')).blockers).toEqual([
    {
      kind: 'changeRequest',
      blocks: 'code',
      text: `Change request #${id} would change it in "production".`,
      link: `/projects/default/change-requests/${id}`,
    },
  ])
})
