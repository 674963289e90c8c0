import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People } from './people.ts'

const PROJECT = '/api/admin/projects/default'
const FEATURES = `${PROJECT}/features`
const PROPOSE = `POST ${PROJECT}/environments/production/change-requests`

let server: TestServer
let people: People
let flags = 0

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  await server.admin(`PUT ${PROJECT}/environments/production/change-requests/config`, { changeRequestsEnabled: true })
})
afterAll(() => server.close())

interface Change {
  readonly action: string
  readonly payload: object
}
const turn = (enabled: boolean, activates = false): Change => ({
  action: 'updateEnabled',
  payload: { enabled, ...(activates ? { shouldActivateDisabledStrategies: true } : {}) },
})
const strategy = (id: 'a' | 'b', rollout: string, disabled = false): Change => ({
  action: 'updateStrategy',
  payload: { id, name: 'flexibleRollout', parameters: { rollout }, disabled },
})
const add = (rollout: string): Change => ({
  action: 'addStrategy',
  payload: { name: 'flexibleRollout', parameters: { rollout } },
})
const remove = (id: 'a' | 'b'): Change => ({ action: 'deleteStrategy', payload: { id } })
const variants = (name: string): Change => ({
  action: 'patchVariant',
  payload: { variants: [{ name, weight: 1000, weightType: 'variable', stickiness: 'default' }] },
})

/** Creates a flag with the strategies a and b. Returns a function that proposes changes and returns the draft. */
async function startDraft() {
  flags += 1
  const feature = `flag-${flags}`
  const here = `${FEATURES}/${feature}/environments/production/strategies`
  await server.admin(`POST ${FEATURES}`, { name: feature })
  const ids = { a: '', b: '' }
  for (const id of ['a', 'b'] as const) ids[id] = (await server.admin(`POST ${here}`, { name: 'default' })).id
  const propose = async (changes: Change | readonly Change[]) => {
    const list = [changes].flat().map((one) => ({ feature, ...one }))
    const text = JSON.stringify(list)
      .replaceAll('"id":"a"', `"id":"${ids.a}"`)
      .replaceAll('"id":"b"', `"id":"${ids.b}"`)
    const last = await server.lastEventId()
    const reply = await server.call({ call: PROPOSE, body: JSON.parse(text), ...people.as.author })
    expect(reply.statusCode, reply.body).toBe(200)
    const events = (await server.eventsAfter(last)).filter((type) => type !== 'change-request-created')
    const own = reply.json().features.find(({ name }: { name: string }) => name === feature)
    const kept = (own.changes as { action: string; payload: { id?: string } }[]).map(describeChange)
    return { events, kept: kept.map((one) => one.replace(ids.a, 'a').replace(ids.b, 'b')) }
  }
  return propose
}

function describeChange({ action, payload }: { readonly action: string; readonly payload: unknown }): string {
  const {
    enabled,
    shouldActivateDisabledStrategies: activates,
    id = '',
    parameters,
    variants: list,
  } = payload as {
    enabled?: boolean
    shouldActivateDisabledStrategies?: boolean
    id?: string
    parameters?: { rollout?: string }
    variants?: { name: string }[]
  }
  if (action === 'updateEnabled') return `${enabled === true ? 'on' : 'off'}${activates === true ? ' activates' : ''}`
  return [action, id, parameters?.rollout, list?.[0]?.name].filter(Boolean).join(' ')
}

type Row = readonly [
  name: string,
  proposals: readonly (Change | readonly Change[])[],
  kept: readonly string[],
  events: readonly string[],
]

/** Proposals in order, the changes that are in the draft afterwards, and the events of the last proposal. */
const ROWS: readonly Row[] = [
  ['the same state twice', [turn(false), turn(false)], ['off'], []],
  ['the opposite state', [turn(false), turn(true)], ['on'], ['change-edited']],
  ['on, which keeps the activation', [turn(true, true), turn(true)], ['on activates'], []],
  ['off, which drops the activation', [turn(true, true), turn(false)], ['off'], ['change-edited']],
  [
    'a state after another change, as the last change',
    [turn(true), remove('a'), turn(true)],
    ['deleteStrategy a', 'on'],
    ['change-discarded', 'change-added'],
  ],
  [
    'a strategy, in place',
    [strategy('a', '10'), strategy('b', '20'), strategy('a', '30')],
    ['updateStrategy a 30', 'updateStrategy b 20'],
    ['change-edited'],
  ],
  [
    'the same strategy twice',
    [strategy('a', '10'), turn(true), strategy('a', '10')],
    ['updateStrategy a 10', 'on'],
    [],
  ],
  [
    'a strategy after a switch, which may depend on it: no merge',
    [strategy('a', '10'), turn(true), strategy('a', '10', true)],
    ['updateStrategy a 10', 'on', 'updateStrategy a 10'],
    ['change-added'],
  ],
  ['an edited strategy, removed', [strategy('a', '10'), remove('a')], ['deleteStrategy a'], ['change-edited']],
  ['variants', [variants('red'), variants('blue')], ['patchVariant blue'], ['change-edited']],
  ['equal new strategies: no merge', [add('5'), add('5')], ['addStrategy 5', 'addStrategy 5'], ['change-added']],
  ['a list, which is added as given', [[turn(false), turn(true)]], ['off', 'on'], ['change-added', 'change-added']],
]

describe('a proposal replaces an earlier one for the same target', () => {
  test.each(ROWS)('%s', async (_name, proposals, kept, events) => {
    const propose = await startDraft()
    let last: Awaited<ReturnType<typeof propose>> = { events: [], kept: [] }
    for (const one of proposals) last = await propose(one)
    expect(last).toEqual({ kept, events })
  })

  test('not one for another flag, or of another user', async () => {
    const [first, second] = [await startDraft(), await startDraft()]
    await first(turn(true))
    expect(await second(turn(false))).toEqual({ kept: ['off'], events: ['change-added'] })
    expect(await first(turn(true))).toEqual({ kept: ['on'], events: [] })
  })
})
