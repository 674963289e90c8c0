import type { Network } from '@burgee/kit/http/client-network'
import type { Holding } from '@burgee/protocol/administration/delivery-receipt'
import { expect, test } from 'vitest'
import { DownstreamHoldings } from './downstream-holdings.ts'

const TOKEN = { id: 't1', environment: 'dev', projects: ['a', 'b'] }
let now = 1000

function create(): DownstreamHoldings {
  now = 1000
  const state = { revision: { epoch: 'e1', id: 9 } }
  return new DownstreamHoldings({ environments: { peek: () => state as never }, clock: () => now })
}

const edge = (id: string, network = '10.0.0.1') => ({ id, network: network as Network })

function row(given: Partial<Holding> = {}): Holding {
  const times = { connections: 2, oldest: 900 }
  return { environment: 'dev', projects: ['a'], kind: 'processes', appName: 'shop', revision: 7, ...times, ...given }
}

test('keeps the latest rows of each edge and token, with the epoch of this edge', () => {
  const holdings = create()
  holdings.accept({ token: TOKEN, edge: edge('one'), rows: [row({ connections: 5 })] })
  holdings.accept({ token: TOKEN, edge: edge('one'), rows: [row()] })
  holdings.accept({ token: TOKEN, edge: edge('two'), rows: [row({ appName: 'till' })] })
  expect(holdings.list()).toEqual([
    { ...row(), revision: { epoch: 'e1', id: 7 } },
    { ...row({ appName: 'till' }), revision: { epoch: 'e1', id: 7 } },
  ])
  holdings.accept({ token: TOKEN, edge: edge('one'), rows: [] })
  expect(holdings.list()).toHaveLength(1)
})

test.each<[string, Partial<Holding>, Partial<Holding> | undefined]>([
  ['of another environment', { environment: 'prod' }, undefined],
  ['of other projects', { projects: ['c'] }, undefined],
  ['of more projects', { projects: ['a', 'c'] }, { projects: ['a'] }],
  ['of all projects', { projects: ['*'] }, { projects: ['a', 'b'] }],
  ['from the future', { oldest: 5000 }, { oldest: 1000 }],
])('limits a row %s to the scope of the token and the present', (_, given, expected) => {
  const holdings = create()
  holdings.accept({ token: TOKEN, edge: edge('one'), rows: [row(given)] })
  const rows = expected === undefined ? [] : [{ ...row(expected), revision: { epoch: 'e1', id: 7 } }]
  expect(holdings.list()).toEqual(rows)
})

test('drops an edge that has missed three reports', () => {
  const holdings = create()
  holdings.accept({ token: TOKEN, edge: edge('one'), rows: [row()] })
  now += 30_000
  expect(holdings.list()).toHaveLength(1)
  now += 1
  expect(holdings.list()).toEqual([])
})

test('ignores a report without a connection id', () => {
  const holdings = create()
  holdings.accept({ token: TOKEN, edge: edge(''), rows: [row()] })
  expect(holdings.list()).toEqual([])
})

test('keeps room for other networks', () => {
  const holdings = create()
  const rows = Array.from({ length: 2000 }, (_, number) => row({ appName: `app-${number}` }))
  for (let number = 0; number < 20; number += 1) holdings.accept({ token: TOKEN, edge: edge(`edge-${number}`), rows })
  const before = holdings.list().length
  expect(before).toBeLessThan(10_000)
  holdings.accept({ token: TOKEN, edge: edge('other', '10.0.0.2'), rows: [row()] })
  expect(holdings.list()).toHaveLength(before + 1)
})
