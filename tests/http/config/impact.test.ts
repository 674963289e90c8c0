import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'
import { applyFiles, configOf, exportFiles, type File, planFiles } from './config-project.ts'

/** A plan reports how many sampled evaluations it would change. Only the environment development is sampled. */
const P = '/api/admin/projects/default'
const USERS = 20
let server: TestServer
let people: People
let nowMs = Date.UTC(2026, 0, 1)

const rollout = (percent: number, more = '') =>
  `      - name: flexibleRollout\n        parameters:\n          rollout: "${percent}"\n          stickiness: default\n          groupId: g\n${more}`
const environment = (name: string, enabled: boolean, strategies: string) =>
  `  ${name}:\n    enabled: ${enabled}\n    strategies:\n${strategies}`
const flag = (name: string, environments: string, more = ''): File => ({
  path: `${name}.yaml`,
  content: `kind: Flag\nname: ${name}\n${more}environments:\n${environments}`,
})
const dev = (enabled: boolean, strategies: string) => environment('development', enabled, strategies)
const segment = (values: string): File => ({
  path: 'segment-pros.yaml',
  content: `kind: Segment\nname: pros\nproject: default\nconstraints:\n  - contextName: plan\n    operator: IN\n    values: [${values}]\n`,
})
const IN_SEGMENT = '        segments: [pros]\n'
const PARENT = 'dependencies:\n  - feature: parent\n'
const STATE = [
  segment('pro'),
  flag('parent', dev(true, rollout(100))),
  flag('child', dev(true, rollout(100)), PARENT),
  flag('pros', dev(true, rollout(100, IN_SEGMENT))),
  flag('off', dev(false, rollout(100))),
  flag('both', dev(true, rollout(100)) + environment('production', true, rollout(100))),
]
/** Returns the files of the initial state; given files replace those with the same path. */
const withFiles = (...files: readonly File[]) => [
  ...STATE.filter(({ path }) => files.every((file) => file.path !== path)),
  ...files,
]

beforeAll(async () => {
  // the clock advances each time it is read, so sampling drops nothing
  server = await startServer({}, () => (nowMs += 1))
  people = await addPeople(server)
  await applyFiles(server, STATE)
  await server.admin('PUT /api/admin/environments/development/traffic-sampling', { enabled: true })
  for (let user = 0; user < USERS; user++) {
    const plan = user % 2 === 0 ? 'pro' : 'free'
    await server.call({ as: TOKENS.frontend, call: `GET /api/frontend?userId=${user}&plan=${plan}` })
  }
})
afterAll(() => server.close())

interface Figures {
  readonly evaluations: number
  readonly offToOn: number | null
  readonly onToOff: number | null
  readonly otherVariant: number | null
}
interface Measured {
  readonly changes: readonly { readonly name: string; readonly impact?: Figures }[]
  readonly impacts: readonly { readonly flag: string; readonly environment: string; readonly impact: Figures }[]
  readonly isImpactIncomplete: boolean
}

/** Plans files. Returns the impact on each flag as `flag: off to on, on to off, other variant`. */
async function listImpacts(files: readonly File[], more: object = {}): Promise<string[]> {
  const plan = (await planFiles(server, files, more)) as unknown as Measured
  expect(plan.isImpactIncomplete).toBe(false)
  expect(plan.impacts.every((one) => one.environment === 'development' && one.impact.evaluations === USERS)).toBe(true)
  return plan.impacts.map(
    ({ flag: name, impact: { offToOn, onToOff, otherVariant } }) => `${name}: ${offToOn}, ${onToOff}, ${otherVariant}`,
  )
}

