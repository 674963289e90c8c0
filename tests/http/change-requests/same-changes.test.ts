import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { casesOf } from '../../support/cases.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People } from './people.ts'

/**
 * Applying a change request is equivalent to making its changes by hand in order. There is one exception: a flag is
 * enabled only after the list has given it a strategy. SDKs receive the same flags, and the event log is the same
 * except for the request's own events. BURGEE_FUZZ_RUNS sets the number of lists, and BURGEE_FUZZ_SEED the seed.
 */
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260102)
const RUNS = casesOf('lists of changes, by request and by hand', { some: 8, full: 12 }, process.env.BURGEE_FUZZ_RUNS)
const PROJECT = '/api/admin/projects/default'
const FEATURES = `${PROJECT}/features`

let server: TestServer
let people: People
let runs = 0
const counts = { applied: 0, refused: 0 }
beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
})
afterAll(() => server.close())

/** Change of one of two flags. Strategies are identified by their index at the beginning. */
type Step =
  | { readonly kind: 'switch'; readonly enabled: boolean; readonly activate: boolean }
  | { readonly kind: 'add' | 'update'; readonly rollout: string; readonly disabled: boolean; readonly at: number }
  | { readonly kind: 'delete' | 'sort'; readonly at: number }
  | { readonly kind: 'variants'; readonly names: readonly string[] }
  | { readonly kind: 'parent' | 'no parent' | 'archive' }
type Placed = Step & { readonly flag: 0 | 1 }

const at = fc.nat(1)
const rollout = fc.constantFrom('0', '50', '100')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('switch' as const), enabled: fc.boolean(), activate: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('add' as const, 'update' as const),
      rollout,
      disabled: fc.boolean(),
      at,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'sort' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('variants' as const),
      names: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('parent' as const, 'no parent' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const) }) },
)
const steps: fc.Arbitrary<Placed[]> = fc.array(
  fc.tuple(step, fc.constantFrom(0 as const, 1 as const)).map(([one, flag]) => ({ ...one, flag })),
  { minLength: 1, maxLength: 6 },
)

/**
 * Lists of changes, each of which is valid alone, but not in this order. Some of the lists enable a flag after its last
 * strategy is removed.
 */
const IN_EACH_OTHERS_WAY: [Placed[]][] = [
  [
    [
      { kind: 'archive', flag: 0 },
      { kind: 'switch', enabled: false, activate: false, flag: 0 },
    ],
  ],
  [
    [
      { kind: 'delete', at: 0, flag: 0 },
      { kind: 'delete', at: 1, flag: 0 },
      { kind: 'switch', enabled: true, activate: true, flag: 0 },
      { kind: 'add', rollout: '0', disabled: true, at: 0, flag: 0 },
      { kind: 'add', rollout: '50', disabled: false, at: 0, flag: 0 },
    ],
  ],
  [
    [
      { kind: 'delete', at: 0, flag: 1 },
      { kind: 'variants', names: ['a'], flag: 0 },
      { kind: 'delete', at: 0, flag: 1 },
    ],
  ],
  [
    [
      { kind: 'delete', at: 1, flag: 0 },
      { kind: 'update', rollout: '50', disabled: false, at: 1, flag: 0 },
    ],
  ],
]

/** Two flags that are enabled in production with two strategies each, and a third flag that they may depend on. */
interface Flags {
  readonly names: readonly string[]
  readonly strategies: readonly (readonly string[])[]
}

async function makeFlags(prefix: string): Promise<Flags> {
  const names = [`${prefix}-0`, `${prefix}-1`]
  await server.admin(`POST ${FEATURES}`, { name: `${prefix}-parent` })
  const strategies: string[][] = []
  for (const name of names) {
    await server.admin(`POST ${FEATURES}`, { name })
    const place = `${FEATURES}/${name}/environments/production`
    const [first, second] = [{ name: 'default' }, { name: 'default', disabled: true }]
    const made = [
      await server.admin(`POST ${place}/strategies`, first),
      await server.admin(`POST ${place}/strategies`, second),
    ]
    strategies.push(made.map(({ id }: { id: string }) => id))
    await server.admin(`POST ${place}/on`)
  }
  return { names, strategies }
}

