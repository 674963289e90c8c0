import { invalid, notFound } from '@burgee/kit/input/refusals'
import {
  TEST_RUN_LIMITS,
  type TestRunInput,
  type TestRunState,
  type TestRunUpdate,
} from '@burgee/protocol/administration/test-run'
import { Problem } from '@burgee/protocol/problem'
import { formatRunEnvironment } from '@burgee/serving/document/run-environment'
import { mergeOverrides } from '@burgee/serving/test-runs/merged-overrides'
import { requireOverridable } from '@burgee/serving/test-runs/overridable-flags'
import type { Reader, Tx } from '@burgee/storage/database'
import { hasEnvironment } from '@burgee/storage/queries/projects/environments'
import {
  countTestRuns,
  deleteTestRun,
  findTestRun,
  insertTestRun,
  listTestRuns,
  removeExpiredTestRuns,
  type TestRunRow,
  updateTestRun,
} from '@burgee/storage/queries/test-runs/test-runs'
import { type Actor, hasPermission, requirePermission } from '../../core/access/rights/rights.ts'
import { createSecret, hashSecret } from '../../core/access/tokens/tokens.ts'
import { type Change, type ChangeContext, execute } from '../../core/execute.ts'
import type { HttpWorld } from '../../core/http/route.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import { isRunId } from '../../delivery/test-runs/test-run.ts'

/** Permission to start, change and end test runs, which roles can limit to environments. */
export const TEST_RUN_PERMISSION = 'MANAGE_TEST_RUNS'
const ID_BYTES = 12
const MINUTE_MS = 60_000
const ENDED = 'There is no such test run, or it has ended.'
const CHANGED = 'The test run has another version: read it again, then make your change.'

/** Run in a project, according to the path of the request. */
interface RunRef {
  readonly project: string
  readonly id: string
}

/** Input of a new run, with its id, the hashes of its tokens, and only overrides that are set. */
type NewRun = Omit<TestRunInput, 'overrides'> & RunRef & Pick<TestRunRow, 'overrides' | 'client_hash' | 'frontend_hash'>

/**
 * Starts a test run. Throws NotFoundError, InvalidOperationError, NoAccessError, ValidationError, and RateLimitError if
 * there are too many runs.
 */
export async function startTestRun(world: HttpWorld, actor: Actor, project: string, input: TestRunInput) {
  const { environment, overrides } = input
  requirePermission(actor, TEST_RUN_PERMISSION, { project, environment })
  // a document is read only for an environment that exists
  await world.db.view((reader) => requireRunScope(reader, { project, environment }))
  requireOverridable(await world.documents.get(environment), project, overrides)
  const id = Buffer.from(world.random(ID_BYTES)).toString('hex')
  const createToken = () => createSecret(world.random, [project], formatRunEnvironment(environment, id))
  const tokens = { clientToken: createToken(), frontendToken: createToken() }
  const hashes = { client_hash: hashSecret(tokens.clientToken), frontend_hash: hashSecret(tokens.frontendToken) }
  const set = mergeOverrides({}, overrides).overrides
  const run = await execute(world, actor, addRun, { ...input, ...hashes, overrides: set, id, project })
  return { ...toRunState(run), ...tokens }
}

/** Inserts a run. The run and its event are committed together. */
const addRun: Change<NewRun, TestRunRow> = async (tx, { minutes, ...input }, context) => {
  await requireRunScope(tx, input)
  await requireRoom(tx, input.project, context)
  const { now, author } = context
  const run = { ...input, version: 1, created_by: author.name, created_at: now, expires_at: now + minutes * MINUTE_MS }
  await insertTestRun(tx, run)
  const { project, environment, id, name, overrides } = run
  const data = { id, name, overrides, expiresAt: new Date(run.expires_at).toISOString() }
  const stores = JSON.stringify(overrides).length
  return { result: run, stores, events: [{ type: 'test-run-created', project, environment, data }] }
}

/**
 * Changes overrides of a run. Throws NotFoundError, NoAccessError, ValidationError, and ConflictError if the run has
 * another version than the caller has seen.
 */
export async function changeTestRun(
  world: HttpWorld,
  actor: Actor,
  ref: RunRef,
  update: TestRunUpdate,
): Promise<TestRunState> {
  const { project, environment } = await requireTestRun(world, actor, ref)
  requireOverridable(await world.documents.get(environment), project, update.overrides)
  return toRunState(await execute(world, actor, overrideFlags, { ...ref, ...update }))
}

