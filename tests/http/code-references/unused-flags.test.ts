import type { Inbox } from '@burgee/protocol/administration/inbox'
import type { Notifications } from '@burgee/protocol/administration/notification'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, ROLES, use } from '../agents/agent.ts'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/**
 * What other lists say about code references: stale flags, unknown flags, and the proposal to archive flags that nothing
 * uses anymore. Source: wire protocol "Code references"
 */
const F = '/api/admin/projects/default/features'
const R = '/api/v2/code-refs/repositories'
const DAY = 86_400_000
const UNUSED_DAYS = 5
let now = Date.parse('2030-01-01T00:00:00Z')
let server: TestServer

beforeAll(async () => {
  server = await startServer({ unusedFlagDays: UNUSED_DAYS }, () => now)
  const { admin } = server
  const template = { hunkUrlTemplate: `https://git.example.com/\${sha}/\${filePath}#L\${lineNumber}` }
  for (const name of ['web', 'api']) await admin(`POST ${R}`, { name, defaultBranch: 'main', ...template })
  await admin('POST /api/admin/projects', { id: 'secret', name: 'secret', mode: 'private' })
})
beforeEach(logIn)
afterAll(() => server.close())

/** Renews the sessions of editor and viewer, which last an hour. */
async function logIn(): Promise<void> {
  for (const name of ['editor', 'viewer']) {
    const row = await server.db.row('select id from users where username = ?', name)
    await addSession(server.db, name, Number(row?.id), now)
  }
}

async function pass(days: number): Promise<void> {
  now += days * DAY
  await logIn()
}

async function as(who: 'editor' | 'viewer', call: string, body?: unknown) {
  const reply = await server.call({ as: who, call, ...(body === undefined ? {} : { body }) })
  expect(reply.statusCode, `${call} ${reply.body}`).toBeLessThan(300)
  return reply.body === '' ? undefined : reply.json()
}

