import { expect, test } from 'vitest'
import { flagWith, stateWith, strategyWith } from '../model/held-defaults.ts'
import { emptyInstallation } from '../model/installation.ts'
import { decisionNotes } from './decision-notes.ts'

const PLACE = { contextName: 'environment', operator: 'IN', values: ['production'] }
const ORIGIN = { name: 'test', place: 'here', readAt: 0, lastEventId: undefined }
const flag = (name: string, strategy: object, archivedAt: number | null = null) => {
  const strategies = [strategyWith({ name: 'default', ...strategy })]
  return flagWith({
    name,
    project: 'p',
    archivedAt,
    states: [stateWith({ environment: 'e', enabled: true, strategies })],
  })
}

test('flags that ask for the environment are told, as front ends know it here', () => {
  const segment = { id: 7, name: 's', description: null, project: null, createdBy: '', createdAt: 0 }
  const notes = decisionNotes(
    {
      ...emptyInstallation(ORIGIN),
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
