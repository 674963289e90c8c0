import { expect, test } from 'vitest'
import { CatalogFlag } from '../catalog/catalog-flag.ts'
import { FlagTable } from '../catalog/flag-table.ts'
import { findFlags, parseSearch } from './feature-search.ts'

const createFlag = (name: string, description: string | null = null) =>
  new CatalogFlag(
    {
      row: {
        name,
        project: 'default',
        type: 'release',
        description,
        stale: 0,
        impression_data: 0,
        created_at: 0,
        archived_at: null,
        last_seen_at: null,
        potentially_stale: 0,
        created_by: null,
        created_by_user_id: null,
      },
      environments: [],
      strategies: [],
      tags: [],
      parents: [],
      stages: [],
      links: [],
      plans: [],
    },
    0,
  )

test('paging through a search scans the flags once, until one of them changes', () => {
  const table = new FlagTable(
    ['a-1', 'a-2', 'b-1'].map((name) => createFlag(name)),
    [],
  )
  let looks = 0
  const search = (offset: number, query = 'a') => {
    const { keeps, ...searching } = parseSearch({ query, offset, sortBy: 'name' })
    const counted: typeof keeps = (flag, all) => {
      looks += 1
      return keeps?.(flag, all) ?? true
    }
    return findFlags(table, { ...searching, keeps: counted }, new Set()).map(({ name }) => name)
  }
  expect([search(0), search(50)]).toEqual([
    ['a-1', 'a-2'],
    ['a-1', 'a-2'],
  ])
  expect(looks).toBe(3)
  expect(search(0, 'b')).toEqual(['b-1'])
  expect(looks).toBe(6)
  table.apply(new Map([['b-1', createFlag('b-1', 'like a')]]), undefined)
  expect(search(0)).toEqual(['a-1', 'a-2', 'b-1'])
  expect(looks).toBe(9)
})

test.each([
  ['an error in a name', 'serch', ['search-semantic', 'search-suggestions']],
  ['errors in two words of a name', 'saerch-semantik', ['search-semantic']],
  ['no error in a short word', 'xot', []],
  ['no error in the description', 'meening', []],
])('a search with similar=true tolerates %s', (_what, query, expected) => {
  const table = new FlagTable(
    [createFlag('search-suggestions'), createFlag('search-semantic', 'finds by meaning'), createFlag('hot')],
    [],
  )
  const find = (similar: boolean) =>
    findFlags(table, parseSearch({ query, similar, sortBy: 'name' }), new Set()).map(({ name }) => name)
  expect(find(true)).toEqual(expected)
  expect(find(false)).toEqual([])
})