/** Returns a change both as a direct call and as a proposal. */
function written(one: Placed, { names, strategies }: Flags, prefix: string) {
  const feature = names[one.flag] as string
  const here = `${FEATURES}/${feature}/environments/production`
  const idOf = (place: number) => strategies[one.flag]?.[place] as string
  const body = (each: { rollout: string; disabled: boolean }) => ({
    name: 'flexibleRollout',
    parameters: { rollout: each.rollout, groupId: 'g' },
    disabled: each.disabled,
  })
  switch (one.kind) {
    case 'switch': {
      const query = `shouldActivateDisabledStrategies=${one.activate}`
      const payload = { enabled: one.enabled, shouldActivateDisabledStrategies: one.activate }
      return {
        call: `POST ${here}/${one.enabled ? 'on' : 'off'}?${query}`,
        proposal: { feature, action: 'updateEnabled', payload },
      }
    }
    case 'add':
      return {
        call: `POST ${here}/strategies`,
        body: body(one),
        proposal: { feature, action: 'addStrategy', payload: body(one) },
      }
    case 'update': {
      const id = idOf(one.at)
      const payload = { ...body(one), id }
      return {
        call: `PUT ${here}/strategies/${id}`,
        body: body(one),
        proposal: { feature, action: 'updateStrategy', payload },
      }
    }
    case 'delete': {
      const id = idOf(one.at)
      return {
        call: `DELETE ${here}/strategies/${id}`,
        proposal: { feature, action: 'deleteStrategy', payload: { id } },
      }
    }
    case 'sort': {
      const payload = [{ id: idOf(one.at), sortOrder: 7 }]
      return {
        call: `POST ${here}/strategies/set-sort-order`,
        body: payload,
        proposal: { feature, action: 'reorderStrategy', payload },
      }
    }
    case 'variants': {
      const variants = one.names.map((name) => ({ name, weight: 1000, weightType: 'variable', stickiness: 'default' }))
      return {
        call: `PUT ${here}/variants`,
        body: variants,
        proposal: { feature, action: 'patchVariant', payload: { variants } },
      }
    }
    case 'parent': {
      const payload = { feature: `${prefix}-parent` }
      return {
        call: `POST ${FEATURES}/${feature}/dependencies`,
        body: payload,
        proposal: { feature, action: 'addDependency', payload },
      }
    }
    case 'no parent':
      return { call: `DELETE ${FEATURES}/${feature}/dependencies`, proposal: { feature, action: 'deleteDependency' } }
    case 'archive':
      return { call: `DELETE ${FEATURES}/${feature}`, proposal: { feature, action: 'archiveFeature' } }
  }
}

/** Replaces everything that can differ between two copies of the same flags: names, ids and times. */
function plain(text: string, prefix: string): string {
  const ids = new Map<string, string>()
  const named = (id: string) => ids.get(id) ?? (ids.set(id, `id ${ids.size}`).get(id) as string)
  return text
    .replaceAll(`${prefix}-`, 'flag-')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
}

async function download(prefix: string): Promise<string> {
  const call = `GET /api/client/features?namePrefix=${prefix}-`
  const { features } = (
    await server.call({ as: 'production', call, headers: { 'unleash-client-spec': '5.1.0' } })
  ).json()
  return plain(JSON.stringify(features), prefix)
}

async function eventsSince(id: number, prefix: string): Promise<string> {
  const { events } = await server.admin(`GET /api/admin/search/events?afterId=${id}&limit=200`)
  const own = (events as Record<string, unknown>[])
    .filter(({ type }) => !String(type).startsWith('change-'))
    .map(({ type, environment, featureName, data, preData }) => ({ type, environment, featureName, data, preData }))
  return plain(JSON.stringify(own.reverse()), prefix)
}

