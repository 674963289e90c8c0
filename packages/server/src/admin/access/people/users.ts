import type { User } from '@burgee/protocol/access'
import type { Person } from '@burgee/protocol/project-access'
import type { UserRow } from '@burgee/storage/queries/access/users'
import { getAvatarUrl } from '../../../core/avatars.ts'
import { isoOrNull } from '../../../core/iso-time.ts'

/** Returns a user in the wire format, without unset fields. `seenAt` is the time of the previous login. */
export function toUser(row: UserRow): User {
  return {
    isAPI: false,
    accountType: row.is_service === 1 ? 'Service Account' : 'User',
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.username === null ? {} : { username: row.username }),
    ...(row.email === null ? {} : { email: row.email }),
    imageUrl: row.image_url ?? getAvatarUrl(row.email ?? row.username ?? ''),
    seenAt: isoOrNull(row.seen_at),
    loginAttempts: row.login_attempts,
    createdAt: new Date(row.created_at).toISOString(),
    rootRole: row.root_role,
    scimId: row.scim_id,
    mustChangePassword: row.must_change_password === 1,
    active: row.active === 1,
  }
}

/** Returns a person as shown to other users. */
export function toPerson(row: UserRow): Person {
  const { id, name, username, email, imageUrl, active } = toUser(row)
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    imageUrl,
    active,
  }
}
