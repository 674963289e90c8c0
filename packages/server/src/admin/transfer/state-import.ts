import { isUnguarded } from '@burgee/import/model/unguarded-flags'
import {
  isArchived,
  listFlags,
  type StateFlag,
  type StateInEnvironment,
} from '@burgee/import/unleash/documents/state-flags'
import { findStateProblems } from '@burgee/import/unleash/documents/state-problems'
import { invalid } from '@burgee/kit/input/refusals'
import type { StateDocument } from '@burgee/protocol/administration/state'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { listFeaturesByName } from '@burgee/storage/queries/flags/features'
import { hasEnvironment } from '@burgee/storage/queries/projects/environments'
import { findProject } from '@burgee/storage/queries/projects/projects'
import { readRemovedEnvironments } from '@burgee/storage/queries/projects/removed-environments'
import { hasStrategyType } from '@burgee/storage/queries/targeting/strategy-types'
import { listAllEnvironments } from '@burgee/storage/queries/transfer/state-reads'
import type { Change } from '../../core/execute.ts'
import type { FeatureEnvironmentRef, FeatureRef } from '../flags/feature-ref.ts'
import { createFeature, updateFeature } from '../flags/features.ts'
import { archiveFeature } from '../flags/lifecycle.ts'
import { addStrategy } from '../flags/strategies.ts'
import { setEnabled } from '../flags/switch-flag.ts'
import { createTag, createTagType, listTags } from '../flags/tag-types.ts'
import { tagFeature } from '../flags/tags.ts'
import { copyVariants } from '../flags/variants.ts'
import { createEnvironment } from '../projects/environments.ts'
import { addProjectEnvironment } from '../projects/project-environments.ts'
import { createProject } from '../projects/projects.ts'
import { createStrategyType, setDeprecated } from '../targeting/strategy-types.ts'
import { ImportProblems } from './import-problems.ts'
import { Steps } from './import-steps.ts'
import { formatImportLocation, type ImportWarning, removedWarnings, unguardedWarnings } from './import-warnings.ts'
import { dropState } from './state-drop.ts'
import { putSegments } from './state-segments.ts'

/** Document to import, and how to treat existing data. */
export interface StateImport {
  readonly document: StateDocument
  /** True to first remove existing data of the kinds that the document contains. */
  readonly drop: boolean
  /** True to leave existing flags unchanged instead of rejecting the document. */
  readonly keep: boolean
  /**
   * True to disable flags that are enabled without an enabled strategy. If false, such flags get an explicit strategy
   * for everyone.
   */
  readonly closeUnguarded?: boolean
  /** Called before each flag is imported. */
  readonly onFlag?: (progress: ImportProgress) => void
}

/** Flag that an import has reached; its number starts at 1. */
export interface ImportProgress {
  readonly name: string
  readonly number: number
  readonly total: number
}

/** Result of an import for its caller. */
export interface StateImportResult {
  /** Warnings that depend on existing data. Warnings about the document alone come from `findStateWarnings`. */
  readonly warnings: readonly ImportWarning[]
  /** Imported flags. Leaves out states in environments that the import skips. */
  readonly imported: readonly StateFlag[]
}

const DEFAULT = 'default'
const FOR_EVERYONE = { name: 'default' }

/**
 * Creates all objects in the document that do not exist yet. Existing objects with the same names stay unchanged; for
 * flags, see `keep`. Uses the same validation and creates the same events as separate requests would, but imports
 * either everything or nothing. Flags evaluate as in the document: parameters, weights and orders are preserved, and a
 * flag that is enabled without an enabled strategy gets a strategy for everyone. Throws one Problem that lists all
 * rejected parts of the document.
 */
export const importState: Change<StateImport, StateImportResult> = async (tx, input, context) => {
  const { document, drop, keep, closeUnguarded = false, onFlag } = input
  requireSupportedParts(document)
  const steps = new Steps(tx, context)
  if (drop) steps.add(await dropState(tx, document, context))
  const flags = listFlags(document)
  const names = flags.map(({ feature }) => feature.name)
  const known = new Set((await listFeaturesByName(tx, names)).map(({ name }) => name))
  const [taken] = keep ? [] : flags.filter(({ feature }) => known.has(feature.name))
  if (taken !== undefined) throw new Problem('ConflictError', `Feature ${taken.feature.name} already exists`)
  const removed = await readRemovedEnvironments(tx)
  const unknown = flags.filter(({ feature }) => !known.has(feature.name))
  const { coming, left } = withoutRemoved(unknown, removed)
  await putEnvironments(tx, steps, { document, flags: coming })
  await putProjects(tx, steps, { document, flags: coming })
  await putMaterial(tx, steps, document)
  const problems = new ImportProblems()
  const segments = await putSegments(tx, steps, { document, flags: coming, problems })
  const writing: FlagImportContext = {
    steps,
    segments,
    problems,
    closeUnguarded,
    unguarded: [],
    listedAt: getListedPath(document),
  }
  for (const [index, flag] of coming.entries()) {
    onFlag?.({ name: flag.feature.name, number: index + 1, total: coming.length })
    await putFlag(tx, flag, writing)
  }
  await putTags(tx, steps, document)
  problems.require()
  const warnings = [...unguardedWarnings(writing.unguarded, closeUnguarded), ...removedWarnings(left)]
  return { result: { warnings, imported: coming }, events: steps.events }
}

