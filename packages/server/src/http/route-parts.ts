import type { Content } from '@burgee/kit/http/content'
import { Reply } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import Type from 'typebox'
import type { UserRow } from '../store/access/users.ts'
import type { Access } from './access/auth.ts'

/** A reply with nothing in it. */
export const DONE = { 200: { description: 'Done' } } as const

/** Parameters of what is in a project. */
export const ProjectParams = Type.Object({ projectId: Type.String() })

/** One object for all: what follows from headers is remembered by the object that holds them. */
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** A reply with JSON that is made already. Rejects with what making it rejects with. */
export async function jsonReply(status: number, content: Promise<Content>): Promise<Reply> {
  return new Reply(status, await content, JSON_TYPE)
}

/** An id in a path; what is no number is the id of nothing. Throws NotFoundError. */
export function numericId(text: string, what: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw notFound(`There is no ${what} with the id ${text}.`)
}

/** The person who calls. Throws InvalidOperationError for API tokens, which are nobody. */
export function personOf({ actor }: Access): UserRow {
  if (actor.user !== undefined) return actor.user
  throw new Problem('InvalidOperationError', 'Only a person can do this; the request came with an API token.')
}
