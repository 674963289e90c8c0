import { createEnvironments } from '@burgee/edge/environments/edge-environments'
import { EnvironmentUnavailable } from '@burgee/edge/environments/environments'
import type { FetchingToken, FetchingTokens } from '@burgee/edge/environments/fetching-tokens'
import { compareText } from '@burgee/kit/compare-text'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { formatTouched } from '@burgee/serving/document/document-delta'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { TaggedRevision } from '@burgee/serving/document/revision-tag'
import { createView } from '@burgee/serving/document/view'
import type { ConfigurationListener } from '@burgee/serving/upstream/configuration-source'
import { afterEach, describe, expect, test } from 'vitest'
import { keptLog } from '../../support/kept-log.ts'

/** Upstream for which the test sets the tokens to fetch with, each with a document. */
class Upstream implements FetchingTokens {
  tokens: readonly FetchingToken[] = []
  isSettled = true
  readonly listeners = new Map<string, ConfigurationListener>()
  readonly started: string[] = []
  readonly stopped: string[] = []
  #changed: () => void = () => {}

  current() {
    return this.tokens
  }

  subscribe(changed: () => void) {
    this.#changed = changed
    return () => {}
  }

  fetchWith(...names: string[]): void {
    this.tokens = names.map(tokenOf)
    this.#changed()
  }

  sourceOf = (text: string) => ({
    start: (listener: ConfigurationListener) => {
      this.started.push(text)
      this.listeners.set(text, listener)
    },
    stop: async () => {
      this.stopped.push(text)
      this.listeners.delete(text)
    },
  })

  send(token: string, document: FeatureDocument, revision?: TaggedRevision): void {
    this.listeners.get(token)?.accept(document, 'upstream', revision)
  }
}

/** Parses `p+q:dev`: projects p and q of environment dev. */
function tokenOf(text: string): FetchingToken {
  const [projects = '', environment = ''] = text.split(':')
  return { text, id: text, environment, projects: projects.split('+') }
}

const flag = (name: string, project: string, more: Partial<Feature> = {}): Feature => ({
  name,
  project,
  enabled: true,
  strategies: [{ name: 'default' }],
  ...more,
})
const documentOf = (...features: Feature[]): FeatureDocument => ({ version: 2, features, segments: [] })
const revision = (number: number, lineage = 'q:e'): TaggedRevision => ({ lineage, epoch: 'e', number })

const { logger, lines } = keptLog()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  lines.length = 0
})

function start(upstream = new Upstream(), firstDataLimitMs = 2000) {
  const { sourceOf } = upstream
  const environments = createEnvironments({
    fetching: upstream,
    createSource: sourceOf,
    firstDataLimitMs,
    clock: () => 1000,
    random: Math.random,
    logger,
  })
  opened.push(environments)
  const names = (environment: string) => environments.peek(environment)?.flags.map(({ feature }) => feature.name) ?? []
  /** Returns the features that SDKs with a token receive, as a string. */
  const view = (token: string) => {
    const { environment, projects } = tokenOf(token)
    const state = environments.peek(environment)
    return state && createView(state, { projects }, { query: {}, inline: false }).features()
  }
  return { upstream, environments, names, view }
}

