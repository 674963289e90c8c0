import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compile, type Engine } from '@burgee/engine'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { runSync } from '@burgee/kit/slices'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Repository, type RepositoryState } from '../document/repository.ts'
import { Answers } from './answers.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

afterEach(() => void vi.restoreAllMocks())

const FLAGS = 300
const half = (groupId: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId },
})
/** Creates a document; the flags that `isNew` selects differ between changes. */
const documentOf = (change: number, isNew: (index: number) => boolean = () => true) => ({
  version: 2,
  features: Array.from({ length: FLAGS }, (_, index) => ({
    name: `flag-${index}`,
    enabled: true,
    strategies: [half(`g${index}`)],
    variants: [{ name: isNew(index) ? `v${change}` : 'v', weight: 1 }],
  })),
  segments: [],
})
const isEven = (index: number) => index % 2 === 0
const CONTEXTS = Array.from({ length: 40 }, (_, index) => ({ userId: `user-${index}` }))
const prepared = (engine: Engine, previous?: Answers) => runSync(Answers.buildPrepared(engine, {}, previous))
const shown = (answers: Answers, userId: string) => answers.list('on', { userId }).content.bytes().toString()
const expectRight = (answers: Answers, userId: string) => {
  const { toggles } = JSON.parse(shown(answers, userId)) as { toggles: { name: string }[] }
  const on = answers.engine.evaluateAll({ userId }).filter(({ enabled }) => enabled)
  expect(toggles).toMatchObject(on.map(({ name, variant }) => ({ name, variant })))
}

/** Counts the outcomes that are serialized to JSON during `work`. */
function written(work: () => void): number {
  const stringify = vi.spyOn(JSON, 'stringify')
  work()
  const { length } = stringify.mock.calls
  stringify.mockRestore()
  return length
}

describe('prepared answers', () => {
  test('write no JSON for a request, whatever its context', () => {
    const { engine } = compile(documentOf(0))
    const [answers, others] = [new Answers(engine), new Answers(engine)]
    expect(written(() => runSync(answers.prepare()))).toBe(2 * FLAGS)
    expect(written(() => CONTEXTS.forEach(({ userId }) => void shown(answers, userId)))).toBe(0)
    expect(written(() => CONTEXTS.forEach(({ userId }) => void shown(others, userId)))).toBe(FLAGS)
    for (const { userId } of CONTEXTS) {
      expect(shown(answers, userId)).toBe(shown(others, userId))
      expectRight(answers, userId)
    }
  })

  test('write only what has changed; a second preparation writes nothing', () => {
    const first = compile(documentOf(0, () => false)).engine
    const second = compile(
      documentOf(1, (index) => index === 5),
      {},
      first,
    ).engine
    const answers = runSync(Answers.build(second, {}, prepared(first)))
    expect(written(() => runSync(answers.prepare()))).toBe(2)
    expect(written(() => runSync(answers.prepare()))).toBe(0)
  })

  test('do not disturb those in use between any two steps', () => {
    const before = compile(documentOf(0, () => false)).engine
    const after = compile(documentOf(1, isEven), {}, before).engine
    const inUse = new Answers(before)
    const steps = Answers.buildPrepared(after, {}, inUse)
    let step = 0
    let next = steps.next()
    for (; !next.done; next = steps.next()) {
      expectRight(inUse, `user-${step}`)
      step += 1
    }
    expect(step).toBeGreaterThan(5)
    for (const { userId } of CONTEXTS) expectRight(next.value, userId)
    for (const { userId } of CONTEXTS) expectRight(inUse, userId)
  })

  test('disappear with an engine that never came into use', async () => {
    const first = compile(documentOf(0, () => false)).engine
    const inUse = new Answers(first)
    shown(inUse, 'user-0')
    /** Prepares an unused engine, completely or partially. */
    const supersede = (change: number): WeakRef<Engine> => {
      const { engine } = compile(documentOf(change, isEven), {}, first)
      const steps = Answers.buildPrepared(engine, {}, inUse)
      if (change % 2 === 0) runSync(steps)
      else for (let step = 0; step < change; step++) steps.next()
      expectRight(inUse, `user-${change}`)
      return new WeakRef(engine)
    }
    const superseded = Array.from({ length: 30 }, (_, index) => supersede(index + 1))
    const last = prepared(compile(documentOf(31, isEven), {}, first).engine, inUse)
    for (const { userId } of CONTEXTS) expectRight(last, userId)
    for (const { userId } of CONTEXTS) expectRight(inUse, userId)
    for (let round = 0; round < 3; round++) {
      await setImmediate()
      collectGarbage()
    }
    expect(superseded.filter((one) => one.deref() !== undefined)).toEqual([])
  })
})

