import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Lifecycle stages of a flag: usage advances the flag, and each stage is reached only once. */
let server: TestServer
const START = Date.parse('2030-01-01T00:00:00Z')
const MINUTE = 60_000
let now = START
const F = '/api/admin/projects/default/features'

beforeAll(async () => {
  server = await startServer({}, () => now)
  for (const name of ['f', 'g', 'gone']) await server.admin(`POST ${F}`, { name })
})
afterAll(() => server.close())

async function ask(token: string, ...flags: readonly string[]): Promise<void> {
  now += MINUTE
  const toggles = Object.fromEntries(flags.map((name) => [name, { yes: 1, no: 0 }]))
  const bucket = { start: new Date(now - 1000).toISOString(), stop: new Date(now).toISOString(), toggles }
  await server.call({ as: token, call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
  await server.server.flush()
}

async function stages(name = 'f') {
  const list = (await server.call({ as: 'viewer', call: `GET ${F}/${name}/lifecycle` })).json()
  return list.map(({ enteredStageAt, ...one }: { enteredStageAt: string }) => ({
    ...one,
    minute: (Date.parse(enteredStageAt) - START) / MINUTE,
  }))
}

const INITIAL = { stage: 'initial', minute: 0 }

describe('stages', () => {
  test('start with the flag; requests do not advance them while it is off in production', async () => {
    expect(await stages()).toEqual([INITIAL])
    await ask('production', 'f')
    expect(await stages()).toEqual([INITIAL])
  })

  test('advance with the first request, first outside production, then in production', async () => {
    await ask('client', 'f')
    await ask('client', 'f')
    expect(await stages()).toEqual([INITIAL, { stage: 'pre-live', minute: 2 }])
    await server.admin(`POST ${F}/f/environments/production/on`)
    await ask('production', 'f', 'g')
    await ask('production', 'f')
    expect(await stages()).toEqual([INITIAL, { stage: 'pre-live', minute: 2 }, { stage: 'live', minute: 4 }])
    expect(await stages('g')).toEqual([INITIAL])
  })

  test('end with the archive, from which a flag comes back as it was', async () => {
    await ask('client', 'gone')
    now += MINUTE
    await server.admin(`DELETE ${F}/gone`)
    const before = [INITIAL, { stage: 'pre-live', minute: 6 }]
    expect(await stages('gone')).toEqual([...before, { stage: 'archived', minute: 7 }])
    await server.admin('POST /api/admin/archive/revive/gone')
    expect(await stages('gone')).toEqual(before)
  })

  test('disappear with a deleted flag: a new one of its name starts over', async () => {
    await server.admin(`DELETE ${F}/gone`)
    await server.admin('DELETE /api/admin/archive/gone')
    await server.admin(`POST ${F}`, { name: 'gone' })
    expect(await stages('gone')).toEqual([{ stage: 'initial', minute: 7 }])
  })
})

const COMPLETE = `POST ${F}/f/lifecycle/complete`
const UNCOMPLETE = `POST ${F}/f/lifecycle/uncomplete`

describe('a completed flag', () => {
  scenarios(
    () => server,
    [
      { name: 'completed by a viewer', as: 'viewer', call: COMPLETE, body: {}, status: 403, text: 'UPDATE_FEATURE' },
      { name: 'as something else', as: 'editor', call: COMPLETE, body: { status: 'lost' }, status: 400 },
      { name: 'with something else', as: 'editor', call: COMPLETE, body: { state: 'kept' }, status: 400 },
      { name: 'of an unknown flag', as: 'editor', call: COMPLETE.replace('/f/', '/nope/'), body: {}, status: 404 },
      {
        name: 'undone without a completion',
        as: 'editor',
        call: UNCOMPLETE,
        body: {},
        status: 200,
        empty: true,
      },
      {
        name: 'completed',
        as: 'editor',
        call: COMPLETE,
        body: { status: 'kept', statusValue: 'blue' },
        status: 200,
        empty: true,
        events: ['feature-completed'],
      },
      {
        name: 'the same again',
        as: 'editor',
        call: COMPLETE,
        body: { status: 'kept', statusValue: 'blue' },
        status: 200,
      },
      {
        name: 'shown',
        as: 'viewer',
        call: `GET ${F}/f/lifecycle`,
        status: 200,
        has: [{}, {}, {}, { stage: 'completed', status: 'kept', statusValue: 'blue' }],
      },
      {
        name: 'completed in another way',
        as: 'editor',
        call: COMPLETE,
        body: { status: 'discarded' },
        status: 200,
        events: ['feature-completed'],
      },
      {
        name: 'taken back',
        as: 'editor',
        call: UNCOMPLETE,
        body: {},
        status: 200,
        empty: true,
        events: ['feature-uncompleted'],
      },
      {
        name: 'completed without a status, it is kept',
        as: 'editor',
        call: COMPLETE,
        body: {},
        status: 200,
        events: ['feature-completed'],
      },
      { name: 'stages of an unknown flag', as: 'viewer', call: `GET ${F}/nope/lifecycle`, status: 404 },
    ],
  )
})
