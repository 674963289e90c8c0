import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runSimulate } from '../../bin/src/simulate/simulate-command.ts'
import { startServer, TOKENS } from '../http/scenario.ts'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'

/** `burgee simulate` runs plans and safeguards on recorded or generated metrics, with the code of the server. */
const folder = temporaryFolder()
afterAll(folder.remove)

function write(name: string, content: string | object): string {
  const path = join(folder.path, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const milestone = (percent: number, intervalMinutes?: number) => ({
  name: `${percent} %`,
  ...(intervalMinutes === undefined ? {} : { transitionCondition: { intervalMinutes } }),
  strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout: String(percent) } }],
})
const safeguard = (
  changes: { readonly metric?: object; readonly condition?: object; readonly action?: string } = {},
) => ({
  impactMetric: { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count', ...changes.metric },
  triggerCondition: { operator: '>', threshold: 100, ...changes.condition },
  action: { type: changes.action ?? 'pauseReleasePlanProgressions' },
})
const steps = [milestone(25, 5), milestone(50, 5), milestone(100)]
const write25 = (name: string, safeguards: readonly object[], milestones: readonly object[] = steps) =>
  write(name, { name: 'Careful', milestones, safeguards })

const plan = write25('plan.json', [safeguard()])
const open = write25('open.json', [])
const back = write25('back.json', [safeguard({ action: 'previousMilestone' })])
const off = write25('off.json', [safeguard({ action: 'disableEnvironment' })])
const labelled = write25('labelled.json', [
  safeguard({ metric: { labelSelectors: { 'route, method': ['/cart, "GET"'] } } }),
])
const compared = write25('compared.json', [
  safeguard({ condition: { compare: 'on-vs-off', threshold: 0.02, minimumSample: 100 } }),
])
const slow = write25('slow.json', [
  safeguard({
    metric: { metricName: 'unleash_histogram_latency', aggregationMode: 'p95' },
    condition: { threshold: 500 },
  }),
])
const memory = write25('memory.json', [
  safeguard({ metric: { metricName: 'unleash_gauge_memory', aggregationMode: 'avg' }, condition: { threshold: 150 } }),
])
const quoted = write('quoted.csv', `time,value,"route, method"\n${1_700_000_000},200,"/cart, ""GET"""\n`)
const long = write('long.json', { step: 2_678_401, series: [] })
const manual = write25('manual.json', [safeguard()], [milestone(25), milestone(100)])
const alert = write25('alert.json', [
  { impactMetric: { source: 'alert', metricName: 'Down' }, action: { type: 'previousMilestone' } },
])
const yaml = write(
  'plan.yaml',
  `name: Careful
milestones:
  - name: first
    transitionCondition: { intervalMinutes: 2 }
    strategies: [{ strategyName: flexibleRollout, parameters: { rollout: "25" } }]
  - name: second
    strategies: [{ strategyName: flexibleRollout, parameters: { rollout: "100" } }]
`,
)
const csv = (values: readonly number[], more = ''): string =>
  `time,value,region\n${values.map((value, index) => `${1_700_000_000 + index * 60},${value},eu${more}`).join('\n')}\n`
const calm = write('calm.csv', csv(Array.from({ length: 80 }, () => 1)))
const spike = write('spike.csv', csv([1, 1, 1, 1, 1, 1, 1, 200]))
const short = write('short.csv', csv([1, 1]))
const reply = write('reply.json', {
  metricName: 'unleash_counter_errors',
  type: 'counter',
  aggregationMode: 'rps',
  step: 900,
  series: [{ labels: { region: 'eu' }, points: [[1_700_000_000, 10]] }],
})

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const burgee = runBurgee(['simulate', ...args], env)
  return { code: await burgee.ended, output: burgee.output(), errors: burgee.errors() }
}

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly code: number
  readonly says: RegExp
}