describe('a repository', () => {
  const compileOptions = { clock: Date.now, monotonic: PROCESS_CLOCK }
  const deps = { logger: SILENT, clock: Date.now, monotonic: PROCESS_CLOCK, compileOptions }

  /** Calls `hear` at every step of preparing answers. */
  const onPreparation = (hear: () => void) => {
    const real = Answers.buildPrepared
    vi.spyOn(Answers, 'buildPrepared').mockImplementation(function* (...given) {
      const steps = real.apply(Answers, given)
      for (let next = steps.next(); ; next = steps.next()) {
        if (next.done) return next.value
        hear()
        yield
      }
    })
  }

  test('prepares answers before it uses them, and serves the previous ones until then', async () => {
    const seen: (string | undefined)[] = []
    const repository: Repository = new Repository(deps)
    let inUse: Answers | undefined
    onPreparation(() => {
      expect(repository.state?.answers).toBe(inUse)
      seen.push(inUse?.engine.evaluate('flag-0', { userId: 'user-1' }).variant.name)
      if (inUse !== undefined) expectRight(inUse, `user-${seen.length}`)
    })
    for (const change of [0, 1]) {
      seen.length = 0
      await repository.replace(documentOf(change) as never, 'upstream')
      expect(repository.state?.revision).toBe(change + 1)
      expect(seen.length).toBeGreaterThan(5)
      const { variant } = compile(documentOf(0)).engine.evaluate('flag-0', { userId: 'user-1' })
      expect(new Set(seen)).toEqual(new Set([change === 0 ? undefined : variant.name]))
      const { engine, answers } = repository.state as RepositoryState
      expect(answers.engine).toBe(engine)
      expect(written(() => CONTEXTS.forEach(({ userId }) => void shown(answers, userId)))).toBe(0)
      inUse = answers
    }
  })

  test('leaves out what is outdated before its turn comes, and never for the sake of a backup', async () => {
    const repository = new Repository(deps)
    const replaced = [
      repository.replace(documentOf(0) as never, 'upstream'),
      repository.replace(documentOf(1) as never, 'upstream'),
      repository.replace(documentOf(2) as never, 'upstream'),
      repository.replace(documentOf(3) as never, 'backup'),
      repository.replace(documentOf(4) as never, 'upstream'),
    ]
    const taken = (await Promise.all(replaced)).map((document) => document?.features)
    const [third, last] = [documentOf(2).features, documentOf(4).features]
    expect(taken).toEqual([third, third, third, undefined, last])
    expect(repository.state).toMatchObject({ revision: 2, origin: 'upstream', document: { features: last } })
    const before = repository.replace(documentOf(0) as never, 'upstream')
    await setImmediate()
    const after = [1, 2].map((change) => repository.replace(documentOf(change) as never, 'upstream'))
    expect((await before)?.features).toEqual(documentOf(0).features)
    await Promise.all(after)
    expect(repository.state).toMatchObject({ revision: 4, document: { features: third } })
  })

  test('keeps the current answers when the next ones cannot be prepared, and takes the ones after', async () => {
    let isBroken = false
    onPreparation(() => {
      if (isBroken) throw new Error('no room')
    })
    const repository = new Repository(deps)
    await repository.replace(documentOf(0) as never, 'upstream')
    isBroken = true
    await expect(repository.replace(documentOf(1) as never, 'upstream')).rejects.toThrow('no room')
    expect(repository.state?.revision).toBe(1)
    isBroken = false
    expect(await repository.replace(documentOf(2) as never, 'upstream')).toMatchObject({
      features: documentOf(2).features,
    })
    expect(repository.state?.revision).toBe(2)
  })

  test('rebuilds everything, and logs it, if nothing can be reused from the current answers', async () => {
    const real = Answers.buildPrepared
    vi.spyOn(Answers, 'buildPrepared').mockImplementation((engine, options, previous) => {
      if (previous !== undefined) throw new Error('not with these')
      return real.call(Answers, engine, options)
    })
    const said: unknown[] = []
    const repository = new Repository({ ...deps, logger: { ...SILENT, error: (...line) => said.push(line) } })
    for (const change of [0, 1]) {
      await repository.replace(documentOf(change) as never, 'upstream')
      expectRight(repository.state?.answers as Answers, 'user-1')
    }
    expect(repository.state?.document.features).toEqual(documentOf(1).features)
    expect(said).toEqual([[expect.stringContaining('compiling everything again'), new Error('not with these')]])
  })
})
