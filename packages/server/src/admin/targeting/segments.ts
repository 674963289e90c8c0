import { invalid, notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { AdminSegment, SegmentInput } from '@burgee/protocol/targeting/segment'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listDefaultStrategies } from '@burgee/storage/queries/projects/environments'
import { listMilestoneSegmentUses, type MilestoneSegmentUse } from '@burgee/storage/queries/releases/release-plans'
import { findSegment, listSegments, listSegmentUses, type SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { type CallerVisibility, getNameFor } from '../../core/access/rights/hidden-projects.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { checkConstraints } from './constraints.ts'

/** Lists all visible segments with their usage. */
export async function readSegmentList(reader: Reader, hidden: readonly string[] = []): Promise<AdminSegment[]> {
  const rows = (await listSegments(reader)).filter((row) => isSegmentVisible(row, hidden))
  const uses = Map.groupBy(await listSegmentUses(reader), (use) => use.segment)
  return rows.map((row) => toAdminSegment(row, uses.get(row.id) ?? []))
}

/** Converts a segment to its admin API form. */
export function toAdminSegment(
  row: SegmentRow,
  uses: readonly { readonly feature: string; readonly project: string }[] = [],
): AdminSegment {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    project: row.project,
    constraints: row.constraints,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at).toISOString(),
    usedInProjects: new Set(uses.map((use) => use.project)).size,
    usedInFeatures: new Set(uses.map((use) => use.feature)).size,
  }
}

/** Returns true if the segment belongs to none of the hidden projects. */
export function isSegmentVisible({ project }: Pick<SegmentRow, 'project'>, hidden: readonly string[]): boolean {
  return project === null || !hidden.includes(project)
}

/** Returns a segment by id, unless its project is hidden. Throws NotFoundError. */
export async function requireSegment(reader: Reader, id: number, hidden: readonly string[] = []): Promise<SegmentRow> {
  const row = await findSegment(reader, id)
  if (row !== undefined && isSegmentVisible(row, hidden)) return row
  throw notFound(`There is no segment with the id ${id}.`)
}

