import { randomInt } from 'node:crypto'
import { compile, type FeatureDocument } from '@burgee/engine'
import { EVALUATION_PROFILES, type EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawnCase } from '../conformance/drawn-documents.ts'
import {
  type Comparison,
  compareWithNode,
  createDecider,
  hasParentWithoutGroup,
} from '../conformance/profile-decisions.ts'
import { startYggdrasil } from '../conformance/yggdrasil-process.ts'
import { startServer, type TestServer, TOKENS } from '../http/scenario.ts'
import { callAs } from '../support/call-as.ts'
import { createTable } from './create-flags.ts'
import { CONTEXTS, FLAGS } from './decision-table.ts'
import { installIfPossible, python } from './toolchains.ts'

/** Compares both evaluation profiles with each other, with the Node SDK and with the Yggdrasil engine. */
const CASES = 60
const FIXED_SEED = 2_026_000
const RANDOM_SEED = Number(process.env.BURGEE_FUZZ_SEED ?? randomInt(1 << 30))
const SEEDS = [
  ['fixed', FIXED_SEED],
  ['random', RANDOM_SEED],
] as const
const LIMIT_MS = 300_000
const yggdrasilPackages = python('driver.py', 'unleash')
const SDK_WITH_YGGDRASIL = '6.9.1'

let server: TestServer
let document: FeatureDocument

beforeAll(async () => {
  process.stdout.write(`Random seed of the profiles: BURGEE_FUZZ_SEED=${RANDOM_SEED}\n`)
  server = await startServer()
  const { url } = await server.server.listen()
  await createTable((method, path, body) => callAs(TOKENS.admin, method, `${url}/api/admin/${path}`, body))
  const headers = { authorization: TOKENS.client, 'unleash-client-spec': '5.2.0' }
  document = (await (await fetch(`${url}/api/client/features`, { headers })).json()) as FeatureDocument
}, LIMIT_MS)
afterAll(() => server.close())

/** Returns the decisions of Burgee's engine for all flags and contexts of the table. */
function decideTable(profile: EvaluationProfile) {
  const { engine } = compile(document, { profile })
  return CONTEXTS.map((context) =>
    FLAGS.map(({ name }) => {
      const { enabled, variant } = engine.evaluate(name, { ...context, environment: 'development' })
      return [enabled, variant.name, variant.payload?.value ?? null] as const
    }),
  )
}

test('the table decides differently for different users, and alike by both profiles', () => {
  const [node = [], yggdrasil] = EVALUATION_PROFILES.map((profile) => decideTable(profile))
  expect(node).toEqual(yggdrasil)
  const on = node.flat().filter(([isEnabled]) => isEnabled).length
  expect(on / (CONTEXTS.length * FLAGS.length)).toBeGreaterThan(0.3)
  expect(on / (CONTEXTS.length * FLAGS.length)).toBeLessThan(0.7)
})

test.for(SEEDS)('the profile node decides as the Node SDK, %s seed', { timeout: LIMIT_MS }, async ([, seed]) => {
  const comparison: Comparison = { compared: 0, differences: [] }
  for (let number = seed; number < seed + CASES; number += 1) await compareWithNode(number, comparison)
  expect(comparison.differences, `seed ${seed}`).toEqual([])
  expect(comparison.compared).toBeGreaterThan(CASES * 100)
})

test.for(SEEDS)(
  'the profile yggdrasil decides as the Yggdrasil engine, %s seed',
  { timeout: LIMIT_MS },
  async ([, seed], { skip }) => {
    const driverCommand = await installIfPossible('Yggdrasil engine', yggdrasilPackages, SDK_WITH_YGGDRASIL)
    if (driverCommand === undefined) return skip('the reason is printed')
    const { command, env } = driverCommand
    const yggdrasil = startYggdrasil(command.slice(0, 1), env)
    const comparison: Comparison = { compared: 0, differences: [] }
    for (let number = seed; number < seed + CASES; number += 1) {
      compareCodes(number, await yggdrasil.decide(number), comparison)
    }
    yggdrasil.end()
    expect(comparison.differences, `seed ${seed}`).toEqual([])
    expect(comparison.compared).toBeGreaterThan(CASES * 100)
  },
)

/** Compares the profile `yggdrasil` with the codes of the Yggdrasil engine on one case. */
function compareCodes(number: number, codes: string, into: Comparison): void {
  const drawn = drawnCase(number)
  const decide = createDecider('yggdrasil', drawn)
  const asked = drawn.contexts.flatMap((context) => drawn.names.map((name) => ({ context, name })))
  for (const [at, { context, name }] of asked.entries()) {
    const own = decide(name, context)
    if (own === undefined || hasParentWithoutGroup(drawn, name)) continue
    into.compared += 1
    if (own !== codes[at]) into.differences.push(`${number} ${name} ${JSON.stringify(context)}: ${own} ${codes[at]}`)
  }
}
