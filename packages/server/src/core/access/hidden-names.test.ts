import { expect, test } from 'vitest'
import { hiddenName } from './hidden-names.ts'

test('the alias of a hidden name comes from the given random source', () => {
  const lengths: number[] = []
  const random = (length: number) => {
    lengths.push(length)
    return new Uint8Array(length).fill(0xab)
  }
  const { parameter, name, alias } = hiddenName(random, 'projectId', 'secret')
  expect([parameter, name, alias]).toEqual(['projectId', 'secret', 'hidden-abababab-abab-4bab-abab-abababababab'])
  expect(lengths).toEqual([16])
})