describe('the impact of a plan', () => {
  test.each<[string, readonly File[], readonly string[]]>([
    ['no changes', [], []],
    ['turning a flag on', [flag('off', dev(true, rollout(100)))], ['off: 20, 0, 0']],
    ['turning a flag off', [flag('pros', dev(false, rollout(100, IN_SEGMENT)))], ['pros: 0, 10, 0']],
    ['a change of a flag that is off', [flag('off', dev(false, rollout(50)))], ['off: 0, 0, 0']],
    ['turning a parent off', [flag('parent', dev(false, rollout(100)))], ['parent: 0, 20, 0', 'child: 0, 20, 0']],
    ['a new flag', [flag('new', dev(true, rollout(100)))], ['new: 20, 0, 0']],
    [
      'a new flag in a new segment',
      [
        { path: 'new.yaml', content: segment('free').content.replace('name: pros', 'name: free') },
        flag('fresh', dev(true, rollout(100, '        segments: [free]\n'))),
      ],
      ['fresh: 10, 0, 0'],
    ],
    ['a new parent', [flag('both', dev(true, rollout(100)), 'dependencies:\n  - feature: off\n')], ['both: 0, 20, 0']],
    ['another segment', [segment('free')], ['pros: 10, 10, 0']],
    [
      'a change in an environment that is not sampled',
      [flag('both', dev(true, rollout(100)) + environment('production', false, rollout(100)))],
      [],
    ],
    [
      'a variant',
      [
        flag(
          'parent',
          `${dev(true, rollout(100))}    variants:\n      - name: a\n        weight: 1000\n        weightType: variable\n`,
        ),
      ],
      ['parent: 0, 0, 20', 'child: 0, 0, 0'],
    ],
    [
      'fewer than five users',
      [segment('pro, nobody, free]\n  - contextName: userId\n    operator: IN\n    values: ["1", "3", "0", "2"')],
      ['pros: null, 8, 0'],
    ],
  ])('of %s', async (_name, files, impacts) => {
    expect(await listImpacts(withFiles(...files))).toEqual(impacts)
  })

  test('archived flags turn every evaluation off', async () => {
    const files = STATE.filter(({ path }) => path !== 'both.yaml' && path !== 'off.yaml')
    expect(await listImpacts(files, { prune: true })).toEqual(['both: 0, 20, 0'])
  })

  test('each change in the environment has the impact', async () => {
    const { changes } = (await planFiles(server, [flag('off', dev(true, rollout(50)))])) as unknown as Measured
    expect(changes.map(({ name, impact }) => [name, impact?.evaluations])).toEqual([
      ['off', USERS],
      ['off', USERS],
    ])
  })

  test('a plan with an impact writes nothing', async () => {
    const [before] = await server.db.rows('select max(id) as id from events')
    await planFiles(server, [flag('off', dev(true, rollout(100)))])
    expect(await server.db.rows('select max(id) as id from events')).toEqual([before])
    expect((await planFiles(server, await exportFiles(server))).changes).toEqual([])
  })

  test('a caller who may not make the changes sees no impact', async () => {
    const { roles } = await server.admin('POST /api/admin/roles', {
      name: 'No edits',
      type: 'custom',
      permissions: [{ name: 'UPDATE_FEATURE' }],
    })
    await server.admin(`PUT ${P}/users/${people.ids.author}/roles`, { roles: [roles.id] })
    const body = { files: [flag('off', dev(true, rollout(100)))] }
    const reply = await server.call({ ...people.as.author, call: `POST ${configOf('default')}/plan`, body })
    expect(reply.json()).toMatchObject({ impacts: [], isImpactIncomplete: true })
  })

  test('a plan measures at most 50 flags of an environment and 500 changes', async () => {
    const create = (count: number) =>
      Array.from({ length: count }, (_, at) => flag(`many-${at}`, dev(true, rollout(100))))
    const some = (await planFiles(server, create(51))) as unknown as Measured
    expect(some).toMatchObject({ isImpactIncomplete: true })
    expect(some.impacts).toHaveLength(50)
    expect(await planFiles(server, create(200))).toMatchObject({ impacts: [], isImpactIncomplete: true })
  })
})
