import type { Change } from '../../core/execute.ts'
import type { ImportContext, ImportOrder, ImportReport } from './import-order.ts'
import { ImportSummary } from './import-summary.ts'
import {
  clearTarget,
  deleteImportRecord,
  findEarlierImport,
  requireTarget,
  restoreTargetTokens,
  storeImportRecord,
} from './import-target.ts'
import { writeFlags } from './write-flags.ts'
import { writeEvents, writeUsage } from './write-history.ts'
import { writeDefaultStrategies, writeNames, writeProjects, writeSegments } from './write-material.ts'
import { writePeople } from './write-people.ts'
import { writeSurroundings } from './write-surroundings.ts'
import { writeAccess } from './write-tokens.ts'

/** Thrown at the end of a trial import to roll back everything that it wrote. */
export class TrialRollback extends Error {
  override readonly name = 'TrialRollback'
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('Nothing was imported: this was a dry run')
    this.report = report
  }
}

const INSTANCE_ID = 'instanceId'

/**
 * Imports an installation, either completely or not at all, with a single event that contains the counts. Throws
 * InvalidOperationError if the target does not fit the mode, TrialRollback at the end of a trial, and the errors of the
 * source.
 */
export const importInstallation: Change<ImportOrder, ImportReport> = async (tx, order, moment) => {
  const { installation, mode } = order
  await requireTarget(tx, mode, installation.origin)
  const earlier = mode === 'update' ? await findEarlierImport(tx) : undefined
  const own = await clearTarget(tx, mode, installation.users.length > 0)
  const tally = new ImportSummary(installation.notes)
  const maps = { roles: new Map(), users: new Map(), matched: new Map(), segments: new Map() }
  const writing: ImportContext = { tx, moment, order, installation, tally, ...maps }
  const projects = await writeProjects(writing)
  await restoreTargetTokens(tx, own)
  await writeNames(writing)
  await writeSegments(writing)
  await writeDefaultStrategies(writing, projects)
  await writePeople(writing)
  await writeFlags(writing, projects)
  await writeAccess(writing)
  await writeUsage(writing)
  await writeEvents(writing, earlier?.lastEventId)
  await writeSurroundings(writing)
  // after a merge, the database contains data that no import wrote, and an update must not remove that data
  if (mode === 'merge') await deleteImportRecord(tx)
  else await storeImportRecord(tx, installation.origin, own.ids)
  await keepInstanceId(writing)
  await order.renewEpoch(tx)
  const report = { counts: tally.counts(), notes: tally.notes }
  if (order.isTrial) throw new TrialRollback(report)
  const counts = Object.fromEntries(report.counts.map(({ kind, imported }) => [kind, imported]))
  const { name: source, place } = installation.origin
  return { result: report, events: [{ type: 'instance-imported', data: { source, place, mode, counts } }] }
}

/**
 * Keeps the id of the imported installation. If the import contains users, the first administrator is not created; a
 * note is added if no imported administrator has a password.
 */
async function keepInstanceId({ tx, installation, order, moment, users, tally }: ImportContext): Promise<void> {
  if (order.mode === 'merge' || users.size === 0) return
  const value = installation.origin.instanceId ?? moment.newId()
  await tx.deleteFrom('settings').where('name', '=', INSTANCE_ID).execute()
  await tx.insertInto('settings').values({ name: INSTANCE_ID, value }).execute()
  const { id } = (await tx.selectFrom('roles').select('id').where('name', '=', 'Admin').executeTakeFirst()) ?? { id: 1 }
  const admin = await tx
    .selectFrom('users')
    .select('id')
    .where('root_role', '=', id)
    .where('password_hash', '!=', '')
    .limit(1)
    .executeTakeFirst()
  if (admin !== undefined) return
  const words = 'no administrator has a password: set one with burgee reset-password NAME'
  tally.addNote('user', 'administrators', 'approximated', words)
}
