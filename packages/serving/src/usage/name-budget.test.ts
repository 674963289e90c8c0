import { toNetwork } from '@burgee/kit/http/client-network'
import { describe, expect, test } from 'vitest'
import { createNameOwner, createRequestedNamesOwner, NameBudget, type NameOwner, ReservedNames } from './name-budget.ts'

const MAX = 100
const owner = (address: string, token: string) => createNameOwner(toNetwork(address), token)
const stranger = owner('192.0.2.1', 'public')

/** Adds names of a kind until there is no room. Returns the number of names that fit. */
function fill(names: ReservedNames, kind: string, of: NameOwner | undefined): number {
  let count = 0
  while (count <= MAX && names.reserve(`${kind}-${count}`, of)) count += 1
  return count
}

describe('a token at a network that invents names', () => {
  test('gets half of the room, by number or by characters', () => {
    const room = new NameBudget({ names: MAX, length: 50 })
    expect(fill(new ReservedNames(room), 'name', stranger)).toBe(50)
    const short = new NameBudget({ names: MAX, length: 50, characters: 100 })
    expect(fill(new ReservedNames(short), 'n', stranger)).toBe(15)
    expect([room.dropped, room.names, short.dropped]).toEqual([1, 50, 1])
  })

  test.each<[string, NameOwner | undefined, number]>([
    ['the same token at another network', owner('192.0.2.2', 'public'), 25],
    ['another token at its network', owner('192.0.2.1', 'own'), 25],
    ['another token at another network', owner('192.0.2.2', 'own'), 25],
    ['flags that exist', undefined, 50],
    ['requested names', createRequestedNamesOwner('public'), 25],
  ])('leaves room for %s', (_name, other, room) => {
    const names = new ReservedNames(new NameBudget({ names: MAX, length: 50 }))
    fill(names, 'invented', stranger)
    expect(fill(names, 'other', other)).toBe(room)
  })

  test.each<[string, (index: number) => NameOwner]>([
    ['with one token from many networks', (index) => owner(`192.0.2.${index}`, 'public')],
    ['from one network with many tokens', (index) => owner('192.0.2.1', `token-${index}`)],
  ])('leaves a tenth to others %s', (_name, of) => {
    const names = new ReservedNames(new NameBudget({ names: MAX, length: 50 }))
    for (let index = 0; index < 50; index += 1) fill(names, `invented-${index}`, of(index))
    expect(fill(names, 'other', owner('198.51.100.1', 'other'))).toBeGreaterThanOrEqual(5)
  })

  test('keeps its share while untaken names return again and again', () => {
    const room = new NameBudget({ names: MAX, length: 50 })
    const names = new ReservedNames(room)
    let returning: string[] = []
    for (let round = 0; round < 30; round += 1) {
      for (const name of returning) expect(names.reserve(name, undefined)).toBe(true)
      const before = room.names
      fill(names, `invented-${round}`, stranger)
      returning = [...returning, ...Array.from({ length: room.names - before }, (_, at) => `invented-${round}-${at}`)]
      names.release()
    }
    expect(returning).toHaveLength(50)
    for (const name of returning) names.reserve(name, undefined)
    expect(fill(names, 'honest', owner('192.0.2.2', 'own'))).toBe(25)
  })

  test('keeps its share in another process that takes its names over', () => {
    const worker = new NameBudget({ names: MAX, length: 50 })
    const primary = new NameBudget({ names: MAX, length: 50 })
    const taken = new ReservedNames(primary)
    for (let round = 0; round < 5; round += 1) {
      const names = new ReservedNames(worker)
      const count = fill(names, `invented-${round}`, stranger)
      names.release()
      const list = Array.from({ length: count }, (_, at) => `invented-${round}-${at}`)
      primary.recall(worker.listOwners(list))
      for (const name of list) taken.reserve(name, undefined)
    }
    expect(primary.names).toBe(50)
  })
})