describe('the documents that tokens fetch', () => {
  test('become one document per environment', async () => {
    const { upstream, environments, names } = start()
    upstream.fetchWith('p:dev', 'q:dev', 'p:prod')
    upstream.send('p:dev', documentOf(flag('b', 'p')))
    upstream.send('q:dev', documentOf(flag('a', 'q')))
    upstream.send('p:prod', documentOf(flag('c', 'p')))
    await Promise.all([environments.settled('dev'), environments.settled('prod')])
    expect([names('dev'), names('prod')]).toEqual([['a', 'b'], ['c']])
    expect([environments.has('dev'), environments.has('test')]).toEqual([true, false])
  })

  test('arrive by one fetch, however often a token is named', () => {
    const { upstream } = start()
    upstream.fetchWith('p:dev')
    upstream.fetchWith('p:dev', 'q:dev')
    upstream.fetchWith('q:dev')
    expect([upstream.started, upstream.stopped]).toEqual([['p:dev', 'q:dev'], ['p:dev']])
  })

  test('goes when its scope has it no longer, unless another one has it', async () => {
    const { upstream, environments, names } = start()
    upstream.fetchWith('p+q:dev', 'q+r:dev')
    const [p, q, r] = [flag('p', 'p'), flag('q', 'q'), flag('r', 'r')]
    upstream.send('p+q:dev', documentOf(p, q))
    upstream.send('q+r:dev', documentOf(q, r))
    await environments.settled('dev')
    upstream.send('p+q:dev', documentOf())
    await environments.settled('dev')
    expect(names('dev')).toEqual(['q', 'r'])
    upstream.send('q+r:dev', documentOf(r))
    await environments.settled('dev')
    expect(names('dev')).toEqual(['r'])
  })

  test.each([
    ['the one that came last', undefined, undefined, 'second'],
    ['the one of the greater number, where both are of one life', revision(9, 'a:e'), revision(8, 'b:e'), 'first'],
    ['the one that came last, where lives differ', { ...revision(9), epoch: 'f' }, revision(8), 'second'],
  ])('have a flag that two of them contain from %s', async (_name, one, other, expected) => {
    const { upstream, environments } = start()
    upstream.fetchWith('p+q:dev', 'q+r:dev')
    upstream.send('p+q:dev', documentOf(flag('f', 'q', { description: 'first' })), one)
    upstream.send('q+r:dev', documentOf(flag('f', 'q', { description: 'second' })), other)
    await environments.settled('dev')
    expect(environments.peek('dev')?.flags[0]?.feature.description).toBe(expected)
  })

  test('stays as it was sent, and the same object where it did not change', async () => {
    const { upstream, environments } = start()
    upstream.fetchWith('*:dev')
    const rich = { impressionData: true, dependencies: [{ feature: 'x' }], variants: [], extra: { of: 'ours' } }
    const segment = { id: 1, name: 's', constraints: [], extra: 1 } as Segment
    const kept = flag('kept', 'p', { ...rich, strategies: [{ name: 'default', segments: [1] }] })
    upstream.send('*:dev', { ...documentOf(kept, flag('other', 'p')), segments: [segment] })
    await environments.settled('dev')
    const before = environments.peek('dev')?.flags[0]
    expect([before?.feature, environments.peek('dev')?.segments.get(1)?.segment]).toEqual([kept, segment])
    const changed = flag('other', 'p', { enabled: false })
    upstream.send('*:dev', { ...documentOf(structuredClone(kept), changed), segments: [structuredClone(segment)] })
    await environments.settled('dev')
    expect(environments.peek('dev')?.flags[0]).toBe(before)
  })

  test('good flags stay when an invalid document arrives, and no other environment is affected', async () => {
    const { upstream, environments, names } = start()
    upstream.fetchWith('*:dev', '*:prod')
    upstream.send('*:dev', documentOf(flag('good', 'p')))
    await environments.settled('dev')
    const nonsense = { name: 'good', enabled: 'maybe', strategies: 7 } as unknown as Feature
    upstream.send('*:dev', documentOf(nonsense, flag('new', 'p')))
    await environments.settled('dev')
    expect(names('dev')).toEqual(['good', 'new'])
    expect(environments.peek('dev')?.flags[0]?.feature).toEqual(flag('good', 'p'))
    expect([environments.has('prod'), lines.filter((line) => line.includes('Not accepted')).length]).toEqual([false, 1])
  })

  test.each([
    ['one project', 'p:dev', ['p', 'q', 'r'], 'p'],
    ['several projects', 'p+default:dev', ['p', 'default'], 'default'],
  ])(
    'a flag without a project, fetched with a token for %s, does not reach every token',
    async (_name, token, projects, whose) => {
      const { upstream, environments, view } = start()
      upstream.fetchWith(token)
      upstream.send(token, documentOf({ name: 'f', enabled: true, strategies: [] }))
      await environments.settled('dev')
      const seen = projects.filter((project) => view(`${project}:dev`)?.length === 1)
      expect(seen).toEqual([whose])
    },
  )
})

