import type { Group, GroupInput } from '@burgee/protocol/administration/group'
import { call, path } from '../http.ts'

const GROUPS = '/api/admin/groups'

/** All groups with their members, by name. */
export const groups = async () =>
  (await call<{ groups: Group[] }>('GET', GROUPS)).groups.sort((a, b) => a.name.localeCompare(b.name))

/** One group with its members. */
export const group = (id: number) => call<Group>('GET', `${GROUPS}${path(id)}`)

/** Makes a group. */
export const createGroup = (body: GroupInput) => call<Group>('POST', GROUPS, body)

/** Changes a group; the members are exactly those that are named. */
export const updateGroup = (id: number, body: GroupInput) => call<Group>('PUT', `${GROUPS}${path(id)}`, body)

/** Removes a group, and with it what its members had by it. */
export const removeGroup = (id: number) => call<void>('DELETE', `${GROUPS}${path(id)}`)
