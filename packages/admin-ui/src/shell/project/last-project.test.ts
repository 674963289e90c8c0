import { expect, test } from 'vitest'
import { selectProject } from './last-project.ts'

const project = (id: string, featureCount: number, favorite = false) => ({ id, featureCount, favorite })
const EMPTY = project('default', 0)
const LARGE = project('large', 90)
const OWN = project('own', 4)
const STARRED = project('starred', 2, true)

test.each([
  ['the last viewed one', [EMPTY, LARGE, STARRED], 'default', [], 'default'],
  ['a favorite before one with a role', [EMPTY, LARGE, OWN, STARRED], undefined, ['own'], 'starred'],
  ['one with a role before a larger one', [EMPTY, LARGE, OWN], undefined, ['own', 'default'], 'own'],
  ['the one with the most flags', [EMPTY, OWN, LARGE], undefined, [], 'large'],
  ['another one if the last viewed is gone', [EMPTY, LARGE], 'gone', [], 'large'],
  ['the first of empty ones', [EMPTY, project('other', 0)], undefined, [], 'default'],
  ['none', [], 'default', [], undefined],
])('a page opens %s', (_name, projects, wanted, roles, expected) => {
  expect(selectProject(projects, wanted, (id) => roles.some((role) => role === id))).toBe(expected)
})
