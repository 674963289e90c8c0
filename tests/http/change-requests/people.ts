import { addSession, type TestServer } from '../scenario.ts'

/** Participants in a change request. */
export type Person = 'author' | 'first' | 'second' | 'member'

/** Users in the project `default`: the headers of their sessions, and their ids. */
export interface People {
  readonly as: Readonly<Record<Person, { readonly headers: { readonly cookie: string } }>>
  readonly ids: Readonly<Record<Person, number>>
}

const OWNER = 4
const MEMBER = 5

/** Adds an author and a member, who may propose changes, and two owners, who may approve and apply them. */
export async function addPeople({ db }: TestServer): Promise<People> {
  const roles: readonly [Person, number][] = [
    ['author', MEMBER],
    ['first', OWNER],
    ['second', OWNER],
    ['member', MEMBER],
  ]
  const people = await Promise.all(
    roles.map(async ([name, role]) => {
      const made = await db.row(
        "insert into users (username, password_hash, root_role, created_at) values (?, '', 3, ?) returning id",
        name,
        Date.now(),
      )
      const id = Number(made?.id)
      await addSession(db, name, id, Date.now())
      await db.rows("insert into project_members (project, user_id, role_id) values ('default', ?, ?)", id, role)
      return [name, id] as const
    }),
  )
  const names = people.map(([name]) => [name, { headers: { cookie: `burgee-session=${name}-session` } }] as const)
  return { as: Object.fromEntries(names), ids: Object.fromEntries(people) } as unknown as People
}
