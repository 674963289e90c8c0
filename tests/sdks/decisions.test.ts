import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedEdge } from '@burgee/edge/edge-process'
import { compile, type FeatureDocument } from '@burgee/engine'
import { EVALUATION_PROFILES } from '@burgee/protocol/evaluation-profile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../edge/http/edge-scene.ts'
import { runEdge } from '../edge/http/running-edge.ts'
import { startServer, type TestServer, TOKENS } from '../http/scenario.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { startProxy, type TestProxy } from '../support/proxy.ts'
import { CONTEXTS, FLAGS, SEGMENTS, type TableFlag } from './decision-table.ts'
import { type Decision, type Decisions, runProgram, SDK_PROGRAMS, type SdkProgram } from './sdk-programs.ts'

/** Official SDKs of other languages decide every flag of a table for every user as Burgee's engine does. */
const API = '/api/admin/projects/default/features'
const NAMES = FLAGS.map(({ name }) => name)
const folder = temporaryFolder()
let server: TestServer
let edge: StartedEdge
let proxy: TestProxy
let document: FeatureDocument
let urls: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await startServer()
  const { url } = await server.server.listen()
  const segmentIds: number[] = []
  for (const segment of SEGMENTS) segmentIds.push(Number((await server.admin('POST /api/admin/segments', segment)).id))
  for (const flag of FLAGS) await createFlag(flag, segmentIds)
  edge = await runEdge({ UPSTREAM_URL: url, TOKENS: TOKENS.client })
  proxy = await startProxy({
    flagUrl: `${url}/api`,
    flagApiToken: TOKENS.client,
    expServerSideSdkConfig: { tokens: [TOKENS.client] },
  })
  const headers = { 'unleash-client-spec': '5.2.0' }
  document = (await ask(url, 'GET /api/client/features', { token: TOKENS.client, headers })).json as FeatureDocument
  urls = { server: `${url}/api`, edge: `${edge.url}/api`, proxy: `${proxy.url}/proxy` }
})
afterAll(async () => {
  await proxy.close()
  await edge.close()
  await server.close()
  folder.remove()
})

async function createFlag({ name, isOff = false, strategies, variants, parent }: TableFlag, segmentIds: number[]) {
  const place = `${API}/${name}/environments/development`
  await server.admin(`POST ${API}`, { name })
  for (const strategy of strategies) {
    const { segments = [] } = strategy as { readonly segments?: readonly number[] }
    await server.admin(`POST ${place}/strategies`, { ...strategy, segments: segments.map((at) => segmentIds[at]) })
  }
  if (variants !== undefined) await server.call({ as: 'admin', call: `PUT ${place}/variants`, body: variants })
  if (parent !== undefined) await server.admin(`POST ${API}/${name}/dependencies`, parent)
  if (!isOff) await server.admin(`POST ${place}/on`)
}

/** Returns the decisions of Burgee's engine, as the programs print them. */
function ownDecisions(profile: SdkProgram['profile'], read = document): Decisions {
  const { engine } = compile(read, { profile })
  return CONTEXTS.map((context) =>
    NAMES.map((name) => {
      const { enabled, variant } = engine.evaluate(name, { ...context, environment: 'development' })
      return [enabled, variant.name, variant.payload?.value ?? null] as const
    }),
  )
}

/** Returns the flags as an SDK reads them that ignores the variants of dependencies. */
function withoutParentVariants(): FeatureDocument {
  const features = document.features as readonly { readonly dependencies?: readonly object[] }[]
  const withoutVariants = (parent: object) => ({ ...parent, variants: [] })
  return {
    ...document,
    features: features.map((flag) => ({ ...flag, dependencies: flag.dependencies?.map(withoutVariants) })),
  }
}

/** Returns the flags on which a program differs from the engine, with the number of contexts. */
function differences(program: SdkProgram, decisions: Decisions): Record<string, number> {
  const own = ownDecisions(program.profile, program.ignoresParentVariants ? withoutParentVariants() : document)
  const counts: Record<string, number> = {}
  for (const [row, line] of own.entries()) {
    for (const [column, decision] of line.entries()) {
      const name = NAMES[column] ?? ''
      if (encode(decisions[row]?.[column]) === encode(expected(program, name, decision))) continue
      counts[name] = (counts[name] ?? 0) + 1
    }
  }
  return counts
}

function expected({ unknown }: SdkProgram, name: string, own: Decision): Decision {
  return unknown.includes(name.split('-')[0] ?? '') ? [false, 'disabled'] : own
}

/** An SDK without a payload prints null, an empty text or nothing. */
function encode(decision: Decision | undefined): string {
  const [isEnabled, variant, payload] = decision ?? [undefined, '']
  return JSON.stringify([isEnabled, variant, payload || null])
}

/** Returns the command of a program, or what is missing if this machine cannot run it. */
function prepare(program: SdkProgram): { readonly command: readonly string[]; readonly missing?: string } {
  try {
    return { command: program.prepare(folder.path) }
  } catch (error) {
    const [missing = ''] = String(error).split('\n')
    return { command: [], missing }
  }
}

test('the table decides differently for different users, and alike by both profiles', () => {
  const [node, yggdrasil] = EVALUATION_PROFILES.map((profile) => ownDecisions(profile))
  expect(node).toEqual(yggdrasil)
  const on = (node ?? []).flat().filter(([isEnabled]) => isEnabled).length
  expect(on / (CONTEXTS.length * FLAGS.length)).toBeGreaterThan(0.3)
  expect(on / (CONTEXTS.length * FLAGS.length)).toBeLessThan(0.7)
})

// a JVM and an interpreter start beside other tests
test.for(SDK_PROGRAMS)(
  'the $language SDK $version decides as the engine at all entry points',
  { timeout: 120_000 },
  async (program, { skip }) => {
    const { command, missing } = prepare(program)
    if (missing !== undefined) process.stdout.write(`${program.language} SDK ${program.version} skipped: ${missing}\n`)
    skip(missing !== undefined, missing)
    const task = {
      urls: Object.values(urls),
      token: TOKENS.client,
      folder: folder.path,
      flags: NAMES,
      contexts: CONTEXTS,
    }
    const file = join(folder.path, `${program.language}.json`)
    writeFileSync(file, JSON.stringify(task))
    const answers = await runProgram(command, file)
    const found = Object.keys(urls).map((place, at) => [place, differences(program, answers[at] ?? [])])
    expect(Object.fromEntries(found)).toEqual({ server: {}, edge: {}, proxy: {} })
  },
)
