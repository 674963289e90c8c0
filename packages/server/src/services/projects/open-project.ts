import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../../store/database.ts'
import { type ProjectRow, projectById } from '../../store/projects/projects.ts'
import { notFound } from '../refusals.ts'

/** A project that takes flags. Throws NotFoundError, InvalidOperationError for an archived one. */
export async function requireOpenProject(reader: Reader, id: string): Promise<ProjectRow> {
  const row = await projectById(reader, id)
  if (row === undefined) throw notFound(`There is no project "${id}".`)
  if (row.archived_at !== null) throw new Problem('InvalidOperationError', `The project "${id}" is archived.`)
  return row
}