describe('tokens that come and go', () => {
  test('a token of an environment that has flags takes nothing away until it has its own', async () => {
    const { upstream, environments, names } = start()
    upstream.fetchWith('p:dev')
    upstream.send('p:dev', documentOf(flag('p', 'p')))
    await environments.settled('dev')
    upstream.fetchWith('*:dev')
    await environments.settled('dev')
    expect([names('dev'), environments.listStatuses()[0]?.syncedAtMs]).toEqual([['p'], undefined])
    upstream.send('*:dev', documentOf(flag('q', 'q')))
    await environments.settled('dev')
    expect([names('dev'), environments.listStatuses()[0]?.syncedAtMs]).toEqual([['q'], 1000])
  })

  test('an environment disappears with its last token, and its subscribers are notified', async () => {
    const { upstream, environments, names } = start()
    const told: [string, number][] = []
    environments.subscribe((environment, { flags }) => void told.push([environment, flags.length]))
    upstream.fetchWith('*:dev', '*:prod')
    upstream.send('*:dev', documentOf(flag('f', 'p')))
    await environments.settled('dev')
    upstream.fetchWith('*:prod')
    expect([environments.has('dev'), environments.documents().size]).toEqual([false, 0])
    await expect
      .poll(() => told)
      .toEqual([
        ['dev', 1],
        ['dev', 0],
      ])
    await expect(environments.get('dev')).rejects.toThrow('no token is for it')
    const { version = 0 } = environments.peek('dev') ?? {}
    upstream.fetchWith('*:dev', '*:prod')
    upstream.send('*:dev', documentOf(flag('g', 'p')))
    await environments.settled('dev')
    expect(names('dev')).toEqual(['g'])
    // caches identify a state by its version
    expect(environments.peek('dev')?.version).toBeGreaterThan(version)
  })

  test('a request for an environment waits for its first flags', async () => {
    const { upstream, environments } = start()
    upstream.fetchWith('*:dev')
    const asked = environments.get('dev')
    expect(asked).toBeInstanceOf(Promise)
    upstream.send('*:dev', documentOf())
    expect((await asked).flags).toEqual([])
    expect(environments.get('dev')).not.toBeInstanceOf(Promise)
  })

  test.each<[string, (upstream: Upstream) => void, string]>([
    ['no token is for it', () => {}, 'no token is for it'],
    ['the limit is over', (upstream) => upstream.fetchWith('*:dev'), 'has not answered yet'],
    [
      'every token has failed',
      (upstream) => {
        upstream.fetchWith('*:dev')
        upstream.listeners.get('*:dev')?.fail(new Error('down'))
      },
      'does not answer',
    ],
  ])('a request fails if %s', async (_name, prepare, message) => {
    const { upstream, environments } = start(new Upstream(), 20)
    prepare(upstream)
    const failure = await Promise.resolve(environments.get('dev')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EnvironmentUnavailable)
    expect(String(failure)).toContain(message)
  })

  test('standings say how it goes', async () => {
    const { upstream, environments } = start()
    upstream.fetchWith('p:dev', 'q:dev')
    upstream.send('p:dev', documentOf(flag('f', 'p')))
    upstream.listeners.get('q:dev')?.fail(new Error('down'))
    await environments.settled('dev')
    const standing = { environment: 'dev', features: 1, origin: 'upstream', failures: 1 }
    const lastError = { message: 'down', atMs: 1000 }
    expect(environments.listStatuses()).toEqual([{ ...standing, syncedAtMs: undefined, lastError }])
    upstream.send('q:dev', documentOf())
    upstream.listeners.get('p:dev')?.confirm()
    await environments.settled('dev')
    expect(environments.listStatuses()).toEqual([{ ...standing, syncedAtMs: 1000, lastError: undefined }])
  })
})