/**
 * Drops the states of flags in environments that have been removed from the flags' projects. An import does not add
 * environments that were removed.
 */
function withoutRemoved(
  flags: readonly StateFlag[],
  removed: RemovedEnvironments,
): { readonly coming: readonly StateFlag[]; readonly left: readonly string[] } {
  const left: string[] = []
  const coming: StateFlag[] = []
  for (const flag of flags) {
    const { name, project = DEFAULT } = flag.feature
    const isGone = ({ environment }: StateInEnvironment) => removed.get(project)?.has(environment) === true
    const gone = flag.environments.filter(isGone)
    left.push(...gone.map(({ environment }) => formatImportLocation(name, environment)))
    const environments = gone.length === 0 ? flag.environments : flag.environments.filter((state) => !isGone(state))
    coming.push({ ...flag, environments })
  }
  return { coming, left }
}

type RemovedEnvironments = Awaited<ReturnType<typeof readRemovedEnvironments>>

/** State that is shared by all flags of one import. */
interface FlagImportContext {
  readonly steps: Steps
  /** Ids of existing segments keyed by ids in the document. */
  readonly segments: ReadonlyMap<number, number>
  readonly problems: ImportProblems
  readonly closeUnguarded: boolean
  /** Flags that are enabled without an enabled strategy, as strings from `formatImportLocation`. */
  readonly unguarded: string[]
  /** JSON pointer to the strategies in the request. */
  readonly listedAt: string
}

function getListedPath({ featureStrategies }: StateDocument): string {
  return featureStrategies === undefined ? 'body/features' : 'body/featureStrategies'
}

/** Throws ValidationError if parts of the document would be ignored. The error details list all ignored parts. */
function requireSupportedParts(document: StateDocument): void {
  const details = findStateProblems(document).map(({ path, message }) => ({ path: `body/${path}`, message }))
  const [first] = details
  if (first !== undefined) throw new Problem('ValidationError', first.message, { details })
}

interface DocumentParts {
  readonly document: StateDocument
  readonly flags: readonly StateFlag[]
}

/** Creates the environments that the document lists or its flags use. */
async function putEnvironments(tx: Tx, steps: Steps, { document, flags }: DocumentParts): Promise<void> {
  const known = new Set((await listAllEnvironments(tx)).map(({ name }) => name))
  for (const { name, type, sortOrder, enabled } of document.environments ?? []) {
    if (known.has(name)) continue
    const order = sortOrder === undefined ? {} : { sortOrder }
    await steps.do(createEnvironment, { name, type, ...order, enabled: enabled !== false })
    known.add(name)
  }
  for (const { environment } of flags.flatMap(({ environments }) => environments)) {
    if (known.has(environment)) continue
    // documents in the first versions of the format use only this environment and do not list it
    if (environment !== DEFAULT) throw invalid(`There is no environment "${environment}".`, 'body/featureEnvironments')
    await steps.do(createEnvironment, { name: environment, type: 'production' })
    known.add(environment)
  }
}

/** Creates the projects in the document, and adds the environments that the flags use to new and existing projects. */
async function putProjects(tx: Tx, steps: Steps, { document, flags }: DocumentParts): Promise<void> {
  const placesOf = (id: string) => [
    ...new Set(
      flags
        .filter(({ feature }) => (feature.project ?? DEFAULT) === id)
        .flatMap(({ environments }) => environments.map(({ environment }) => environment)),
    ),
  ]
  for (const { id, name, description, mode, defaultStickiness } of document.projects ?? []) {
    if ((await findProject(tx, id)) !== undefined) continue
    const more = {
      ...(description === undefined ? {} : { description }),
      ...(mode === undefined ? {} : { mode: parseMode(mode) }),
      ...(defaultStickiness === undefined ? {} : { defaultStickiness }),
    }
    await steps.do(createProject, { body: { id, name, ...more, environments: placesOf(id) } })
  }
  for (const id of new Set(flags.map(({ feature }) => feature.project ?? DEFAULT))) {
    if ((await findProject(tx, id)) === undefined) throw invalid(`There is no project "${id}".`, 'body/features')
    for (const environment of placesOf(id)) {
      if (await hasEnvironment(tx, { project: id, environment })) continue
      await steps.do(addProjectEnvironment, { project: id, environment })
    }
  }
}