/** Creates a segment. Throws ValidationError for an unknown project or invalid constraints, NameExistsError. */
export const createSegment: Change<SegmentInput, SegmentRow> = async (tx, body, context) => {
  const { author, now } = context
  await requireFreeSegmentName(tx, body.name)
  await requireExistingProject(tx, getProject(body))
  const { constraints, ...row } = {
    ...toColumns(body, context),
    created_by: author.name,
    created_at: now,
  }
  const { id } = await tx
    .insertInto('segments')
    .values({ ...row, constraints: JSON.stringify(constraints) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const segment = { id, constraints, ...row }
  return { result: segment, events: [buildSegmentEvent('segment-created', segment, { data: toState(segment) })] }
}

/** New state of a segment. `allowEmpty` is the client's confirmation that a segment in use may lose all constraints. */
export interface SegmentReplacement extends CallerVisibility {
  readonly id: number
  readonly body: SegmentInput
  readonly allowEmpty?: boolean | undefined
}

/**
 * Replaces name and constraints of a segment; omitted description and project keep their value, and no event is created
 * if nothing changes. Throws NotFoundError, ValidationError, NameExistsError, and ConflictError if a segment in use
 * would lose all constraints and `allowEmpty` is not set, because the segment would match everyone.
 */
export const replaceSegment: Change<SegmentReplacement, void> = async (
  tx,
  { id, body, hidden, allowEmpty = false },
  context,
) => {
  const before = await requireSegment(tx, id)
  if (body.name !== before.name) await requireFreeSegmentName(tx, body.name)
  const after = { ...before, ...toColumns(body, context, before) }
  await requireExistingProject(tx, after.project)
  const states = { data: toState(after), preData: toState(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: undefined, events: [] }
  await rejectForeignUse(tx, after, hidden)
  if (!allowEmpty && after.constraints.length === 0 && before.constraints.length > 0) {
    await rejectEmptyInUse(tx, id, hidden)
  }
  const { name, description, project } = after
  await tx
    .updateTable('segments')
    .set({ name, description, project, constraints: JSON.stringify(after.constraints) })
    .where('id', '=', id)
    .execute()
  return { result: undefined, events: [buildSegmentEvent('segment-updated', after, states)] }
}

/** Deletes an unused segment. Throws NotFoundError, ConflictError. */
export const removeSegment: Change<{ id: number } & CallerVisibility, void> = async (tx, { id, hidden }) => {
  const before = await requireSegment(tx, id)
  const [use] = await listSegmentUses(tx, id)
  if (use !== undefined) throw createInUse(getNameFor(hidden, use.project, `the flag "${use.feature}"`))
  const place = (await listDefaultStrategies(tx)).find(({ strategy }) => strategy.segments?.includes(id))
  if (place !== undefined) {
    const where = `project "${place.project}", environment "${place.environment}"`
    throw createInUse(getNameFor(hidden, place.project, `the default strategy of ${where}`))
  }
  const [milestone] = await listMilestoneSegmentUses(tx, id)
  if (milestone !== undefined) throw createInUse(nameMilestoneUse(hidden, milestone))
  await tx.deleteFrom('segments').where('id', '=', id).execute()
  const event = buildSegmentEvent('segment-deleted', before, { preData: toState(before) })
  return { result: undefined, events: [event] }
}

/** Returns the text that names a release plan or template, leaving out the names of hidden projects. */
function nameMilestoneUse(hidden: readonly string[] | undefined, { kind, name, project }: MilestoneSegmentUse): string {
  if (project === null || kind === 'template') return `the release template "${name}"`
  return getNameFor(hidden, project, `the release plan of the flag "${name}"`)
}

const MAX_NAMED_USES = 10

/**
 * Throws ConflictError if the segment is in use: without its constraints, every flag that the segment restricts would
 * be on for more users.
 */
async function rejectEmptyInUse(tx: Tx, id: number, hidden: readonly string[] | undefined): Promise<void> {
  const uses = await listSegmentUses(tx, id)
  const places = (await listDefaultStrategies(tx)).filter(({ strategy }) => strategy.segments?.includes(id))
  const milestones = await listMilestoneSegmentUses(tx, id)
  const users = [
    ...milestones.map((use) => nameMilestoneUse(hidden, use)),
    ...uses.map(({ project, feature }) => getNameFor(hidden, project, `the flag "${feature}"`)),
    ...places.map(({ project, environment }) =>
      getNameFor(hidden, project, `the default strategy of project "${project}", environment "${environment}"`),
    ),
  ]
  if (users.length === 0) return
  const named = [...new Set(users)].slice(0, MAX_NAMED_USES).join(', ')
  const more = users.length > MAX_NAMED_USES ? ` and ${users.length - MAX_NAMED_USES} more` : ''
  throw new Problem(
    'ConflictError',
    `Without constraints the segment would match every user where it is used: ${named}${more}. ` +
      'Send allowEmpty=true to confirm.',
  )
}

function createInUse(by: string): Problem {
  return new Problem('ConflictError', `The segment is in use, by ${by}.`)
}

/** Returns the project of a segment, which defaults to `before`; null means all projects. */
export function getProject({ project }: SegmentInput, before: string | null = null): string | null {
  return project === undefined ? before : project
}

/** Converts a request body to the columns of a segment; omitted properties keep the value of `before`. */
function toColumns(
  body: SegmentInput,
  { resourceLimits: { segmentValues: most } }: ChangeContext,
  before?: SegmentRow,
) {
  const { description = before?.description ?? null } = body
  return {
    name: body.name,
    description,
    project: getProject(body, before?.project),
    constraints: checkConstraints(body.constraints, {
      ...(most === undefined ? {} : { max: most, isTotalLimit: true }),
      stored: before?.constraints,
    }),
  }
}

function toState({ id, name, description, project, constraints, created_by, created_at }: SegmentRow) {
  const made = { createdBy: created_by, createdAt: new Date(created_at).toISOString() }
  return { id, name, description, project, constraints, ...made }
}

/** Throws NameExistsError if a segment has this name. */
export async function requireFreeSegmentName(reader: Reader, name: string): Promise<void> {
  const taken = await reader.selectFrom('segments').select('id').where('name', '=', name).executeTakeFirst()
  if (taken !== undefined) throw new Problem('NameExistsError', `There is already a segment named "${name}".`)
}

async function requireExistingProject(tx: Tx, project: string | null): Promise<void> {
  if (project === null) return
  const known = await tx.selectFrom('projects').select('id').where('id', '=', project).executeTakeFirst()
  if (known === undefined) throw invalid(`There is no project "${project}".`, 'body/project')
}

/** Throws an error if a segment would be limited to one project although flags of other projects use it. */
async function rejectForeignUse(tx: Tx, { id, project }: SegmentRow, hidden?: readonly string[]): Promise<void> {
  if (project === null) return
  const foreign = (await listSegmentUses(tx, id)).find((use) => use.project !== project)
  if (foreign === undefined) return
  const user = getNameFor(hidden, foreign.project, `The flag "${foreign.feature}" of another project`)
  throw invalid(`${user} uses the segment.`, 'body/project')
}

function buildSegmentEvent(
  type: 'segment-created' | 'segment-updated' | 'segment-deleted',
  { project }: SegmentRow,
  states: { data?: unknown; preData?: unknown },
): NewEvent {
  return { type, project: project ?? undefined, ...states }
}
