import { compile } from '@burgee/engine'
import * as fc from 'fast-check'
import type { Unleash } from 'unleash-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { type Step, stepsOf, take } from '../access/administration-walk.ts'
import { beginWalk } from '../access/walk-start.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { walksOf } from '../walks.ts'
import { applyDelta, downloaded, type FlagStream, openFlagStream, sameHolding } from './streams/flag-stream.ts'

/**
 * After any sequence of changes, stream clients have the same state as polling clients, a download, and a new stream.
 * This applies to each environment and each token. Evaluation for front ends and OpenFeature equals the result of an
 * engine built from this download alone. BURGEE_FUZZ_SEED sets the seed of the walks.
 */
const { runs: RUNS, seed: SEED } = walksOf('walks beside streams', { some: 6, full: 20 }, 20260140)
const SHARE = 5

let server: TestServer
let base: string
let walks = 0
beforeAll(async () => {
  server = await startServer()
  base = (await server.server.listen()).url
})
afterAll(() => server.close())

/** Client that polls for deltas, using ETags. */
class DeltaPoller {
  readonly features = new Map<string, never>()
  readonly segments = new Map<number, never>()
  readonly #token: string
  #etag: string | undefined

  constructor(token: string) {
    this.#token = token
  }

  async poll(): Promise<void> {
    const headers = this.#etag === undefined ? {} : { 'if-none-match': this.#etag }
    const reply = await server.call({ as: this.#token, call: 'GET /api/client/delta', headers })
    this.#etag = String(reply.headers.etag)
    if (reply.statusCode === 200) applyDelta(reply.body, this.features, this.segments)
    else expect(reply.statusCode).toBe(304)
  }

  /** Returns the state of the client. Segments that no flag uses are omitted, because they have no effect. */
  holding(used: ReadonlyMap<number, unknown>) {
    const segments = new Map([...this.segments].filter(([id]) => used.has(id)))
    return { features: this.features, segments }
  }
}

interface Follower {
  readonly token: string
  /** Frontend token for the same projects and environment. */
  readonly frontend: string
  readonly stream: FlagStream
  readonly poller: DeltaPoller
}

async function followerOf(projects: readonly string[], environment: string): Promise<Follower> {
  const tokenOf = async (type: string): Promise<string> => {
    const asked = { tokenName: 'walk', type, environment, projects }
    return (await server.admin('POST /api/admin/api-tokens', asked)).secret
  }
  const [token, frontend] = [await tokenOf('client'), await tokenOf('frontend')]
  return { token, frontend, stream: await openFlagStream(base, token), poller: new DeltaPoller(token) }
}

async function expectSame({ token, frontend, stream, poller }: Follower, step: string): Promise<void> {
  await poller.poll()
  const download = await downloaded(base, token)
  await until(() => sameHolding(stream.holding(), download)).catch(() => {})
  expect(stream.holding(), `${step}: the stream`).toEqual(download)
  expect(poller.holding(download.segments), `${step}: changes that are polled`).toEqual(download)
  await expectEvaluated(frontend, download, step)
  const fresh = await openFlagStream(base, token)
  await until(() => fresh.events.length > 0)
  expect(fresh.holding(), `${step}: a fresh stream`).toEqual(download)
  fresh.close()
}

/** Checks that evaluation for this token matches the downloaded flags. */
async function expectEvaluated(
  as: string,
  download: Awaited<ReturnType<typeof downloaded>>,
  step: string,
): Promise<void> {
  const document = { features: [...download.features.values()], segments: [...download.segments.values()] }
  const { engine } = compile(document as never)
  const userId = `user of ${step}`
  const right = engine.evaluateAll({ userId })
  const sorted = (flags: readonly (readonly unknown[])[]) => flags.map((flag) => JSON.stringify(flag)).sort()
  const { toggles } = (
    await server.call({ as, call: `GET /api/frontend/all?userId=${encodeURIComponent(userId)}` })
  ).json()
  type Toggle = { name: string; enabled: boolean; variant: { name: string } }
  const shown = (toggles as Toggle[]).map(({ name, enabled, variant }) => [name, enabled, variant.name])
  const expected = right.map(({ name, enabled, variant }) => [name, enabled, variant.name])
  expect(sorted(shown), `${step}: front ends`).toEqual(sorted(expected))
  const body = { context: { targetingKey: userId } }
  const { flags } = (await server.call({ as, call: 'POST /ofrep/v1/evaluate/flags', body })).json()
  const isOn = new Map(right.map(({ name, enabled }) => [name, enabled]))
  const answered = (flags as { key: string; value?: unknown }[]).map(({ key, value }) => [
    ...[key, typeof value === 'boolean' ? value : isOn.get(key)],
  ])
  expect(sorted(answered), `${step}: OpenFeature`).toEqual(sorted([...isOn]))
}

async function walk(steps: readonly Step[]): Promise<void> {
  walks += 1
  const own = await beginWalk(server, walks)
  const scopes = [['*'], [own.projects[0]], [own.projects[1]], [...own.projects]] as const
  const followers = await Promise.all([
    ...scopes.map((projects) => followerOf(projects, 'development')),
    followerOf([own.projects[0]], 'production'),
  ])
  const sdk: Unleash = nodeSdk({
    url: `${base}/api`,
    customHeaders: { Authorization: followers[1]?.token ?? '' },
    disableMetrics: true,
    experimentalMode: { type: 'streaming' },
  })
  try {
    for (const follower of followers) await expectSame(follower, 'the beginning')
    for (const [index, step] of steps.entries()) {
      await take(own, step)
      if (index % SHARE !== SHARE - 1 && index !== steps.length - 1) continue
      for (const follower of followers) await expectSame(follower, `step ${index}, ${step.kind}`)
    }
    for (const { stream } of followers) expect([stream.hasEnded(), stream.status]).toEqual([false, 200])
    const { features } = await downloaded(base, followers[1]?.token ?? '')
    const held = () => new Map(sdk.getFeatureToggleDefinitions().map((one) => [one.name, one]))
    await until(() => JSON.stringify([...held().keys()].sort()) === JSON.stringify([...features.keys()].sort()))
    await until(() => [...features].every(([name, one]) => JSON.stringify(held().get(name)) === JSON.stringify(one)))
  } finally {
    sdk.destroy()
    for (const { stream } of followers) stream.close()
  }
}

test(
  `streams, deltas and downloads agree, in ${RUNS} random walks, seed ${SEED}`,
  async () => {
    await fc.assert(fc.asyncProperty(stepsOf, walk), { seed: SEED, numRuns: RUNS })
  },
  RUNS * 10_000 + 60_000,
)