function parseMode(mode: string): 'open' | 'protected' | 'private' {
  if (mode === 'open' || mode === 'protected' || mode === 'private') return mode
  throw invalid(`"mode" must be "open" or "protected". You provided "${mode}".`, 'body/projects')
}

/**
 * Creates the tags in the document that no flag has. Tags of flags already exist at this point, with events that name
 * the flag's project.
 */
async function putTags(tx: Tx, steps: Steps, { tags = [] }: StateDocument): Promise<void> {
  const known = new Set((await listTags(tx)).map(({ type, value }) => JSON.stringify([type, value])))
  for (const { type, value } of tags) {
    const key = JSON.stringify([type, value])
    if (!known.has(key)) await steps.do(createTag, { tag: { type, value } })
    known.add(key)
  }
}

/** Creates the tag types and strategy types in the document. */
async function putMaterial(tx: Tx, steps: Steps, { tagTypes = [], strategies = [] }: StateDocument) {
  const types = new Set((await tx.selectFrom('tag_types').select('name').execute()).map(({ name }) => name))
  for (const { name, description, icon } of tagTypes) {
    if (types.has(name)) continue
    await steps.do(createTagType, { name, description: description ?? null, icon: icon ?? null })
    types.add(name)
  }
  for (const { name, description, title, parameters, deprecated } of strategies) {
    if (await hasStrategyType(tx, name)) continue
    const texts = { description: description ?? null, title: title ?? null }
    await steps.do(createStrategyType, { name, ...texts, parameters: parameters ?? [] })
    if (deprecated === true) await steps.do(setDeprecated, { name, deprecated })
  }
}

async function putFlag(tx: Tx, flag: StateFlag, writing: FlagImportContext): Promise<void> {
  const { steps, problems } = writing
  const { name, type, description, impressionData, stale, project = DEFAULT } = flag.feature
  const part = { flag: name, path: 'body/features' }
  const body = {
    name,
    description: description ?? null,
    impressionData: impressionData === true,
    ...(type === undefined ? {} : { type }),
  }
  const row = await problems.collect(part, () => steps.do(createFeature, { project, body }))
  if (row === undefined) return
  const ref = { project, feature: name }
  await problems.collect(part, async () => {
    if (stale === true) await steps.do(updateFeature, { ...ref, body: { stale } })
    for (const place of flag.environments)
      await putEnvironmentState(isArchived(flag.feature) ? disableUnguarded(place) : place, ref, writing)
    for (const tag of flag.tags) steps.add(await tagFeature(tx, row, tag))
    if (isArchived(flag.feature)) await steps.do(archiveFeature, ref)
  })
}

/** Disables an archived flag that is on without an enabled strategy, so that it needs no strategy for everyone. */
function disableUnguarded(place: StateInEnvironment): StateInEnvironment {
  return isUnguarded(place) ? { ...place, enabled: false } : place
}

async function putEnvironmentState(
  place: StateInEnvironment,
  ref: FeatureRef,
  writing: FlagImportContext,
): Promise<void> {
  const { steps, segments, problems, listedAt: path } = writing
  const { environment, enabled, variants, strategies } = place
  const at = { ...ref, environment }
  const part = { flag: ref.feature, environment, path }
  for (const [index, strategy] of strategies.entries()) {
    const inWords = { ...part, strategy: { name: strategy.name, place: index + 1 } }
    await problems.collect(inWords, () => {
      const body = { ...strategy, segments: (strategy.segments ?? []).map((id) => requireSegmentId(id, segments)) }
      return steps.do(addStrategy, { ...at, body, isAsGiven: true })
    })
  }
  if (variants.length > 0) {
    await problems.collect(part, () => steps.do(copyVariants, { ...at, variants }))
  }
  if (!enabled) return
  await problems.collect(part, async () => {
    if (await ensureStrategy(place, at, writing)) await steps.do(setEnabled, { ...at, enabled })
  })
}

/**
 * Returns true if a flag that the import enables may remain enabled. Adds an explicit strategy if the flag has no
 * enabled strategy.
 */
async function ensureStrategy(
  place: StateInEnvironment,
  at: FeatureEnvironmentRef,
  { steps, closeUnguarded, unguarded }: FlagImportContext,
): Promise<boolean> {
  if (!isUnguarded(place)) return true
  unguarded.push(formatImportLocation(at.feature, place.environment))
  if (closeUnguarded) return false
  await steps.do(addStrategy, { ...at, body: FOR_EVERYONE })
  return true
}

function requireSegmentId(id: number, segments: ReadonlyMap<number, number>): number {
  const found = segments.get(id)
  if (found !== undefined) return found
  throw invalid(`There is no segment with the id ${id} in the document.`, 'body/featureStrategySegments')
}