const call = async (by: 'author' | 'first', line: string, body: unknown) =>
  server.call({ call: line, body, ...people.as[by] })

/**
 * Returns true if the change enables a flag that has no enabled strategy yet but gets one later in the list. Inserts
 * the change after that point of the list.
 */
async function waits(one: Placed, left: Placed[], { names }: Flags): Promise<boolean> {
  if (one.kind !== 'switch' || !one.enabled) return false
  const place = `${FEATURES}/${names[one.flag]}/environments/production`
  const { statusCode, body } = await server.call({ as: 'admin', call: `GET ${place}` })
  if (statusCode !== 200) return false
  const { strategies } = JSON.parse(body) as { strategies: { disabled: boolean }[] }
  if (strategies.some(({ disabled }) => !disabled || one.activate)) return false
  const at = left.findIndex(
    (later) =>
      later.flag === one.flag && ('disabled' in later ? !later.disabled : 'enabled' in later && !later.enabled),
  )
  if (left[at] === undefined || left[at].kind === 'switch') return false
  left.splice(at + 1, 0, { ...one, activate: false })
  return true
}

async function trial(list: readonly Placed[]): Promise<void> {
  runs += 1
  const [hand, request] = [`hand${runs}`, `request${runs}`]
  const [byHand, byRequest] = [await makeFlags(hand), await makeFlags(request)]
  let id = 0
  // Changes are added one by one, because changes that are sent together are validated together and would be rejected
  // as a whole. A segment id prevents a later change from replacing an earlier one.
  const setSegment = (to: number | null) =>
    server.db.rows('update change_request_changes set segment_id = ? where request_id = ?', to, id)
  for (const one of list) {
    const { proposal } = written(one, byRequest, request)
    const proposed = await call('author', `POST ${PROJECT}/environments/production/change-requests`, proposal)
    expect(proposed.statusCode, proposed.body).toBe(200)
    id = proposed.json().id
    await setSegment(-1)
  }
  await setSegment(null)
  const url = `${PROJECT}/change-requests/${id}/state`
  for (const [by, state] of [
    ['author', 'In review'],
    ['first', 'Approved'],
  ] as const) {
    expect((await call(by, `PUT ${url}`, { state })).statusCode).toBe(200)
  }
  const [before, start] = [await download(request), await server.lastEventId()]
  const applied = await call('first', `PUT ${url}`, { state: 'Applied' })
  const requestEvents = await eventsSince(start, request)
  const from = await server.lastEventId()
  const statuses: number[] = []
  const left = [...list]
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    if (await waits(one, left, byHand)) continue
    const { call: line, body } = written(one, byHand, hand)
    const reply = await server.call({ as: 'admin', call: line, ...(body === undefined ? {} : { body }) })
    statuses.push(reply.statusCode)
  }
  const isDone = statuses.every((status) => status < 300)
  expect([statuses, applied.statusCode], applied.body).toEqual([statuses, isDone ? 200 : 409])
  if (isDone) {
    counts.applied += 1
    expect(requestEvents).toBe(await eventsSince(from, hand))
    expect(await download(request)).toBe(await download(hand))
  } else {
    counts.refused += 1
    expect([requestEvents, await download(request)]).toEqual(['[]', before])
    await call('author', `PUT ${url}`, { state: 'Cancelled' })
  }
}

test(`${RUNS} lists of changes, seed ${SEED}: by request as by hand`, { timeout: 60_000 + RUNS * 2000 }, async () => {
  await fc.assert(fc.asyncProperty(steps, trial), { seed: SEED, numRuns: RUNS, examples: IN_EACH_OTHERS_WAY })
  process.stdout.write(`change requests: ${JSON.stringify(counts)}\n`)
  expect(counts.applied).toBeGreaterThan(RUNS / 3)
  expect(counts.refused).toBeGreaterThan(0)
})