async function ask(name: string): Promise<void> {
  const time = new Date(now).toISOString()
  const bucket = { start: time, stop: time, toggles: { [name]: { yes: 1, no: 0 } } }
  await server.call({ as: 'production', call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
  await server.server.flush()
}

/** Uploads one place for each flag; a flag can be given several times. */
function upload(repository: string, flags: readonly string[], projKey = 'default', branch = 'main') {
  const hunks = flags.map((flagKey, index) => ({ flagKey, projKey, startingLineNumber: index + 1 }))
  const references = flags.length === 0 ? [] : [{ path: 'src/a.ts', hunks }]
  const body = { head: `${repository}-${flags.length}`, syncTime: now, commitTime: now, references }
  return server.admin(`PUT ${R}/${repository}/branches/${branch}`, body)
}

const code = async (name: string) => {
  const { flags } = await server.admin('GET /api/admin/stale-flags?limit=1000')
  return flags.find(({ feature }: { feature: { name: string } }) => feature.name === name).code
}

describe('the list of stale flags', () => {
  test('names the number of places, or the commit that removed the flag', async () => {
    for (const name of ['checkout', 'unscanned']) {
      await as('editor', `POST ${F}`, { name })
      await as('editor', `PATCH ${F}/${name}`, [{ op: 'replace', path: '/stale', value: true }])
    }
    await upload('web', ['checkout', 'checkout', 'checkout'])
    await upload('api', ['checkout'])
    await upload('web', ['checkout', 'checkout'], 'default', 'other')
    expect(await code('checkout')).toEqual({ references: 4, removal: null })
    expect(await code('unscanned')).toBeNull()
    await upload('web', [])
    expect(await code('checkout')).toMatchObject({ references: 1, removal: { repository: 'web', revision: 'web-0' } })
    await pass(1)
    await upload('api', [])
    const removed = {
      references: 0,
      removal: { repository: 'api', branch: 'main', revision: 'api-0', time: new Date(now).toISOString() },
    }
    expect(await code('checkout')).toMatchObject(removed)
    const { secret } = await addAccount(server, 'agent', { rootRole: ROLES.editor, now })
    const { flags } = await use(server, secret, 'list_stale_flags')
    expect(flags).toMatchObject([
      { name: 'checkout', code: removed },
      { name: 'unscanned', code: null },
    ])
  })
})

describe('the list of unknown flags', () => {
  const find = async (who: 'editor' | 'viewer' | 'admin', name: string) => {
    const reply = await server.call({ as: who, call: 'GET /api/admin/metrics/unknown-flags' })
    return reply.json().unknownFlags.find((one: { name: string }) => one.name === name)
  }

  test('names the places in the code that evaluate a name', async () => {
    await ask('new-chekout')
    expect(await find('viewer', 'new-chekout')).toMatchObject({ referenceCount: 0, references: [] })
    await upload('web', ['new-chekout'])
    await upload('api', Array(7).fill('new-chekout'), 'default', 'other')
    expect(await find('viewer', 'new-chekout')).toMatchObject({
      referenceCount: 1,
      references: [{ repository: 'web', path: 'src/a.ts', line: 1, url: 'https://git.example.com/web-1/src/a.ts#L1' }],
    })
    await upload('api', Array(7).fill('new-chekout'))
    const both = await find('viewer', 'new-chekout')
    expect(both.referenceCount).toBe(8)
    expect(both.references.map((one: { repository: string; line: number }) => `${one.repository}:${one.line}`)).toEqual(
      ['api:1', 'api:2', 'api:3', 'api:4', 'api:5'],
    )
  })

  test('leaves out places of hidden projects', async () => {
    await ask('old-serach')
    await server.admin(`POST ${R}`, { name: 'hidden', defaultBranch: 'main' })
    await upload('hidden', ['old-serach'], 'secret')
    expect(await find('admin', 'old-serach')).toMatchObject({
      referenceCount: 1,
      references: [{ repository: 'hidden' }],
    })
    expect(await find('editor', 'old-serach')).toMatchObject({ referenceCount: 0, references: [] })
  })
})

describe('the proposal to archive a flag that nothing uses', () => {
  const inbox = async (who: 'editor' | 'viewer' = 'editor'): Promise<Inbox> => as(who, 'GET /api/admin/user/inbox')
  const proposed = async (who: 'editor' | 'viewer' = 'editor') =>
    (await inbox(who)).unusedFlags.map(({ feature }) => feature)

  const notifications = (who: 'editor' | 'viewer'): Promise<Notifications> =>
    as(who, 'GET /api/admin/user/notifications')

  /** Adds a flag that is evaluated, and whose last reference is then removed from the code. */
  async function retire(name: string): Promise<void> {
    await as('editor', `POST ${F}`, { name })
    await ask(name)
    await upload('web', [name])
    await upload('web', [])
  }

  beforeAll(async () => {
    for (const name of ['checkout', 'unscanned']) await server.admin(`DELETE ${F}/${name}`)
  })

  test('appears once no SDK has evaluated the flag for the given days, and goes when it is archived', async () => {
    await retire('done')
    await pass(UNUSED_DAYS)
    expect(await proposed()).toEqual([])
    await pass(1)
    const { total, unusedFlags } = await inbox()
    expect([total, unusedFlags]).toEqual([
      1,
      [
        {
          project: 'default',
          feature: 'done',
          removal: expect.objectContaining({ repository: 'web', revision: 'web-0' }),
          lastSeenAt: new Date(now - (UNUSED_DAYS + 1) * DAY).toISOString(),
        },
      ],
    ])
    expect(await proposed('viewer')).toEqual([])
    await ask('done')
    expect(await proposed()).toEqual([])
    await pass(UNUSED_DAYS + 1)
    expect(await proposed()).toEqual(['done'])
    await as('editor', `DELETE ${F}/done`)
    expect(await proposed()).toEqual([])
  })

  test('adds a notification that stays unread until the flag is archived or snoozed', async () => {
    for (const name of ['first', 'second']) await retire(name)
    const { unread } = await notifications('editor')
    await pass(UNUSED_DAYS + 1)
    const shown = await notifications('editor')
    expect(shown.unusedFlags).toEqual((await inbox()).unusedFlags)
    expect([shown.unusedFlags.length, shown.unread]).toEqual([2, unread + 2])
    await as('editor', 'PUT /api/admin/user/notifications/read', { upTo: await server.lastEventId() })
    expect((await notifications('editor')).unread).toBe(2)
    expect(await notifications('viewer')).toMatchObject({ unusedFlags: [], unread: 0 })
    const until = new Date(now + 30 * DAY).toISOString()
    await as('editor', 'POST /api/admin/projects/default/snooze', { features: ['first'], until })
    expect(await notifications('editor')).toMatchObject({ unusedFlags: [{ feature: 'second' }], unread: 1 })
    for (const name of ['first', 'second']) await as('editor', `DELETE ${F}/${name}`)
    expect(await notifications('editor')).toMatchObject({ unusedFlags: [], unread: 0 })
  })

  test('goes when it is dismissed, and comes back after the snooze', async () => {
    await retire('dismissed')
    await pass(UNUSED_DAYS + 1)
    const until = new Date(now + 30 * DAY).toISOString()
    await as('editor', 'POST /api/admin/projects/default/snooze', { features: ['dismissed'], until })
    expect(await proposed()).toEqual([])
    await pass(31)
    expect(await proposed()).toEqual(['dismissed'])
    await as('editor', `DELETE ${F}/dismissed`)
  })

  test('does not appear while another repository refers to the flag, or another flag depends on it', async () => {
    for (const name of ['referenced', 'parent']) await retire(name)
    await upload('api', ['referenced'])
    await as('editor', `POST ${F}`, { name: 'child' })
    await as('editor', `POST ${F}/child/dependencies`, { feature: 'parent' })
    await pass(UNUSED_DAYS + 1)
    expect(await proposed()).toEqual([])
    await upload('api', [])
    await as('editor', `DELETE ${F}/child`)
    expect((await proposed()).toSorted()).toEqual(['parent', 'referenced'])
    for (const name of ['referenced', 'parent']) await as('editor', `DELETE ${F}/${name}`)
  })

  test('appears once for each flag, with the most recent removal', async () => {
    await retire('twice')
    await upload('api', ['twice'])
    await pass(1)
    await upload('api', [])
    await pass(UNUSED_DAYS)
    expect((await inbox()).unusedFlags).toMatchObject([{ feature: 'twice', removal: { repository: 'api' } }])
    await as('editor', `DELETE ${F}/twice`)
  })

  test('goes to the users who may change the project if the creator has left', async () => {
    await server.admin(`POST ${F}`, { name: 'orphan' })
    await upload('web', ['orphan'])
    await upload('web', [])
    await pass(UNUSED_DAYS + 1)
    expect(await proposed()).toEqual(['orphan'])
    expect(await proposed('viewer')).toEqual([])
    await server.admin(`DELETE ${F}/orphan`)
  })

  test('does not appear for a flag in a hidden project', async () => {
    await retire('moved')
    await pass(UNUSED_DAYS + 1)
    expect(await proposed()).toEqual(['moved'])
    await server.admin('POST /api/admin/projects', { id: 'closed', name: 'closed', mode: 'private' })
    await server.admin(`POST ${F}/moved/changeProject`, { newProjectId: 'closed' })
    expect(await proposed()).toEqual([])
    const editor = await server.db.row("select id from users where username = 'editor'")
    await server.admin(`PUT /api/admin/projects/closed/users/${editor?.id}/roles`, { roles: [4] })
    expect(await proposed()).toEqual(['moved'])
  })
})
