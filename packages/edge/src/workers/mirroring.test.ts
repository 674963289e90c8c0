import { setImmediate } from 'node:timers/promises'
import { toNetwork } from '@burgee/kit/http/client-network'
import { SILENT } from '@burgee/kit/log/logger'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { GroupCoordinator } from '@burgee/kit/workers/group-coordinator'
import { GroupLink } from '@burgee/kit/workers/group-link'
import type { ToPrimary, ToWorker } from '@burgee/kit/workers/messages'
import { DEFAULT_COLLECTION_LIMITS } from '@burgee/serving/impact/impact-bounds'
import { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { createNameOwner, type OwnedNames } from '@burgee/serving/usage/name-budget'
import { afterEach, expect, test } from 'vitest'
import { createEnvironments } from '../environments/edge-environments.ts'
import type { FetchingToken } from '../environments/fetching-tokens.ts'
import type { EdgeToken, TokenRequester } from '../tokens/edge-token.ts'
import { TokenRefused, TokenUndecided } from '../tokens/token-refusal.ts'
import { createEdgeToken, TokenStore } from '../tokens/token-store.ts'
import { DownstreamHoldings } from '../usage/downstream-holdings.ts'
import type { SharedUsage } from '../usage/usage-interface.ts'
import type { WorkerRequest, WorkerUpdate } from './edge-messages.ts'
import { ForwardedUsage } from './forwarded-usage.ts'
import { mirrorEnvironments } from './mirrored-environments.ts'
import { MirroredTokens, toTokenFailure } from './mirrored-tokens.ts'
import { startUpdatePublisher } from './update-publisher.ts'

const feature = (name: string, more: object = {}) => ({ name, project: 'shop', enabled: true, strategies: [], ...more })
const token = (text: string, environment: string, kind: EdgeToken['kind'] = 'frontend') =>
  createEdgeToken({ text, kind, environment, projects: ['*'], origin: 'upstream' })
const HOUR_MS = 3_600_000
const ASKER: TokenRequester = { network: toNetwork('192.0.2.1'), kind: 'sdk' }
const common = { clock: Date.now, random: () => 0.5, logger: SILENT, firstDataLimitMs: 1000 }

/** Source of one environment whose replies the test controls. */
class ToldSource implements ConfigurationSource {
  listener: ConfigurationListener | undefined
  start(listener: ConfigurationListener): void {
    this.listener = listener
  }
  async stop(): Promise<void> {}
  answer(...features: object[]): void {
    this.listener?.accept({ version: 2, features, segments: [] } as never)
  }
}

/** Creates the primary process. The test takes the role of its upstream. */
function primaryOf(names: string[]) {
  const tokens = new TokenStore(100)
  const sources = new Map<string, ToldSource>()
  const changed = new Set<() => void>()
  let fetched: FetchingToken[] = names.map((name) => ({ text: name, id: name, environment: name, projects: ['*'] }))
  const fetching = {
    current: () => fetched,
    isSettled: true,
    subscribe: (listener: () => void) => {
      changed.add(listener)
      return () => void changed.delete(listener)
    },
  }
  const sourceOf = (text: string) => {
    const source = new ToldSource()
    sources.set(text, source)
    return source
  }
  const reported: unknown[] = []
  const recalled: OwnedNames[] = []
  const usage: SharedUsage = {
    register: ({ lane }, application) => void reported.push({ lane, application }),
    count: ({ lane }, appName, counts) => void reported.push({ lane, appName, counts }),
    recordOwners: (owned) => void recalled.push(...owned),
    addImpact: () => {},
    addImpactRows: ({ lane }, rows) => void reported.push({ lane, rows }),
    refusals: new ImpactRefusals(),
    getStatus: () => ({
      deliveredAtMs: 5,
      waiting: { registrations: 1, flags: 2, names: 3 },
      dropped: 0,
      failures: 0,
    }),
    close: async () => {},
  }
  const edgeTokens = {
    find: (text: string) => tokens.get(text),
    async admit(text: string) {
      if (text === 'undecided') throw new TokenUndecided('upstream', 502)
      if (text === 'bad') throw new TokenRefused('unknown')
      tokens.add(token(text, names[0] ?? ''))
      return tokens.get(text) as EdgeToken
    },
    findById: (id: string) => tokens.findById(id),
    all: () => tokens.all(),
    subscribe: (listener: Parameters<TokenStore['subscribe']>[0]) => tokens.subscribe(listener),
  }
  const environments = createEnvironments({ ...common, fetching, createSource: sourceOf })
  const coordinator: GroupCoordinator<WorkerUpdate, WorkerRequest> = new GroupCoordinator({
    workers: 1,
    registry: new SeriesRegistry(),
    onReady: () => {},
    toFailure: toTokenFailure,
    initialUpdates: () => desk.listInitialUpdates(),
    answer: (question) => desk.handleRequest(question),
  })
  const profile = new AnnouncedProfile({ configured: undefined, fallback: 'yggdrasil' })
  const downstream = new DownstreamHoldings({ environments, clock: Date.now })
  const holdings = { acceptWorkerRows: () => {}, downstream }
  const knowledge = { tokens: edgeTokens, environments, profile, fetching, usage, holdings, isReady: () => true }
  const desk = startUpdatePublisher(knowledge, (news) => coordinator.broadcast(news))
  const fetchFor = (next: string[]) => {
    fetched = next.map((name) => ({ text: name, id: name, environment: name, projects: ['*'] }))
    for (const listener of changed) listener()
  }
  const close = async () => {
    desk.close()
    await environments.close()
  }
  return { coordinator, environments, tokens, profile, sources, reported, recalled, fetchFor, close }
}

type Primary = ReturnType<typeof primaryOf>

/** Creates a worker of the primary. Their channel copies messages, like a channel between processes. */
async function workerOf({ coordinator }: Primary) {
  let toWorker: (message: ToWorker<WorkerUpdate>) => void = () => {}
  let toPrimary: (message: ToPrimary<WorkerRequest>) => void = () => {}
  const leave = coordinator.join({
    send: (message) => toWorker(structuredClone(message)),
    listen: (listener) => {
      toPrimary = listener
    },
  })
  /** Lengths of the report messages, current number of unanswered messages, and its maximum. */
  const handed = { lengths: [] as number[], open: 0, mostOpen: 0 }
  const ask = async (question: WorkerRequest) => {
    if (question.kind !== 'reports') return link.ask(question)
    handed.lengths.push(JSON.stringify(question).length)
    handed.open += 1
    handed.mostOpen = Math.max(handed.mostOpen, handed.open)
    await link.ask(question)
    handed.open -= 1
  }
  const tokens = new MirroredTokens(ask)
  const profiles: string[] = []
  const mirrored = mirrorEnvironments(common)
  const usage = new ForwardedUsage({ ask, clock: () => HOUR_MS, impactLimits: DEFAULT_COLLECTION_LIMITS })
  const link: GroupLink<WorkerUpdate, WorkerRequest> = new GroupLink(
    {
      send: (message) => toPrimary(structuredClone(message)),
      listen: (listener) => {
        toWorker = listener
      },
    },
    (news) => {
      if (news.kind === 'tokens') tokens.add(news.tokens)
      else if (news.kind === 'token-removed') tokens.remove(news.text, news.reason)
      else if (news.kind === 'environments') mirrored.fetch(news.names, news.isSettled)
      else if (news.kind === 'flags') mirrored.accept(news)
      else if (news.kind === 'profile') profiles.push(news.profile)
      else {
        mirrored.setStatuses(news.status.environments)
        usage.setStatus(news.status.usage)
      }
    },
  )
  await link.begin()
  const { environments, isCaughtUp } = mirrored
  return { tokens, environments, isCaughtUp, usage, handed, profiles, leave }
}

let primary: Primary
afterEach(() => primary.close())

test('a worker has the profile of the primary process, and each later one', async () => {
  primary = primaryOf(['development'])
  const { profiles } = await workerOf(primary)
  primary.profile.applyAnnouncement('node')
  expect(profiles).toEqual(['yggdrasil', 'node'])
})

/** Waits until a worker has the same flags as the primary process. */
async function agreed(worker: Awaited<ReturnType<typeof workerOf>>, environment: string): Promise<void> {
  const text = ({ environments }: Pick<Primary, 'environments'>) => {
    const state = environments.peek(environment)
    return JSON.stringify([state?.revision.id, state?.flags.map(({ json }) => json)])
  }
  while (text(worker) !== text(primary)) await setImmediate()
}

test('a worker has the flags of every environment, those before its beginning and those that change', async () => {
  primary = primaryOf(['one', 'two'])
  primary.sources.get('one')?.answer(feature('a'))
  await primary.environments.get('one')
  const worker = await workerOf(primary)
  await agreed(worker, 'one')
  expect([worker.isCaughtUp(), worker.environments.has('two')]).toEqual([true, false])
  primary.sources.get('two')?.answer(feature('b'), feature('c'))
  await worker.environments.get('two')
  primary.sources.get('one')?.answer(feature('a', { enabled: false }), feature('d'))
  while (primary.environments.peek('one')?.flags.length !== 2) await setImmediate()
  await agreed(worker, 'one')
  const [own, theirs] = [worker, primary].map(({ environments }) => environments.peek('one'))
  expect(own?.flags.map(({ feature: { name, enabled } }) => [name, enabled])).toEqual([
    ['a', false],
    ['d', true],
  ])
  expect(own?.flags.map(({ digest }) => digest)).toEqual(theirs?.flags.map(({ digest }) => digest))
})

test('two workers give the same revision to the same flags, whenever they began', async () => {
  primary = primaryOf(['one'])
  const source = primary.sources.get('one')
  source?.answer(feature('a'))
  await primary.environments.get('one')
  const first = await workerOf(primary)
  await agreed(first, 'one')
  for (let turn = 1; turn <= 3; turn += 1) {
    source?.answer(feature('a', { description: String(turn) }))
    await primary.environments.settled('one')
    await agreed(first, 'one')
  }
  const late = await workerOf(primary)
  await agreed(late, 'one')
  expect(late.environments.peek('one')?.revision).toEqual(first.environments.peek('one')?.revision)
  const had = { epoch: first.environments.peek('one')?.revision.epoch ?? '', id: 2 }
  expect([...(first.environments.findTouchedSince('one', had)?.flags.keys() ?? [])]).toEqual(['a'])
  expect(late.environments.findTouchedSince('one', had)).toBeUndefined()
})

test('an environment that is fetched no more is gone in workers, too', async () => {
  primary = primaryOf(['one', 'two'])
  for (const source of primary.sources.values()) source.answer(feature('a'))
  await Promise.all(['one', 'two'].map((name) => primary.environments.get(name)))
  const worker = await workerOf(primary)
  await agreed(worker, 'two')
  primary.fetchFor(['one'])
  // subscribers are notified before the environment is removed
  while (worker.environments.peek('two')?.flags.length !== 0) await setImmediate()
  await setImmediate()
  expect(worker.environments.has('one')).toBe(true)
  await expect(Promise.resolve(worker.environments.get('two'))).rejects.toThrow('no token')
})

test('tokens: known ones at once, others by asking, refusals with their reason, removals at once', async () => {
  primary = primaryOf(['one'])
  primary.tokens.add(token('early', 'one'))
  const [worker, other] = [await workerOf(primary), await workerOf(primary)]
  expect(worker.tokens.find('early')?.environment).toBe('one')
  expect(worker.tokens.find('late')).toBeUndefined()
  const admitted = await worker.tokens.admit('late', ASKER)
  expect(admitted).toMatchObject({ text: 'late', environment: 'one' })
  expect(other.tokens.find('late')?.id).toBe(admitted.id)
  await expect(worker.tokens.admit('bad', ASKER)).rejects.toMatchObject({ name: 'TokenRefused', reason: 'unknown' })
  await expect(worker.tokens.admit('undecided', ASKER)).rejects.toMatchObject({ name: 'TokenUndecided', status: 502 })
  const removed: string[] = []
  worker.tokens.subscribe({ added: () => {}, removed: ({ text }) => void removed.push(text) })
  primary.tokens.remove('late', 'refused')
  expect([worker.tokens.find('late'), other.tokens.findById(admitted.id), removed]).toEqual([
    undefined,
    undefined,
    ['late'],
  ])
})

test('reports of all workers come together, those of the last moment too', async () => {
  primary = primaryOf(['one'])
  const [worker, other] = [await workerOf(primary), await workerOf(primary)]
  const lane = { environment: 'one', projects: ['*'] }
  const counts = [{ name: 'a', at: 1, yes: 2, no: 0, variants: {} }]
  worker.usage.count({ lane, owner: undefined }, 'web', counts)
  const application = { appName: 'web', instanceId: 'i', sdkVersion: undefined, strategies: [] }
  other.usage.register({ lane, owner: undefined }, application)
  await Promise.all([worker.usage.close(1000), other.usage.close(1000)])
  expect(primary.reported).toEqual([
    { lane, appName: 'web', counts: [{ ...counts[0], at: '1970-01-01T00:00:00.000Z' }] },
    { lane, application },
  ])
  expect(worker.usage.getStatus()).toMatchObject({ deliveredAtMs: 5 })
})

test('a worker buffers a bounded number of reports and hands them over in short messages, one at a time', async () => {
  primary = primaryOf(['one'])
  const worker = await workerOf(primary)
  const lane = { environment: 'one', projects: ['*'] }
  const owners = ['a', 'b'].map((name) => createNameOwner(toNetwork(`192.0.2.${name}`), name))
  for (const [round, owner] of owners.entries()) {
    const counts = Array.from({ length: 60_000 }, (_, index) => {
      return { name: `name-${round}-${index}`, at: undefined, yes: 1, no: 0, variants: {} }
    })
    worker.usage.count({ lane, owner }, 'web', counts)
  }
  await worker.usage.close(60_000)
  const reported = primary.reported as { counts: unknown[] }[]
  expect(reported.reduce((sum, { counts }) => sum + counts.length, 0)).toBe(74_999)
  expect(worker.usage.dropped).toBe(45_001)
  const namesOf = (index: number) =>
    primary?.recalled.filter(({ owner }) => owner.pair === owners[index]?.pair).flatMap(({ names }) => names).length
  // each message names its application again
  expect(namesOf(0)).toBeGreaterThanOrEqual(50_000)
  expect(namesOf(1)).toBe(25_000)
  expect(Math.max(...worker.handed.lengths)).toBeLessThan(100 * 1024)
  expect(worker.handed.mostOpen).toBe(1)
})
