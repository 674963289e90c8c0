import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBurgee, temporaryFolder } from '../../support/burgee.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const EU = { id: 7, name: 'eu', constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }] }

/** Returns the state of an Unleash server with one flag that is limited to a segment. */
function stateOf(flag: string, segment: typeof EU, strategies = 1) {
  const place = { featureName: flag, environment: 'production' }
  return {
    version: 4,
    features: [{ name: flag, project: 'default' }],
    segments: [segment],
    environments: [{ name: 'production', type: 'production', enabled: true }],
    featureEnvironments: [{ ...place, enabled: true }],
    featureStrategies: strategies === 0 ? [] : [{ ...place, id: `s-${flag}`, strategyName: 'default' }],
    featureStrategySegments: strategies === 0 ? [] : [{ featureStrategyId: `s-${flag}`, segmentId: segment.id }],
  }
}

function file(name: string, content: unknown): string {
  const path = join(folder.path, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

async function run(dataDir: string, ...args: string[]) {
  const burgee = runBurgee(['import', ...args], { DATA_DIR: join(folder.path, dataDir) })
  return { code: await burgee.ended, output: burgee.output(), errors: burgee.errors() }
}

test('ends with a proof, is refused a second time, and reports where a merge differs', async () => {
  const first = file('first.json', stateOf('shop', EU))
  const proven = await run('a', '--from-unleash-state', first)
  expect(proven).toMatchObject({ code: 0, errors: '' })
  expect(proven.output).toMatch(/^Imported in \d+ s\.[\s\S]*^1 flag × 1000 contexts × 1 environment: equal$/m)

  const again = await run('a', '--from-unleash-state', first)
  expect(again).toMatchObject({ code: 1, output: '', errors: expect.stringMatching(/The target is not empty/) })

  const [constraint] = EU.constraints
  const wider = { ...EU, constraints: [{ ...constraint, values: ['DE', 'FR'] }] } as typeof EU
  const apart = await run('a', '--merge', '--from-unleash-state', file('second.json', stateOf('news', wider)))
  // exit code 3, because the segment gets a different name here
  expect(apart.code).toBe(3)

  // the existing parent is unchanged, although it is on for fewer users
  const on = { enabled: true, strategies: [{ name: 'default' }] }
  const family = {
    version: 2,
    features: [
      { name: 'shop', ...on },
      { name: 'blog', ...on, dependencies: [{ feature: 'shop' }] },
    ],
  }
  const wish = ['--merge', '--environment', 'production', '--from-client-features']
  const merged = await run('a', ...wish, file('third.json', family))
  expect(merged.code).toBe(2)
  expect(merged.output).toMatch(/^blog differs in production for the context /m)
  expect(merged.output).toMatch(/^The import differs from the source/m)
})

test('a flag without a strategy stays on for everyone, and both sides are equal', async () => {
  const equal = await run('c', '--json', '--from-unleash-state', file('open.json', stateOf('bare', EU, 0)))
  expect(equal).toMatchObject({ code: 0, errors: '' })
  expect(JSON.parse(equal.output)).toMatchObject({
    notes: expect.arrayContaining([expect.objectContaining({ name: 'bare in production', fidelity: 'exact' })]),
    verified: { equal: true, told: [], against: 'reading' },
  })
})

test('differences that the report names have a separate exit code', async () => {
  const closing = ['--close-unguarded', '--from-unleash-state', file('without.json', stateOf('bare', EU, 0))]
  const told = await run('b', '--json', ...closing)
  expect(told).toMatchObject({ code: 3, errors: '' })
  expect(JSON.parse(told.output)).toMatchObject({
    notes: expect.arrayContaining([expect.objectContaining({ name: 'bare in production' })]),
    verified: { told: ['bare'], parts: [{ environment: 'production', different: 0 }] },
  })
})

test.each<[what: string, args: string[], content: unknown]>([
  [
    'a file of flagd, without a proof',
    ['--no-verify', '--environment', 'production', '--from-flagd'],
    { flags: { shop: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } },
  ],
  [
    'a dry run, which has nothing to prove',
    ['--dry-run', '--environment', 'production', '--project', 'shop', '--from-client-features'],
    { version: 2, features: [{ name: 'shop', enabled: true, strategies: [{ name: 'default' }] }] },
  ],
])('%s', async (what, args, content) => {
  const { code, output, errors } = await run(what.slice(0, 8), '--json', ...args, file('flags.json', content))
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  const { verified, counts } = JSON.parse(output)
  expect(verified).toBeUndefined()
  expect(counts).toContainEqual({ kind: 'flag', found: 1, imported: 1, skipped: 0 })
})
