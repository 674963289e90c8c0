import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { CompiledEngine } from './compiled/compiled-engine.ts'
import { compile, type Engine } from './engine.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const EDITS = 30
const strategies = [{ name: 'own', isEnabled: () => true }]
const weighted = (name: string) => ({ name, weight: 500, stickiness: 'userId' })
const constraint = (operator: string, more: object) => ({ contextName: 'x', operator, ...more })
const by = (more: object) => [{ name: 'default', ...more }]

/**
 * Creates a document whose flags use every kind of object to which a compiled flag can hold a reference. `edit` changes
 * one flag.
 */
const documentAt = (edit: number) => ({
  features: [
    { strategies: by({ name: 'own' }) },
    {
      strategies: [],
      variants: [{ ...weighted('a'), overrides: [{ contextName: 'x', values: ['1'] }] }, weighted('b')],
    },
    { strategies: by({ variants: [{ ...weighted('a'), weight: 0.5 }, weighted('b')] }) },
    { strategies: by({ segments: [1] }) },
    { strategies: by({ constraints: [constraint('REGEX', { value: '^a' }), constraint('NUM_GT', { value: '1' })] }) },
    { strategies: by({ constraints: 'no list' }) },
    { strategies: by({ name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'x', groupId: 'g' } }) },
  ].map((flag, index, { length }) => ({
    name: `f${index}`,
    enabled: true,
    ...flag,
    description: edit % length === index ? `edit ${edit}` : '',
  })),
  segments: [
    {
      id: 1,
      constraints: [constraint('IN', { values: [String(edit >> 4)] }), constraint('STR_CONTAINS', { values: ['a'] })],
    },
  ],
})

test('however often a document changes, what was compiled before the current engine is free to go', async () => {
  const compiled: WeakRef<object>[] = []
  let current: Engine | undefined
  for (let edit = 0; edit < EDITS; edit++) {
    current = compile(documentAt(edit), { strategies }, current).engine
    current.decideAll({ userId: 'u', properties: { x: '1' } })
    current.explain('f1', { userId: 'u' })
    if (current instanceof CompiledEngine) compiled.push(new WeakRef(current.program))
    await setImmediate() // a new WeakRef keeps its target alive until the end of the current job
  }
  const listAlive = () => {
    collectGarbage()
    return compiled.flatMap((program, edit) => (program.deref() ? [edit] : []))
  }
  // on a busy machine, the optimizing compiler of Node.js refers to an object until its thread has finished
  await expect.poll(listAlive).toEqual([EDITS - 1])
  expect(current?.names).toHaveLength(7)
})
