import { notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { findProject, type ProjectRow } from '@burgee/storage/queries/projects/projects'

/** Returns a project by id. Also returns archived projects. Throws NotFoundError. */
export async function requireProject(reader: Reader, id: string): Promise<ProjectRow> {
  const row = await findProject(reader, id)
  if (row !== undefined) return row
  throw noProject(id)
}

/** Returns the NotFoundError for a project that does not exist, or that is hidden from the caller. */
export function noProject(id: string): Problem {
  return notFound(`There is no project "${id}".`)
}

/** Returns a project that accepts new flags. Throws NotFoundError, InvalidOperationError for an archived project. */
export async function requireOpenProject(reader: Reader, id: string): Promise<ProjectRow> {
  const row = await requireProject(reader, id)
  if (row.archived_at !== null) throw new Problem('InvalidOperationError', `The project "${id}" is archived.`)
  return row
}
