import { createHash } from 'node:crypto'
import { compareText } from '@burgee/kit/compare-text'
import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import type {
  ConfigFileContent,
  ConfigFileKind,
  ContextFieldFile,
  FlagFile,
  ReleaseTemplateFile,
  SegmentFile,
} from '@burgee/protocol/administration/config-files'
import type { ConfigFile, KeptObject } from '@burgee/protocol/administration/config-plan'
import type { Reader } from '@burgee/storage/database'
import { listFeaturesByName } from '@burgee/storage/queries/flags/features'
import { findConfigRevision } from '@burgee/storage/queries/transfer/config-reads'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { checkParents } from './check-parents.ts'
import { toContextFieldFile, toFlagFile, toSegmentFile, toTemplateFile } from './config-contents.ts'
import { ConfigMistakes, fixedPlace } from './config-mistakes.ts'
import { ConfigReferences } from './config-references.ts'
import { type ConfigStep, PHASES } from './config-steps.ts'
import { type ParsedFile, parseConfigFile } from './parse-config-file.ts'
import { planFlag } from './plan-flag.ts'
import { type DescribedObjects, planArchives, planSegmentPrune } from './plan-prune.ts'
import { type Planning, planContextField, planSegment, planTemplate } from './plan-shared.ts'
import { type ProjectConfig, readProjectConfig } from './project-config.ts'
import { listGuards } from './step-reviews.ts'
import type { DescribedObject } from './store-origins.ts'
import { writeConfigYaml } from './write-config-yaml.ts'

/** Files from which a plan is made, and its options. */
export interface PlanOrder {
  readonly actor: Actor
  readonly project: string
  readonly files: readonly ConfigFile[]
  readonly prune: boolean
  /** Environment to which the plan is limited; undefined for all environments. */
  readonly environment: string | undefined
  /** Parsed files, keyed by content, so that applying the plan does not parse them again. */
  readonly parsed: Map<string, ParsedFile>
  /** Lets other requests run between two files. */
  readonly budget: EventLoopBudget
}

/** Steps of a plan in execution order, and the hash of the plan. */
export interface StepPlan {
  readonly hash: string
  readonly revision: number
  readonly steps: readonly ConfigStep[]
  readonly kept: readonly KeptObject[]
  /** Protected environments in which the actor needs a change request. */
  readonly guarded: readonly string[]
  /** Objects that the files describe. */
  readonly objects: readonly DescribedObject[]
  /** State of the project on which the plan is based. */
  readonly config: ProjectConfig
}

/**
 * Plans the changes that bring a project to the state that the files describe. Changes nothing. Throws ValidationError,
 * which lists the mistakes in the files.
 */
export async function planConfig(reader: Reader, order: PlanOrder): Promise<StepPlan> {
  const revision = await findConfigRevision(reader, order.project)
  const config = await readProjectConfig(reader, order.project, order.actor.hidden)
  const guarded = await listGuards(reader, order.actor, order.project)
  const mistakes = new ConfigMistakes()
  const { described, objects, files } = await readFiles(order, config, mistakes)
  await mistakes.require(order.budget)
  const references = new ConfigReferences(config, mistakes)
  const planning: Planning = { config, mistakes, references, guarded, environment: order.environment }
  const steps = [
    ...(await planFiles(planning, files, order.budget)),
    ...(order.prune ? planArchives(config, described) : []),
  ]
  await checkNames(reader, order.actor, { ...planning, files: ofKind<FlagFile>(files, 'Flag') })
  checkParents(planning, described, order.prune)
  await mistakes.require(order.budget)
  const segments = order.prune ? await planSegmentPrune(reader, config, described) : { steps: [], kept: [] }
  const all = selectSteps([...steps, ...segments.steps], order.environment)
  const hash = await hashPlan(order, { revision, steps: all })
  return { hash, revision, steps: all, kept: segments.kept, guarded, objects, config }
}

/**
 * Plans the changes for each file, and pauses between files for other requests. Flags come last, because they refer to
 * the other objects.
 */
async function planFiles(
  planning: Planning,
  files: readonly ParsedFile[],
  budget: EventLoopBudget,
): Promise<ConfigStep[]> {
  const plans: readonly (() => readonly ConfigStep[])[] = [
    ...ofKind<ContextFieldFile>(files, 'ContextField').map((file) => () => planContextField(planning, file)),
    ...ofKind<SegmentFile>(files, 'Segment').map((file) => () => planSegment(planning, file)),
    ...ofKind<ReleaseTemplateFile>(files, 'ReleaseTemplate').map((file) => () => planTemplate(planning, file)),
    ...ofKind<FlagFile>(files, 'Flag').map((file) => () => planFlag(planning, file)),
  ]
  const steps: ConfigStep[] = []
  for (const plan of plans) {
    if (planning.mistakes.isFull) break
    steps.push(...(await budget.run(plan)))
  }
  return steps
}

