import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compile, type Engine } from '@burgee/engine'
import { SILENT } from '@burgee/kit/log/logger'
import { runAtOnce } from '@burgee/kit/slices'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Repository } from '../document/repository.ts'
import { AnswersByEngine } from './answers-by-engine.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

afterEach(() => void vi.restoreAllMocks())

const FLAGS = 300
const half = (groupId: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId },
})
/** A document; flags are others where a change says so. */
const documentOf = (change: number, isNew: (index: number) => boolean = () => true) => ({
  version: 2,
  features: Array.from({ length: FLAGS }, (_, index) => ({
    ...{ name: `flag-${index}`, enabled: true, strategies: [half(`g${index}`)] },
    variants: [{ name: isNew(index) ? `v${change}` : 'v', weight: 1 }],
  })),
  segments: [],
})
const isEven = (index: number) => index % 2 === 0
const CONTEXTS = Array.from({ length: 40 }, (_, index) => ({ userId: `user-${index}` }))
const shown = (answers: AnswersByEngine, engine: Engine, userId: string) =>
  answers.of(engine).list('on', { userId }).content.bytes().toString()
const expectRight = (answers: AnswersByEngine, engine: Engine, userId: string) => {
  const { toggles } = JSON.parse(shown(answers, engine, userId)) as { toggles: { name: string }[] }
  const on = engine.evaluateAll({ userId }).filter(({ enabled }) => enabled)
  expect(toggles).toMatchObject(on.map(({ name, variant }) => ({ name, variant })))
}

/** How many outcomes are written as JSON meanwhile. */
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
    const [prepared, others] = [new AnswersByEngine(), new AnswersByEngine()]
    expect(written(() => runAtOnce(prepared.prepare(engine)))).toBe(2 * FLAGS)
    expect(written(() => CONTEXTS.forEach(({ userId }) => void shown(prepared, engine, userId)))).toBe(0)
    expect(written(() => CONTEXTS.forEach(({ userId }) => void shown(others, engine, userId)))).toBe(FLAGS)
    for (const { userId } of CONTEXTS) {
      expect(shown(prepared, engine, userId)).toBe(shown(others, engine, userId))
      expectRight(prepared, engine, userId)
    }
  })

  test('write only what has changed; a second preparation of an engine writes nothing', () => {
    const first = compile(documentOf(0, () => false)).engine
    const second = compile(
      documentOf(1, (index) => index === 5),
      {},
      first,
    ).engine
    const answers = new AnswersByEngine()
    runAtOnce(answers.prepare(first))
    expect(written(() => runAtOnce(answers.prepare(second)))).toBe(2)
    const made = answers.of(second)
    expect(written(() => runAtOnce(answers.prepare(second)))).toBe(0)
    expect(answers.of(second)).toBe(made)
  })

  test('do not disturb those in use, whose caches stay, between any two steps', () => {
    const before = compile(documentOf(0, () => false)).engine
    const after = compile(documentOf(1, isEven), {}, before).engine
    const answers = new AnswersByEngine()
    const inUse = answers.of(before)
    const steps = answers.prepare(after)
    let step = 0
    for (; !steps.next().done; step += 1) {
      expect(answers.of(before)).toBe(inUse)
      expectRight(answers, before, `user-${step}`)
    }
    expect(step).toBeGreaterThan(5)
    expect(answers.of(before)).toBe(inUse)
    for (const { userId } of CONTEXTS) expectRight(answers, after, userId)
    for (const { userId } of CONTEXTS) expectRight(answers, before, userId)
  })

  test('of engines that never come into use are harmless, and gone with their engine', async () => {
    const first = compile(documentOf(0, () => false)).engine
    const answers = new AnswersByEngine()
    answers.of(first)
    /** Prepares an engine, wholly or in part, that nobody asks. */
    const supersede = (change: number): WeakRef<Engine> => {
      const { engine } = compile(documentOf(change, isEven), {}, first)
      const steps = answers.prepare(engine)
      if (change % 2 === 0) runAtOnce(steps)
      else for (let step = 0; step < change; step++) steps.next()
      expectRight(answers, first, `user-${change}`)
      return new WeakRef(engine)
    }
    const superseded = Array.from({ length: 30 }, (_, index) => supersede(index + 1))
    const last = compile(documentOf(31, isEven), {}, first).engine
    runAtOnce(answers.prepare(last))
    for (const { userId } of CONTEXTS) expectRight(answers, last, userId)
    for (const { userId } of CONTEXTS) expectRight(answers, first, userId)
    for (let round = 0; round < 3; round++) {
      await setImmediate()
      collectGarbage()
    }
    expect(superseded.filter((one) => one.deref() !== undefined)).toEqual([])
  })
})

describe('a repository', () => {
  const compileOptions = { clock: Date.now }
  const deps = { logger: SILENT, clock: Date.now, compileOptions }

  test('prepares an engine before it comes into use, and answers with the one before meanwhile', async () => {
    const answers = new AnswersByEngine()
    const seen: (string | undefined)[] = []
    const repository: Repository = new Repository({
      ...deps,
      *prepare(engine) {
        for (const _ of answers.prepare(engine)) {
          const inUse = repository.state?.engine
          seen.push(inUse?.evaluate('flag-0', { userId: 'user-1' }).variant.name)
          if (inUse !== undefined) expectRight(answers, inUse, `user-${seen.length}`)
          yield
        }
      },
    })
    for (const change of [0, 1]) {
      seen.length = 0
      await repository.replace(documentOf(change) as never, 'upstream')
      expect(repository.state?.revision).toBe(change + 1)
      expect(seen.length).toBeGreaterThan(5)
      const { variant } = compile(documentOf(0)).engine.evaluate('flag-0', { userId: 'user-1' })
      expect(new Set(seen)).toEqual(new Set([change === 0 ? undefined : variant.name]))
      const { engine } = repository.state as { engine: Engine }
      expect(written(() => CONTEXTS.forEach(({ userId }) => void shown(answers, engine, userId)))).toBe(0)
    }
  })

  test('keeps what is in use when the next one cannot be prepared, and takes the one after', async () => {
    let isBroken = false
    const repository = new Repository({
      ...deps,
      *prepare() {
        yield
        if (isBroken) throw new Error('no room')
      },
    })
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
})
