import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('work of one key goes one by one, also where some fails, and that of another one beside it', async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const inTurn = createKeyedMutex<string>()
  const begin = (key: string, name: string) =>
    inTurn(key, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      if (name === 'a2') throw new Error('lost')
      return name
    })
  const all = Promise.allSettled([begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3'), begin('b', 'b1')])
  await turn()
  expect(begun).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'a2', 'a3']) {
    expect(begun.at(-1)).toBe(name === 'a1' ? 'b1' : name)
    ends.get(name)?.()
    await turn()
  }
  ends.get('b1')?.()
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})
