import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, exportFiles, planFiles } from './config-project.ts'

/**
 * Random installations with several projects, and with objects that all projects share: planning an export gives no
 * changes, both in the installation that it came from and in an installation to which it was applied.
 */
let source: TestServer
let target: TestServer

beforeAll(async () => {
  source = await startServer()
  target = await startServer()
})
afterAll(async () => {
  await source.close()
  await target.close()
})

/** Strings that YAML would parse as something else without quotes, and other unusual strings. */
const ODD = [
  'no',
  '0x1F',
  '1e3',
  '~',
  'null',
  '- a',
  'a: b',
  '# x',
  '"q"',
  "it's",
  'tab\tand\nline',
  '\u0085\u2028',
  '😀',
  ' pad ',
  '007',
  '&a',
  '*a',
  '!t',
  '%',
  '@',
  '`',
  '{',
  ']',
  '>',
  '|',
  '=',
  '<<',
]
const text = fc
  .oneof(fc.constantFrom(...ODD), fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }))
  .filter((one) => one.isWellFormed() && one.trim() !== '' && !one.includes('\0'))
const percent = fc.integer({ min: 0, max: 100 }).map(String)
const constraint = fc.oneof(
  fc.record({
    contextName: fc.constantFrom('userId', 'plan', 'appName'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: fc.array(
      text.map((one) => one.trim()),
      { minLength: 1, maxLength: 3 },
    ),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('age'),
    operator: fc.constantFrom('NUM_GT', 'NUM_LTE'),
    value: fc.integer().map(String),
  }),
)
const variants = fc.uniqueArray(
  fc.record(
    {
      name: text.map((one) => one.trim()),
      weight: fc.constant(0),
      weightType: fc.constant('variable'),
      payload: fc.record({ type: fc.constant('string'), value: text }),
    },
    { requiredKeys: ['name', 'weight', 'weightType'] },
  ),
  { maxLength: 3, selector: ({ name }) => name },
)
const strategy = fc.record(
  {
    name: fc.constant('flexibleRollout'),
    parameters: fc.record({
      rollout: percent,
      stickiness: fc.constantFrom('default', 'userId', 'random'),
      groupId: text,
    }),
    title: text,
    disabled: fc.boolean(),
    constraints: fc.array(constraint, { maxLength: 2 }),
    isInSegment: fc.boolean(),
    variants,
  },
  { requiredKeys: ['name', 'parameters'] },
)
const environment = fc.record({ on: fc.boolean(), strategies: fc.array(strategy, { maxLength: 3 }), variants })
const flag = fc.record({
  description: fc.option(text),
  type: fc.constantFrom('release', 'kill-switch'),
  tags: fc.uniqueArray(fc.constantFrom('ab', 'a:b', 'no', '12'), { maxLength: 2 }),
  hasParent: fc.boolean(),
  development: environment,
  production: environment,
  /** Number of the milestone that a release of the flag in development has started; null if there is no release. */
  milestone: fc.option(fc.nat({ max: 1 })),
})
const project = fc.record({
  flags: fc.array(flag, { minLength: 1, maxLength: 3 }),
  segment: fc.record({ title: text, constraints: fc.array(constraint, { maxLength: 2 }), isShared: fc.boolean() }),
})
const milestone = fc.record({
  rollout: percent,
  constraints: fc.array(constraint, { maxLength: 1 }),
  minutes: fc.option(fc.integer({ min: 1, max: 1000 })),
})
const installation = fc.record({
  projects: fc.array(project, { minLength: 1, maxLength: 3 }),
  template: fc.record({ description: fc.option(text), milestones: fc.tuple(milestone, milestone) }),
  field: fc.record({
    description: text,
    stickiness: fc.boolean(),
    legalValues: fc.uniqueArray(
      text.map((one) => one.trim()),
      { maxLength: 3 },
    ),
  }),
})

type RandomFlag = typeof flag extends fc.Arbitrary<infer T> ? T : never
type RandomProject = typeof project extends fc.Arbitrary<infer T> ? T : never
type RandomInstallation = typeof installation extends fc.Arbitrary<infer T> ? T : never
let round = 0

/** Objects that a random flag can use. */
interface UsableObjects {
  readonly project: string
  readonly parent: string
  readonly segment: number
  readonly template: string
}

async function makeFlag(name: string, objects: UsableObjects, one: RandomFlag): Promise<void> {
  const P = `/api/admin/projects/${objects.project}/features`
  const { description, type, tags } = one
  await source.admin(`POST ${P}`, { name, description, type, tags: tags.map((value) => ({ type: 'simple', value })) })
  if (one.hasParent) await source.admin(`POST ${P}/${name}/dependencies`, { feature: objects.parent })
  for (const environment of ['development', 'production'] as const) {
    const place = `${P}/${name}/environments/${environment}`
    const { on, strategies, variants } = one[environment]
    for (const { isInSegment = false, ...body } of strategies) {
      await source.admin(`POST ${place}/strategies`, { ...body, segments: isInSegment ? [objects.segment] : [] })
    }
    if (variants.length > 0) await source.admin(`PUT ${place}/variants`, variants)
    if (environment === 'development' && one.milestone !== null) {
      const plan = await source.admin(`POST ${place}/release-plans`, { templateId: objects.template })
      const { id } = plan.milestones[one.milestone]
      if (one.milestone > 0) await source.admin(`POST ${place}/release-plans/${plan.id}/milestones/${id}/start`)
    }
    if (on) await source.admin(`POST ${place}/on`)
  }
}

/** Creates the objects that all projects share. Returns the id of the release template. */
async function makeShared({ template, field }: RandomInstallation): Promise<string> {
  const legalValues = field.legalValues.map((value) => ({ value }))
  await source.admin('POST /api/admin/context', { ...field, name: `field-${round}`, legalValues })
  const milestones = template.milestones.map(({ rollout, constraints, minutes }, at) => ({
    name: `m${at}`,
    transitionCondition: minutes === null ? null : { intervalMinutes: minutes },
    strategies: [
      { strategyName: 'flexibleRollout', parameters: { rollout, stickiness: 'default', groupId: 'g' }, constraints },
    ],
  }))
  const body = { name: `Template ${round}`, description: template.description, milestones }
  return (await source.admin('POST /api/admin/release-plan-templates', body)).id
}

/** Creates a project with its flags and a segment. Returns the id of the project, which the target has as well. */
async function makeProject({ flags, segment }: RandomProject, at: number, template: string): Promise<string> {
  const id = at === 0 ? 'default' : `p${round}-${at}`
  if (at > 0) for (const server of [source, target]) await server.admin('POST /api/admin/projects', { id, name: id })
  const own = await source.admin('POST /api/admin/segments', {
    name: `${segment.title.trim()} ${round} ${at}`,
    description: segment.title,
    constraints: segment.constraints,
    ...(segment.isShared ? {} : { project: id }),
  })
  const parent = `r${round}-${at}-parent`
  await source.admin(`POST /api/admin/projects/${id}/features`, { name: parent })
  for (const [index, one] of flags.entries()) {
    await makeFlag(`r${round}-${at}-${index}`, { project: id, parent, segment: own.id, template }, one)
  }
  return id
}

test('export, apply and export again give the same files and an empty plan', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(installation, async (one) => {
      round += 1
      const template = await makeShared(one)
      const projects: string[] = []
      for (const [at, part] of one.projects.entries()) projects.push(await makeProject(part, at, template))
      for (const id of projects) {
        const files = await exportFiles(source, id)
        expect(await planFiles(source, files, { prune: true }, id)).toMatchObject({ changes: [], kept: [] })
        const reformatted = files.map(({ path, content }) => ({ path, content: `${content}# end\n` }))
        expect((await planFiles(source, reformatted, {}, id)).changes).toEqual([])
        await applyFiles(target, files, {}, id)
        expect(await exportFiles(target, id)).toEqual(files)
        expect((await planFiles(target, reformatted, { prune: true }, id)).changes).toEqual([])
      }
      // an apply for one project leaves the other projects as they are
      for (const id of projects) expect(await exportFiles(target, id)).toEqual(await exportFiles(source, id))
    }),
    { numRuns: 8 },
  )
})