/** Sorts steps by phase; steps of the same phase stay in their order. Leaves out the steps for other environments. */
function selectSteps(steps: readonly ConfigStep[], environment: string | undefined): ConfigStep[] {
  const selected =
    environment === undefined
      ? steps
      : steps.filter((step) => step.environment === environment || step.isCreation === true)
  return selected.toSorted((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
}

/** Returns a hash of everything that applying the plan would do, and of the revision on which the plan is based. */
async function hashPlan(
  { project, prune, environment, budget }: PlanOrder,
  { revision, steps }: Pick<StepPlan, 'revision' | 'steps'>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([project, prune, environment ?? null, revision]))
  for (const { run: _run, ...step } of steps) await budget.run(() => hash.update(JSON.stringify(step)))
  return hash.digest('hex').slice(0, 32)
}

interface ReadFiles {
  readonly described: DescribedObjects
  /** Described objects with the paths of their files. */
  readonly objects: readonly DescribedObject[]
  /** Files that differ from what an export would write, sorted by path. */
  readonly files: readonly ParsedFile[]
}

/**
 * Parses files. Files that are identical to what an export would write change nothing, and are not parsed. Adds
 * mistakes for files that are not valid, and for objects that several files describe.
 */
async function readFiles(order: PlanOrder, config: ProjectConfig, mistakes: ConfigMistakes): Promise<ReadFiles> {
  const stored = await listStoredTexts(config, order.budget)
  const places = new Map<string, string>()
  const flags = new Map<string, string>()
  const segments = new Set<string>()
  const objects: DescribedObject[] = []
  const files: ParsedFile[] = []
  for (const file of order.files.toSorted((a, b) => compareText(a.path, b.path))) {
    if (mistakes.isFull) break
    const unchanged = stored.get(file.content)
    const parsed = unchanged === undefined ? await parseOnce(order, file, mistakes) : undefined
    const object = unchanged ?? parsed?.content
    if (object === undefined) continue
    const { kind, name } = object
    const first = places.get(`${kind} ${name}`)
    if (first !== undefined) {
      const place = parsed ?? fixedPlace(file.path, 1)
      mistakes.add(place, ['name'], `${first} describes the same object.`)
      continue
    }
    places.set(`${kind} ${name}`, file.path)
    objects.push({ kind, name, path: file.path })
    if (kind === 'Flag') flags.set(name, file.path)
    if (kind === 'Segment') segments.add(name)
    if (parsed !== undefined) files.push(parsed)
  }
  const changedFlags = new Map(ofKind<FlagFile>(files, 'Flag').map((file) => [file.content.name, file]))
  return { described: { flags, segments, changedFlags }, objects, files }
}

async function parseOnce(
  { parsed: cache, budget }: PlanOrder,
  file: ConfigFile,
  mistakes: ConfigMistakes,
): Promise<ParsedFile | undefined> {
  const key = `${file.path}\n${file.content}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const parsed = await parseConfigFile(file, mistakes, budget)
  if (parsed !== undefined) cache.set(key, parsed)
  return parsed
}

type ObjectRef = Pick<ConfigFileContent, 'kind' | 'name'>

/** Returns the kind and name of each stored object, keyed by the text that an export would write for it. */
async function listStoredTexts(
  config: ProjectConfig,
  budget: EventLoopBudget,
): Promise<ReadonlyMap<string, ObjectRef>> {
  const names = new Map(config.segments.map(({ id, name }) => [id, name]))
  const contents: readonly (() => ConfigFileContent)[] = [
    ...[...config.flags.values()].map((flag) => () => toFlagFile(flag, names)),
    ...config.segments
      .filter(({ project }) => project === null || project === config.project)
      .map((row) => () => toSegmentFile(row)),
    ...config.fields.map((row) => () => toContextFieldFile(row)),
    ...config.templates.map((template) => () => toTemplateFile(template, names)),
  ]
  const texts = new Map<string, ObjectRef>()
  for (const create of contents) {
    await budget.run(() => {
      const content = create()
      texts.set(writeConfigYaml(content), { kind: content.kind, name: content.name })
    })
  }
  return texts
}

function ofKind<C extends ConfigFileContent>(files: readonly ParsedFile[], kind: ConfigFileKind): ParsedFile<C>[] {
  return files.filter(({ content }) => content.kind === kind) as ParsedFile<C>[]
}

/**
 * Adds mistakes for new flags whose name is already taken by an archived flag or a flag in another project. Only a
 * caller who may create flags learns of a flag in a hidden project, because the creation would fail.
 */
async function checkNames(
  reader: Reader,
  actor: Actor,
  { config, mistakes, files }: Planning & { readonly files: readonly ParsedFile<FlagFile>[] },
): Promise<void> {
  const hidden = hasPermission(actor, 'CREATE_FEATURE', { project: config.project }) ? [] : actor.hidden
  const added = new Map(
    files.filter(({ content: { name } }) => !config.flags.has(name)).map((file) => [file.content.name, file]),
  )
  for (const { name, project } of await listFeaturesByName(reader, [...added.keys()])) {
    const file = added.get(name)
    if (file === undefined || hidden.includes(project)) continue
    const text =
      project === config.project
        ? `An archived flag is named "${name}". Revive it, or delete it permanently, first.`
        : `A flag of another project is named "${name}".`
    mistakes.add(file, ['name'], text)
  }
}