/** Merges overrides into those of a run. Concurrent changes are merged one after the other. */
const overrideFlags: Change<RunRef & TestRunUpdate, TestRunRow> = async (tx, { id, project, ...update }, { now }) => {
  const run = await requireRow(tx, { id, project }, now)
  if (update.version !== undefined && update.version !== run.version) throw new Problem('ConflictError', CHANGED)
  const { overrides, before, after } = mergeOverrides(run.overrides, update.overrides)
  if (Object.keys(after).length === 0) return { result: run, events: [] }
  if (Object.keys(overrides).length > TEST_RUN_LIMITS.overrides) {
    throw invalid(`A test run has at most ${TEST_RUN_LIMITS.overrides} overrides.`, 'body/overrides')
  }
  await updateTestRun(tx, run, overrides)
  const states = { data: { id, overrides: after }, preData: { id, overrides: before } }
  return {
    result: { ...run, overrides, version: run.version + 1 },
    stores: JSON.stringify(after).length,
    events: [{ type: 'test-run-updated', project, environment: run.environment, ...states }],
  }
}

/** Ends a run. Throws NotFoundError and NoAccessError. */
export async function endTestRun(world: HttpWorld, actor: Actor, ref: RunRef): Promise<void> {
  await requireTestRun(world, actor, ref)
  await execute(world, actor, removeRun, ref)
}

const removeRun: Change<RunRef, void> = async (tx, ref, { now }) => {
  const { id, name, overrides, project, environment } = await requireRow(tx, ref, now)
  await deleteTestRun(tx, id)
  const event = { type: 'test-run-deleted', project, environment, preData: { id, name, overrides } } as const
  return { result: undefined, endsAccess: true, events: [event] }
}

/** Lists the runs of a project in the environments in which the actor may manage runs. */
export async function listRunsOfProject({ db, clock }: HttpWorld, actor: Actor, project: string) {
  const rows = await db.view(async (reader) => {
    await requireOpenProject(reader, project)
    return listTestRuns(reader, project, clock())
  })
  return rows.filter((row) => hasPermission(actor, TEST_RUN_PERMISSION, row)).map(toRunState)
}

/** Throws unless the actor may manage a run of the project that has not ended. */
async function requireTestRun({ testRuns }: HttpWorld, actor: Actor, { project, id }: RunRef): Promise<TestRunRow> {
  const run = isRunId(id) ? await testRuns.find(id) : undefined
  if (run?.project !== project) throw notFound(ENDED)
  requirePermission(actor, TEST_RUN_PERMISSION, run)
  return run
}

async function requireRow(reader: Reader, { project, id }: RunRef, now: number): Promise<TestRunRow> {
  const run = await findTestRun(reader, id)
  if (run?.project !== project || run.expires_at <= now) throw notFound(ENDED)
  return run
}

async function requireRunScope(
  reader: Reader,
  { project, environment }: Pick<TestRunRow, 'project' | 'environment'>,
): Promise<void> {
  await requireOpenProject(reader, project)
  if (await hasEnvironment(reader, { project, environment })) return
  throw invalid(`The project "${project}" has no environment "${environment}".`, 'body/environment')
}

/** Throws RateLimitError if the project or the installation must not get another run. */
async function requireRoom(tx: Tx, project: string, { now, resourceLimits }: ChangeContext): Promise<void> {
  await removeExpiredTestRuns(tx, now)
  const count = await countTestRuns(tx, project)
  if (count.project >= resourceLimits.projectTestRuns)
    throw createFull('This project', 'PROJECT_TEST_RUNS_LIMIT', count.project)
  if (count.all >= resourceLimits.testRuns) throw createFull('The installation', 'TEST_RUNS_LIMIT', count.all)
}

function createFull(what: string, option: string, count: number): Problem {
  const message = `${what} has ${count} test runs, the maximum (${option}): end one, or wait until one expires.`
  return new Problem('RateLimitError', message)
}

/** Returns the state of a run, without its tokens. */
function toRunState(run: TestRunRow): TestRunState {
  const { id, name, environment, overrides, version } = run
  return {
    id,
    name,
    environment,
    overrides,
    version,
    createdBy: run.created_by,
    createdAt: new Date(run.created_at).toISOString(),
    expiresAt: new Date(run.expires_at).toISOString(),
  }
}
