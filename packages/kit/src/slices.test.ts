import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { runInSlices, runSync } from './slices.ts'

function* countTo(count: number, seen: (number: number) => void): Generator<void, string> {
  for (let number = 1; number <= count; number++) {
    seen(number)
    yield
  }
  return 'done'
}

describe('work in slices', () => {
  test('other work has a turn before each of several runs in a row', async () => {
    const order: string[] = []
    let isOver = false
    const other = (async () => {
      while (!isOver) {
        order.push('other')
        await setImmediate()
      }
    })()
    for (const name of ['a', 'b', 'c']) await runInSlices(countTo(2, (number) => order.push(`${name}${number}`)))
    isOver = true
    await other
    expect(
      order
        .join(' ')
        .replace(/(other ?)+/g, '- ')
        .trim(),
    ).toBe('- a1 a2 - b1 b2 - c1 c2 -'.replace(/ -$/, ''))
  })

  test('a slice ends when its time is used up', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const busy = () => {
      for (const until = performance.now() + 2; performance.now() < until; );
    }
    expect(await runInSlices(countTo(20, busy))).toBe('done')
    clearInterval(timer)
    expect(turns).toBeGreaterThanOrEqual(5)
  })

  test('alternates with other sliced work, and other tasks run in between', async () => {
    const order: string[] = []
    const busy = (name: string) => () => {
      order.push(name)
      for (const until = performance.now() + 3; performance.now() < until; );
    }
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        order.push('-')
        await setImmediate()
      }
    })()
    await Promise.all(['a', 'b', 'c'].map((name) => runInSlices(countTo(2, busy(name)))))
    isOver = true
    await others
    const text = order.join('').replace(/-+/g, '-')
    expect(text.replace(/-/g, '')).toBe('abcabc')
    expect(text).not.toMatch(/[abc]{2}/)
  })

  test('rejects with the error that a step throws', async () => {
    const steps = countTo(3, (number) => {
      if (number === 2) throw new Error('number two')
    })
    await expect(runInSlices(steps)).rejects.toThrow('number two')
  })
})

test('at once: the result, without a pause', () => {
  const seen: number[] = []
  expect(runSync(countTo(3, (number) => seen.push(number)))).toBe('done')
  expect(seen).toEqual([1, 2, 3])
})
