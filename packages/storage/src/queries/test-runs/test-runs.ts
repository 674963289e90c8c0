import type { FlagOverride } from '@burgee/protocol/administration/test-run'
import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import { BATCH_ROWS } from '../retention/deletion-batch.ts'

/** Stored test run. */
export type TestRunRow = Selectable<Schema['test_runs']>

/** Returns a run, which may have expired; undefined if there is none. */
export function findTestRun(reader: Reader, id: string): Promise<TestRunRow | undefined> {
  return reader.selectFrom('test_runs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Lists the runs of a project that have not expired, newest first. */
export function listTestRuns(reader: Reader, project: string, now: number): Promise<TestRunRow[]> {
  return reader
    .selectFrom('test_runs')
    .selectAll()
    .where('project', '=', project)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Counts the runs of a project, and of the installation. Includes expired runs that still have a row. */
export async function countTestRuns(
  reader: Reader,
  project: string,
): Promise<{ readonly project: number; readonly all: number }> {
  const row = await reader
    .selectFrom('test_runs')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('project', '=', project).as('project'),
    ])
    .executeTakeFirst()
  return { project: Number(row?.project ?? 0), all: Number(row?.all ?? 0) }
}

/** Inserts a run. */
export async function insertTestRun(tx: Tx, { overrides, ...row }: TestRunRow): Promise<void> {
  await tx
    .insertInto('test_runs')
    .values({ ...row, overrides: JSON.stringify(overrides) })
    .execute()
}

/** Replaces the overrides of a run, and sets the next version. */
export async function updateTestRun(
  tx: Tx,
  { id, version }: Pick<TestRunRow, 'id' | 'version'>,
  overrides: Readonly<Record<string, FlagOverride>>,
): Promise<void> {
  await tx
    .updateTable('test_runs')
    .set({ overrides: JSON.stringify(overrides), version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Deletes a run. */
export async function deleteTestRun(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('test_runs').where('id', '=', id).execute()
}

/** Deletes the runs of a project. */
export async function deleteTestRunsOfProject(tx: Tx, project: string): Promise<void> {
  await tx.deleteFrom('test_runs').where('project', '=', project).execute()
}

/** Deletes a batch of runs that expired before a time. Returns true if more are possibly left. */
export async function removeExpiredTestRuns(tx: Tx, before: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('test_runs')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('test_runs').select('id').where('expires_at', '<=', before).limit(BATCH_ROWS),
    )
    .executeTakeFirst()
  return numDeletedRows === BigInt(BATCH_ROWS)
}

/** Scope, hashes and expiry of the tokens of a run. */
export type RunTokensRow = Pick<
  TestRunRow,
  'id' | 'project' | 'environment' | 'client_hash' | 'frontend_hash' | 'expires_at'
>

/** Reads the tokens of all runs. */
export function listRunTokens(reader: Reader): Promise<RunTokensRow[]> {
  return reader
    .selectFrom('test_runs')
    .select(['id', 'project', 'environment', 'client_hash', 'frontend_hash', 'expires_at'])
    .execute()
}