describe('burgee simulate', () => {
  const calmErrors = ['--generate', 'rate=1,before=1%']
  test.each<Case>([
    {
      name: 'completes a plan without trouble, and shows what users get',
      args: [plan, ...calmErrors],
      code: 0,
      says: /0:00 {2}"25 %" starts: 2\d\d of 1,000[\s\S]*0:05 {2}"50 %"[\s\S]*\(\+2\d\d\)[\s\S]*0:10 {2}"100 %"[\s\S]*Completed/,
    },
    {
      name: 'trips on generated errors of a later milestone, and pauses',
      args: [plan, '--generate', 'rate=10,before=0,after=20%,from=2'],
      code: 2,
      says: /0:07 {2}safeguard trips: errors count > 100[\s\S]*paused[\s\S]*Tripped after 0:07, now in milestone 2 of 3/,
    },
    {
      name: 'steps back, with the users of the previous milestone',
      args: [back, '--generate', 'rate=10,before=0,after=20%,from=2'],
      code: 2,
      says: /safeguard trips[\s\S]*"25 %" starts: 2\d\d of 1,000 sample users have the flag \(−2\d\d\)/,
    },
    {
      name: 'turns the flag off',
      args: [off, '--generate', 'rate=10,after=50%'],
      code: 2,
      says: /the flag is turned off: 0 of 1,000/,
    },
    {
      name: 'compares users with and without the flag',
      args: [compared, '--generate', 'rate=20,before=1%,after=10%', '--seed', '7'],
      code: 2,
      says: /users with the flag against the others[\s\S]*with the flag \d+ of \d+, without it \d+ of \d+/,
    },
    {
      name: 'does not trip a comparison when errors rise for all users',
      args: [compared, '--generate', 'rate=20,before=10%,after=10%'],
      code: 0,
      says: /Completed/,
    },
    {
      name: 'generates histograms',
      args: [slow, '--generate', 'rate=5,before=100,after=400,from=3'],
      code: 2,
      says: /latency p95 > 500[\s\S]*Tripped after 0:1[1-9]/,
    },
    {
      name: 'generates gauges with noise',
      args: [memory, '--generate', 'before=100,after=300,noise=0.1'],
      code: 2,
      says: /memory avg > 150/,
    },
    { name: 'replays CSV', args: [plan, '--series', calm], code: 0, says: /70 checks; from 1 to 61, last 61/ },
    {
      name: 'replays CSV with quoted commas and quotes',
      args: [labelled, '--series', quoted],
      code: 2,
      says: /Tripped after 0:01/,
    },
    { name: 'rejects steps above a month', args: [plan, '--series', long], code: 1, says: /long\.json: "step" must/ },
    { name: 'finds a spike', args: [plan, '--series', spike], code: 2, says: /Tripped after 0:08/ },
    {
      name: 'replays a reply of the data API, spread over the steps',
      args: [plan, '--series', reply],
      code: 2,
      says: /Tripped after 0:01, .*"25 %"/,
    },
    {
      name: 'shows that a plan waits when the series ends',
      args: [plan, '--series', short, '--minutes', '30'],
      code: 3,
      says: /Not completed after 0:30: .*"50 %"; a safeguard holds the plan/,
    },
    {
      name: 'waits for a person without an interval',
      args: [manual, ...calmErrors, '--minutes', '10'],
      code: 3,
      says: /still in milestone 1 of 2, "25 %"; the simulated time is over/,
    },
    {
      name: 'leaves such milestones after --interval',
      args: [manual, ...calmErrors, '--interval', '3', '--minutes', '5'],
      code: 0,
      says: /0:03 {2}"100 %" starts/,
    },
    { name: 'reads YAML', args: [yaml, ...calmErrors], code: 0, says: /0:02 {2}"second" starts: 1,000 of 1,000/ },
    { name: 'simulates no alerts', args: [alert, ...calmErrors], code: 0, says: /alert Down, .*: not checked/ },
    { name: 'needs a plan', args: ['--seed'], code: 1, says: /Name a file/ },
    { name: 'needs metrics', args: [plan], code: 1, says: /--series FILE, or --generate/ },
    {
      name: 'names a wrong generator',
      args: [plan, '--generate', 'speed=1'],
      code: 1,
      says: /"speed=1" is not one of/,
    },
    { name: 'names a wrong rate', args: [plan, '--generate', 'after=200%'], code: 1, says: /at most 1 or 100%/ },
    {
      name: 'names a missing file',
      args: [open, '--series', 'none.csv'],
      code: 1,
      says: /Cannot read none\.csv \(ENOENT\)/,
    },
    { name: 'names a wrong plan', args: [calm, ...calmErrors], code: 1, says: /milestones|object/ },
    {
      name: 'reports what the server rejects',
      args: [write25('bad.json', [safeguard({ metric: { timeRange: 'year' } })]), ...calmErrors],
      code: 1,
      says: /timeRange/,
    },
    {
      name: 'names a wrong line of CSV',
      args: [plan, '--series', write('bad.csv', 'time,value\n1,x\n')],
      code: 1,
      says: /bad\.csv line 2/,
    },
  ])('$name', async ({ args, code, says }) => {
    const ended = await runSimulate(args).catch((error: Error) => ({ code: 1, text: error.message }))
    expect(ended.text).toMatch(says)
    expect(ended.code).toBe(code)
  })

  test('prints JSON, the same for the same seed, and leaves no database behind', async () => {
    const args = [plan, '--generate', 'rate=10,before=0,after=20%,noise=0.2,from=2', '--json', '--seed', '3']
    const own = join(folder.path, 'databases')
    mkdirSync(own)
    const [one, other] = await Promise.all([run(args, { TMPDIR: own }), run(args, { TMPDIR: own })])
    expect(one.output).toBe(other.output)
    expect(JSON.parse(one.output)).toMatchObject({
      plan: 'Careful',
      outcome: 'tripped',
      milestone: 2,
      timeline: [
        { kind: 'milestone', minute: 0 },
        { kind: 'milestone', minute: 5 },
        { kind: 'trip', safeguard: 0, trip: { threshold: 100 } },
        { kind: 'paused' },
      ],
      safeguards: [{ waiting: 0, min: 0 }],
    })
    const wrong = await run([plan, '--json'])
    expect(JSON.parse(wrong.errors)).toHaveProperty('error')
    expect(readdirSync(own).filter((name) => name.startsWith('burgee-simulation-'))).toEqual([])
  })

  test('reads a template of a server, with the constraints of its segments', async () => {
    const server = await startServer()
    try {
      const { url } = await server.server.listen()
      const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] }]
      const { id } = await server.admin('POST /api/admin/segments', { name: 'testers', constraints })
      const strategies = [{ strategyName: 'flexibleRollout', parameters: { rollout: '100' }, segments: [id] }]
      const milestones = [{ name: 'Testers', strategies, transitionCondition: { intervalMinutes: 2 } }, milestone(100)]
      await server.admin('POST /api/admin/release-plan-templates', { name: 'Careful', milestones })
      const safeguards = write('safeguards.json', [safeguard()])
      const args = ['Careful', '--url', url, '--safeguards', safeguards, '--generate', 'rate=1']
      const read = await run(args, { BURGEE_TOKEN: TOKENS.admin })
      expect(read).toMatchObject({ code: 0, output: expect.stringMatching(/"Testers" starts: 3 of 1,000/) })
      expect(await run(args, { BURGEE_TOKEN: 'wrong' })).toMatchObject({
        code: 1,
        errors: expect.stringMatching(/admin token/),
      })
      const unknown = await run(['None', ...args.slice(1)], { BURGEE_TOKEN: TOKENS.admin })
      expect(unknown.errors).toMatch(/has no release template "None"/)
    } finally {
      await server.close()
    }
  })
})
