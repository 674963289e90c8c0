import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Grant } from '@burgee/protocol/grant'
import { assignmentsOf } from '../../../store/access/assignments.ts'
import type { UserRow } from '../../../store/access/users.ts'
import type { Reader } from '../../../store/database.ts'
import type { World } from '../../world.ts'
import { grantsOf, type Roles, readRoles } from './grants.ts'

/** What people may do, without a question to the database each time. */
export interface PeopleRights {
  /** Rights of a person by all their roles. Throws what the database throws. */
  of(user: Pick<UserRow, 'id' | 'root_role'>): Promise<readonly Grant[]>
}

interface Answers {
  /** By person and root role. */
  readonly grants: BoundedCache<readonly Grant[]>
  roles: Promise<Roles> | undefined
  /** Questions on their way. */
  readonly asked: Map<string, Promise<readonly Grant[]>>
}

const MOST = { entries: 10_000, bytes: 32 * 1024 * 1024 }
const BYTES_OF_A_GRANT = 80

/** Beginnings of types of events after which somebody may have other rights. */
const ABOUT_RIGHTS = ['role-', 'group-', 'project-', 'environment-', 'user-', 'service-account-', 'instance-']

/**
 * Keeps answers until something changes that rights follow from: from the publication of that change on, which comes
 * before its reply, the rights are the new ones, on other nodes as soon as these hear of it. Callers who ask for the same
 * at once share one question.
 */
export function createPeopleRights({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): PeopleRights {
  let answers = noAnswers()
  const forget = () => {
    answers = noAnswers()
  }
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => ABOUT_RIGHTS.some((beginning) => type.startsWith(beginning)))) forget()
  }, forget)
  const ask = async (user: Pick<UserRow, 'id' | 'root_role'>, key: string, into: Answers) => {
    try {
      into.roles ??= db.view(readRoles)
      const roles = await into.roles.catch((error: unknown) => {
        into.roles = undefined
        throw error
      })
      const grants = grantsOf(user.root_role, await assignmentsOf(db.reader, user.id), roles)
      into.grants.set(key, grants)
      into.grants.resize(key, grants, grants.length * BYTES_OF_A_GRANT)
      return grants
    } finally {
      into.asked.delete(key)
    }
  }
  return {
    async of(user) {
      // answered into the maps of before the question: a change during it has thrown those away
      const current = answers
      const key = `${user.id} ${user.root_role}`
      const known = current.grants.get(key)
      if (known !== undefined) return known
      const asking = current.asked.get(key) ?? ask(user, key, current)
      current.asked.set(key, asking)
      return asking
    },
  }
}

/** The same without memory, inside a change or on one state. */
export async function rightsOf(reader: Reader, user: Pick<UserRow, 'id' | 'root_role'>): Promise<readonly Grant[]> {
  return grantsOf(user.root_role, await assignmentsOf(reader, user.id), await readRoles(reader))
}

function noAnswers(): Answers {
  return { grants: new BoundedCache(MOST), roles: undefined, asked: new Map() }
}
