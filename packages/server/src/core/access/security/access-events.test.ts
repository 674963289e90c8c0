import { expect, test } from 'vitest'
import { toAccessEntries } from './access-events.ts'

const AUTHOR = { name: 'admin', userId: 1 }
const ANN = { id: 9, username: 'ann', rootRole: 2 }
const GROUP = { id: 4, name: 'team' }
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `P${index + 1}` }))
const names = (count: number) => many(count).map(({ name }) => name)

/** Returns the security log entries for an event, without the fields that all entries share. */
function entries(event: object) {
  return toAccessEntries(AUTHOR as never, [event as never]).map(({ event: name, details }) => ({
    event: name,
    details,
  }))
}

test.each<[name: string, event: object, event: string | undefined, details?: object]>([
  [
    'a role with permissions in one and in every environment',
    {
      type: 'role-created',
      data: { id: 7, name: 'r', permissions: [{ name: 'A' }, { name: 'B', environment: 'dev' }] },
    },
    'role-made',
    { role: 'r', roleId: 7, gives: 'A, B in dev' },
  ],
  [
    'a role with twenty permissions',
    { type: 'role-updated', data: { id: 7, name: 'r', permissions: many(20) } },
    'role-edited',
    { role: 'r', roleId: 7, gives: names(20).join(', ') },
  ],
  [
    'a role with more permissions than the log names',
    {
      type: 'role-deleted',
      preData: { id: 7, name: 'r', permissions: many(22) },
      data: { id: 7, name: 'r', permissions: many(22) },
    },
    'role-removed',
    { role: 'r', roleId: 7, gives: `${names(20).join(', ')} and 2 more` },
  ],
  [
    'a group that is created with a root role',
    { type: 'group-created', data: { ...GROUP, rootRole: 1 }, preData: null },
    'role-changed',
    { group: 'team', groupId: 4, role: 'Admin', roleBefore: '' },
  ],
  ['a group that is created without one', { type: 'group-created', data: GROUP, preData: null }, undefined],
  [
    'a group that loses its root role',
    { type: 'group-updated', data: { ...GROUP, rootRole: null }, preData: { ...GROUP, rootRole: 2 } },
    'role-changed',
    { group: 'team', groupId: 4, role: '', roleBefore: 'Editor' },
  ],
  [
    'a group whose name alone changes',
    { type: 'group-updated', data: { ...GROUP, name: 'x', rootRole: 2 }, preData: { ...GROUP, rootRole: 2 } },
    undefined,
  ],
  [
    'a group with a root role that is deleted',
    { type: 'group-deleted', data: null, preData: { ...GROUP, rootRole: 1 } },
    'role-changed',
    { group: 'team', groupId: 4, role: '', roleBefore: 'Admin' },
  ],
  [
    'a user who joins a group',
    { type: 'group-user-added', data: { groupName: 'team', groupId: 4, userId: 9 }, preData: null },
    'group-joined',
    { subjectId: 9, group: 'team', groupId: 4 },
  ],
  [
    'a user who leaves a group',
    { type: 'group-user-removed', data: null, preData: { groupName: 'team', groupId: 4, userId: 9 } },
    'group-left',
    { subjectId: 9, group: 'team', groupId: 4 },
  ],
  [
    'sessions that end',
    {
      type: 'user-updated',
      data: { id: 9, username: 'ann', rootRole: 2, sessionsEnded: 3 },
      preData: { id: 9, username: 'ann', rootRole: 2 },
    },
    'sessions-ended',
    { subject: 'ann', subjectId: 9, count: 3 },
  ],
  [
    'a password that changes',
    { type: 'user-updated', data: { ...ANN, passwordChanged: true }, preData: ANN },
    'password-changed',
    { subject: 'ann', subjectId: 9 },
  ],
  [
    'a reset link',
    { type: 'user-updated', data: { ...ANN, resetLinkMade: true }, preData: ANN },
    'reset-link-made',
    { subject: 'ann', subjectId: 9 },
  ],
  [
    'a user with another root role',
    { type: 'service-account-updated', data: { ...ANN, rootRole: 1 }, preData: ANN },
    'role-changed',
    { subject: 'ann', subjectId: 9, role: 'Admin', roleBefore: 'Editor' },
  ],
  [
    'a user whose e-mail address changes',
    { type: 'user-updated', data: { ...ANN, email: 'a@example.com' }, preData: ANN },
    undefined,
  ],
  ['a change of a flag', { type: 'feature-created', data: { name: 'f' }, preData: null }, undefined],
])('the security log of %s', (_name, event, expected, details) => {
  expect(entries(event)).toEqual(expected === undefined ? [] : [{ event: expected, details }])
})
