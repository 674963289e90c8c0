import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

function start(maxIds: number) {
  const requests: (readonly number[])[] = []
  const load = createBatchLoader(async (ids) => {
    requests.push(ids)
    if (ids.includes(13)) throw new Error('unlucky')
    return new Map(ids.filter((id) => id < 100).map((id) => [id, `name ${id}`]))
  }, maxIds)
  return { load, requests }
}

test('calls in one tick share a request with distinct ids', async () => {
  const { load, requests } = start(10)
  expect(await Promise.all([load(1), load(2), load(1), load(100)])).toEqual(['name 1', 'name 2', 'name 1', undefined])
  expect(await load(3)).toBe('name 3')
  expect(requests).toEqual([[1, 2, 100], [3]])
})

test('a large batch is split, and a failed part rejects only its own calls', async () => {
  const { load, requests } = start(2)
  const answers = await Promise.allSettled([load(1), load(2), load(13), load(4), load(5)])
  expect(requests).toEqual([[1, 2], [13, 4], [5]])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
})
