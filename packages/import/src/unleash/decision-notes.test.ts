import { expect, test } from 'vitest'
import { createEmptyInstallation } from '../model/installation.ts'
import { createFlag, createState, createStrategy } from '../model/source-defaults.ts'
import { listDecisionNotes } from './decision-notes.ts'

const PLACE = { contextName: 'environment', operator: 'IN', values: ['production'] }
const ORIGIN = { name: 'test', place: 'here', readAt: 0, lastEventId: undefined }
const flag = (name: string, strategy: object, archivedAt: number | null = null) => {
  const strategies = [createStrategy({ name: 'default', ...strategy })]
  return createFlag({
    name,
    project: 'p',
    archivedAt,
    states: [createState({ environment: 'e', enabled: true, strategies })],
  })
}

test('reports flags that depend on the environment name that frontends see', () => {
  const segment = { id: 7, name: 's', description: null, project: null, createdBy: '', createdAt: 0 }
  const notes = listDecisionNotes(
    {
      ...createEmptyInstallation(ORIGIN),
      segments: [{ ...segment, constraints: [PLACE] }],
      flags: [
        flag('by constraint', { constraints: [PLACE] }),
        flag('by segment', { segments: [7] }),
        flag('not at all', { constraints: [{ ...PLACE, contextName: 'country' }] }),
        flag('archived', { constraints: [PLACE] }, 1),
      ],
    },
    0,
  )
  const told = notes.filter(({ words }) => words.includes('"environment"'))
  expect(told.map(({ name, fidelity }) => [name, fidelity])).toEqual([
    ['by constraint', 'exact'],
    ['by segment', 'exact'],
  ])
})

test('names flags with lists of IPv6 addresses, whose ranges and spellings match here', () => {
  const listing = (IPs: string, more: object = {}) => ({ name: 'remoteAddress', parameters: { IPs }, ...more })
  const notes = listDecisionNotes(
    {
      ...createEmptyInstallation(ORIGIN),
      flags: [
        flag('range', listing('10.0.0.1, 2001:db8::/32')),
        flag('address', listing('2001:DB8::1')),
        flag('IPv4 only', listing('10.0.0.0/8')),
        flag('disabled', listing('2001:db8::/32', { disabled: true })),
        flag('archived', listing('2001:db8::/32'), 1),
        flag('another strategy', { name: 'own', parameters: { IPs: '::1' } }),
      ],
    },
    0,
  )
  const named = notes.filter(({ words }) => words.includes('IPv6'))
  expect(named.map(({ name, fidelity }) => [name, fidelity])).toEqual([
    ['range', 'exact'],
    ['address', 'exact'],
  ])
})