describe('the snapshot of an earlier process', () => {
  const kept = new Map([
    ['dev', documentOf(flag('p', 'p'), flag('q', 'q'))],
    ['prod', documentOf(flag('r', 'r'))],
  ])

  test('applies until all tokens of an environment have answered, project by project', async () => {
    const { upstream, environments, names } = start()
    upstream.fetchWith('p:dev', 'q:dev')
    await environments.restore(kept)
    expect([names('dev'), names('prod'), environments.listStatuses()[0]?.origin]).toEqual([['p', 'q'], [], 'backup'])
    upstream.send('p:dev', documentOf(flag('p2', 'p')))
    await environments.settled('dev')
    expect(names('dev')).toEqual(['p2', 'q'])
    upstream.send('q:dev', documentOf())
    await environments.settled('dev')
    expect([names('dev'), environments.listStatuses()[0]?.origin]).toEqual([['p2'], 'upstream'])
  })

  test('comes too late once the upstream has answered', async () => {
    const { upstream, environments, names } = start()
    upstream.fetchWith('*:dev')
    upstream.send('*:dev', documentOf(flag('new', 'p')))
    await environments.settled('dev')
    await environments.restore(kept)
    expect(names('dev')).toEqual(['new'])
  })

  test('stays until it is known which tokens are good', async () => {
    const upstream = new Upstream()
    upstream.isSettled = false
    const { environments, names } = start(upstream)
    await environments.restore(kept)
    expect([names('dev'), names('prod')]).toEqual([['p', 'q'], ['r']])
    upstream.isSettled = true
    upstream.fetchWith('*:dev')
    expect([environments.has('dev'), environments.has('prod')]).toEqual([true, false])
  })
})

describe('revisions and touched flags', () => {
  test('the number of a single source is passed through, and brings others further', async () => {
    const { upstream, environments } = start()
    upstream.fetchWith('*:dev')
    upstream.send('*:dev', documentOf(flag('a', 'p'), flag('b', 'p')), revision(7))
    await environments.settled('dev')
    const before = environments.completeUpTo('dev')
    upstream.send('*:dev', documentOf(flag('a', 'p', { enabled: false }), flag('b', 'q')), revision(9))
    await environments.settled('dev')
    const after = environments.completeUpTo('dev')
    expect([before?.id, after?.id, before?.epoch === after?.epoch]).toEqual([7, 9, true])
    const touched = before && environments.findTouchedSince('dev', before)
    expect([...(touched?.flags ?? [])].map(([name, projects]) => [name, [...projects]])).toEqual([
      ['a', ['p']],
      ['b', ['p', 'q']],
    ])
    const state = environments.peek('dev')
    const text = state && touched && formatTouched(touched, state, { projects: ['p'] })
    const events = JSON.parse(text ?? '{}').events as { type: string; eventId: number }[]
    expect(events.map(({ type, eventId }) => [type, eventId])).toEqual([
      ['feature-updated', 9],
      ['feature-removed', 9],
    ])
    expect(after && environments.findTouchedSince('dev', { ...after, epoch: 'other' })).toBeUndefined()
  })

  test('a new epoch starts when a flag is not taken as it came', async () => {
    const { upstream, environments } = start()
    upstream.fetchWith('*:dev')
    upstream.send('*:dev', documentOf(flag('a', 'p')), revision(7))
    await environments.settled('dev')
    const epoch = environments.completeUpTo('dev')?.epoch
    const nonsense = { name: 'b', enabled: 7 } as unknown as Feature
    upstream.send('*:dev', documentOf(flag('a', 'p', { enabled: false }), nonsense), revision(8))
    await environments.settled('dev')
    expect(environments.completeUpTo('dev')?.epoch).not.toBe(epoch)
    upstream.send('*:dev', documentOf(flag('a', 'p')), revision(9))
    await environments.settled('dev')
    expect(environments.completeUpTo('dev')).toEqual({ epoch, id: 9 })
  })

  test('a large change is not followed flag by flag', async () => {
    const { upstream, environments } = start()
    upstream.fetchWith('*:dev')
    const many = Array.from({ length: 300 }, (_, index) => flag(`f${index}`, 'p'))
    upstream.send('*:dev', documentOf(...many), revision(1))
    await environments.settled('dev')
    const before = environments.completeUpTo('dev')
    upstream.send('*:dev', documentOf(...many.map((one) => ({ ...one, enabled: false }))), revision(2))
    await environments.settled('dev')
    expect(environments.completeUpTo('dev')?.id).toBe(2)
    expect(before && environments.findTouchedSince('dev', before)).toBeUndefined()
  })
})

