import { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import { expect, test } from 'vitest'
import { ConfigMistakes, type PropertyPath } from './config-mistakes.ts'

test('the lines of a file are looked up once for all of its mistakes', async () => {
  const calls: (readonly PropertyPath[])[] = []
  const place = {
    path: 'a.yaml',
    findLines: async (properties: readonly PropertyPath[]) => {
      calls.push(properties)
      return properties.map((_, index) => index + 1)
    },
  }
  const mistakes = new ConfigMistakes()
  for (let index = 0; index < 100; index += 1) mistakes.add({ ...place }, ['tags', index], 'is wrong')
  const error = await mistakes.require(new EventLoopBudget()).catch((failure) => failure)
  expect(calls.map(({ length }) => length)).toEqual([50])
  expect(error.extra.mistakes[49]).toEqual({ file: 'a.yaml', line: 50, property: 'tags.49', message: 'is wrong' })
})
