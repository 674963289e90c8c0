import { createHash } from 'node:crypto'
import type { User } from '@burgee/protocol/access'
import type { UserRow } from '../../store/access/users.ts'
import { isoOrNull } from '../features/feature-views.ts'

/** A user as the wire shows it: what is unset is left out. `seenAt` is the login before this one. */
export function userView(row: UserRow): User {
  const face = createHash('sha256')
    .update(row.email ?? row.username ?? '')
    .digest('hex')
  return {
    isAPI: false,
    accountType: 'User',
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.username === null ? {} : { username: row.username }),
    ...(row.email === null ? {} : { email: row.email }),
    imageUrl: `https://gravatar.com/avatar/${face}?s=42&d=retro&r=g`,
    seenAt: isoOrNull(row.seen_at),
    loginAttempts: row.login_attempts,
    createdAt: new Date(row.created_at).toISOString(),
    rootRole: row.root_role,
    scimId: null,
    mustChangePassword: row.must_change_password === 1,
  }
}
