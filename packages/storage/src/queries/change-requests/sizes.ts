import { sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'

/**
 * Returns the total length of payloads and comments for each change request, by request id. Change requests that have
 * neither payloads nor comments are omitted.
 */
export async function countCharacters(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  const add = (rows: readonly { request_id: number; characters: number | string }[]) => {
    for (const { request_id: id, characters } of rows) found.set(id, (found.get(id) ?? 0) + Number(characters))
  }
  for (const part of chunks(ids)) {
    const payloads = reader
      .selectFrom('change_request_changes')
      .select(['request_id', sql<number | string>`sum(length(cast(payload as text)))`.as('characters')])
    const comments = reader
      .selectFrom('change_request_comments')
      .select(['request_id', sql<number | string>`sum(length(text))`.as('characters')])
    add(await payloads.where('request_id', 'in', part).groupBy('request_id').execute())
    add(await comments.where('request_id', 'in', part).groupBy('request_id').execute())
  }
  return found
}
