import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, exportFiles, planFiles } from './config-project.ts'

/**
 * Random projects: planning an export gives no changes, both in the project it came from and in a project to which it
 * was applied.
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
})

type RandomFlag = typeof flag extends fc.Arbitrary<infer T> ? T : never
let round = 0

async function makeFlag(name: string, parent: string, segment: number, one: RandomFlag): Promise<void> {
  const P = '/api/admin/projects/default/features'
  const { description, type, tags } = one
  await source.admin(`POST ${P}`, { name, description, type, tags: tags.map((value) => ({ type: 'simple', value })) })
  if (one.hasParent) await source.admin(`POST ${P}/${name}/dependencies`, { feature: parent })
  for (const environment of ['development', 'production'] as const) {
    const place = `${P}/${name}/environments/${environment}`
    const { on, strategies, variants } = one[environment]
    for (const { isInSegment = false, ...body } of strategies) {
      await source.admin(`POST ${place}/strategies`, { ...body, segments: isInSegment ? [segment] : [] })
    }
    if (variants.length > 0) await source.admin(`PUT ${place}/variants`, variants)
    if (on) await source.admin(`POST ${place}/on`)
  }
}

test('export, apply and export again give the same files and an empty plan', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(flag, { minLength: 1, maxLength: 4 }),
      text,
      fc.array(constraint, { maxLength: 2 }),
      async (flags, title, constraints) => {
        round += 1
        const prefix = `r${round}`
        const { id } = await source.admin('POST /api/admin/segments', {
          name: `${title.trim()} ${round}`,
          description: title,
          constraints,
        })
        await source.admin('POST /api/admin/projects/default/features', { name: `${prefix}-parent` })
        for (const [index, one] of flags.entries()) await makeFlag(`${prefix}-${index}`, `${prefix}-parent`, id, one)
        const files = await exportFiles(source)
        expect(await planFiles(source, files, { prune: true })).toMatchObject({ changes: [], kept: [] })
        const reformatted = files.map(({ path, content }) => ({ path, content: `${content}# end\n` }))
        expect((await planFiles(source, reformatted)).changes).toEqual([])
        await applyFiles(target, files)
        expect(await exportFiles(target)).toEqual(files)
        expect((await planFiles(target, reformatted, { prune: true })).changes).toEqual([])
      },
    ),
    { numRuns: 12 },
  )
})
