import type { Content } from '@burgee/kit/http/content'
import { Reply } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import { parseRowId } from '@burgee/protocol/row-id'
import type { UserRow } from '@burgee/storage/queries/access/users'
import Type from 'typebox'
import type { Access } from '../access/access.ts'

/** Description for replies that have no body. */
export const DONE = { 200: { description: 'Done' } } as const

/** Path parameters that name a project. */
export const ProjectParams = Type.Object({ projectId: Type.String() })

/**
 * Headers for JSON replies. All replies share this object, because values derived from headers are cached per object.
 */
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Creates a reply from serialized JSON. The reply rejects if the promise `content` rejects. */
export async function jsonReply(status: number, content: Promise<Content>): Promise<Reply> {
  return new Reply(status, await content, JSON_TYPE)
}

/** Parses an id in a path. Throws NotFoundError if the id is not a number in its canonical decimal form. */
export function parseId(text: string, what: string): number {
  const id = parseRowId(text)
  if (id !== undefined) return id
  throw notFound(`There is no ${what} with the id ${text}.`)
}

/** Returns the user who sent the request. Throws InvalidOperationError for API tokens. */
export function requirePerson({ actor }: Access): UserRow {
  if (actor.user !== undefined) return actor.user
  throw new Problem('InvalidOperationError', 'Only users can do this; the request used an API token.')
}
