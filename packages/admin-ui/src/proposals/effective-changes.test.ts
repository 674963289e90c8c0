import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { expect, test } from 'vitest'
import { listDraftedFlags } from './drafted-flags.ts'
import { listEffectiveChanges } from './effective-changes.ts'

const turn = (feature: string, enabled: boolean): ChangeInput => ({
  feature,
  action: 'updateEnabled',
  payload: { enabled },
})
const ON = {
  environments: [{ name: 'production', enabled: true, strategies: [], variants: [] }],
} as unknown as AdminFeature

/** Returns the effective changes and the names of the flags that were fetched. All flags are on. */
async function compare(changes: readonly ChangeInput[], drafted: readonly string[] | Error = []) {
  const fetched: string[] = []
  const effective = await listEffectiveChanges(changes, 'production', {
    fetchFlag: async (name) => {
      fetched.push(name)
      if (name === 'broken') throw new Error('The server is away')
      return ON
    },
    fetchDrafted: async () => {
      if (drafted instanceof Error) throw drafted
      return new Set(drafted)
    },
  })
  return { effective, fetched }
}

test('leaves out changes that repeat the state of a flag', async () => {
  const changes = [turn('basket', true), turn('search', false)]
  expect(await compare(changes)).toEqual({ effective: [turn('search', false)], fetched: ['basket', 'search'] })
})

test('keeps a change that repeats the state of a flag that the draft changes', async () => {
  const changes = [turn('basket', true), turn('search', true)]
  expect(await compare(changes, ['basket'])).toEqual({ effective: [turn('basket', true)], fetched: ['search'] })
})

test.each<ChangeInput['action']>([
  'addStrategy',
  'deleteStrategy',
  'reorderStrategy',
  'archiveFeature',
  'addDependency',
  'deleteDependency',
])('keeps %s without fetching its flag', async (action) => {
  const changes = [{ feature: 'broken', action, payload: {} } as ChangeInput]
  expect(await compare(changes, new Error('The server is away'))).toEqual({ effective: changes, fetched: [] })
})

test('keeps changes whose flag or draft cannot be fetched', async () => {
  const changes = [turn('broken', true), turn('basket', true)]
  expect((await compare(changes)).effective).toEqual([turn('broken', true)])
  expect((await compare(changes, new Error('The server is away'))).effective).toEqual(changes)
})

test('returns long lists unchanged', async () => {
  const changes = Array.from({ length: 21 }, (_, index) => turn(`flag-${index}`, true))
  expect(await compare(changes)).toEqual({ effective: changes, fetched: [] })
})

test('lists the flags of the draft for one environment', () => {
  const features = [
    { name: 'basket', changes: [{ id: 1 }] },
    { name: 'search', changes: [] },
  ] as unknown as Parameters<typeof listDraftedFlags>[0][number]['features']
  const others = [{ name: 'other', changes: [{ id: 2 }] }] as unknown as typeof features
  const requests = [
    { state: 'Draft', environment: 'production', features },
    { state: 'Draft', environment: 'development', features: others },
    { state: 'In review', environment: 'production', features: others },
  ] as const
  expect([...listDraftedFlags(requests, 'production')]).toEqual(['basket'])
})