/** Returns a seeded random generator. */
function diceOf(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 16_807) % 2_147_483_647
    return at / 2_147_483_647
  }
}

/** State of an upstream, which the test changes at random. */
class Truth {
  readonly segments: Segment[] = [1, 2].map((id) => ({ id, constraints: [] }))
  readonly #flags = new Map<string, Map<string, Feature>>()
  readonly #dice: () => number

  constructor(dice: () => number) {
    this.#dice = dice
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#dice() * items.length)] as T
  }

  change(environment: string, step: number): void {
    const flags = this.#flags.get(environment) ?? new Map<string, Feature>()
    this.#flags.set(environment, flags)
    const name = this.pick(['a', 'b', 'c', 'd', 'e'])
    const strategies = [{ name: 'default', ...this.pick([{}, { segments: [1] }, { segments: [2] }]) }]
    const after = flag(name, this.pick(['p', 'q', 'r']), { description: `${environment} ${step}`, strategies })
    if (this.#dice() < 0.3) flags.delete(name)
    else flags.set(name, after)
  }

  /** Returns the features that the upstream sends for a token. */
  scopeOf(token: string): Feature[] {
    const { environment, projects } = tokenOf(token)
    const all = [...(this.#flags.get(environment)?.values() ?? [])].sort((a, b) => compareText(a.name, b.name))
    return all.filter(({ project = '' }) => projects.includes('*') || projects.includes(project))
  }
}

const TOKENS = ['p:dev', 'q+r:dev', 'p+q:dev', 'r:dev', '*:prod', 'p:prod', 'q:prod']

test.each(Array.from({ length: 25 }, (_, index) => index + 1))(
  'whatever comes in whatever order, each token sees its own upstream document and nothing else (%i)',
  async (seed) => {
    const dice = diceOf(seed)
    const { upstream, environments, view } = start()
    const truth = new Truth(dice)
    const fetching = TOKENS.filter(() => dice() < 0.6)
    upstream.fetchWith(...fetching)
    const send = (token: string) => {
      const features = structuredClone(truth.scopeOf(token))
      upstream.send(token, { version: 2, features, segments: truth.segments })
    }
    for (let step = 0; step < 30; step += 1) {
      const environment = truth.pick(['dev', 'prod'])
      truth.change(environment, step)
      const some = fetching.filter(() => dice() < 0.5).sort(() => dice() - 0.5)
      for (const token of some) send(token)
      if (dice() < 0.3) await environments.settled(environment)
    }
    for (const token of fetching) send(token)
    await Promise.all(['dev', 'prod'].map((environment) => environments.settled(environment)))
    for (const token of fetching) expect(view(token)).toEqual(truth.scopeOf(token))
    for (const environment of ['dev', 'prod']) {
      const fetched = fetching.filter((token) => token.endsWith(environment)).flatMap((token) => truth.scopeOf(token))
      const known = new Set(environments.peek(environment)?.flags.map(({ feature }) => feature.description))
      expect(known).toEqual(new Set(fetched.map(({ description }) => description)))
    }
  },
)
