import type { Note } from '@burgee/import/model/fidelity'
import type { Installation } from '@burgee/import/model/installation'
import { findDefaultPasswords } from '../../core/access/passwords/default-passwords.ts'

const WORDS = "the password is the other server's well-known default: it must be changed at the first login"

/** Returns notes on users who have the default password of the source server. */
export async function findWeakAccounts({ users, roles }: Pick<Installation, 'users' | 'roles'>): Promise<Note[]> {
  const admins = new Set(roles.filter(({ name, scope }) => scope === 'root' && name === 'Admin').map(({ id }) => id))
  const accounts = users.flatMap(({ id, username, email, name, password, rootRole, isService }) =>
    password.kind === 'bcrypt' && !isService
      ? [
          {
            name: username ?? email ?? name ?? `user ${id}`,
            hash: password.hash,
            isAdmin: rootRole !== undefined && admins.has(rootRole),
          },
        ]
      : [],
  )
  const { names, uncompared } = await findDefaultPasswords(accounts)
  const notes = names.map((name): Note => ({ kind: 'user', name, fidelity: 'exact', words: WORDS }))
  if (uncompared === 0) return notes
  const words =
    "not compared with the other server's default password; a weak password must be changed at the first login"
  return [...notes, { kind: 'user', name: `${uncompared} more`, fidelity: 'exact', words }]
}
