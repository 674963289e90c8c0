import { isUnguarded } from '@burgee/import/model/unguarded-flags'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import type {
  FeatureImport,
  ImportWarnings,
  TransferredFeature,
} from '@burgee/protocol/administration/feature-transfer'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { FeatureRow } from '@burgee/storage/queries/flags/features'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import { hasEnvironment } from '@burgee/storage/queries/projects/environments'
import type { Rights } from '../../core/access/rights/rights.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { noProject, requireOpenProject } from '../../core/project-ref.ts'
import { addDependency } from '../flags/dependencies.ts'
import type { FeatureEnvironmentRef } from '../flags/feature-ref.ts'
import { createFeature, updateFeature } from '../flags/features.ts'
import { addStrategy, removeStrategy } from '../flags/strategies.ts'
import { checkStrategy } from '../flags/strategy-checks.ts'
import { setEnabled } from '../flags/switch-flag.ts'
import { createTagType } from '../flags/tag-types.ts'
import { tagFeature } from '../flags/tags.ts'
import { copyVariants } from '../flags/variants.ts'
import { createContextField } from '../targeting/context-fields.ts'
import { areSameStrategies, haveSameVariantOrder } from '../targeting/same-strategy.ts'
import { createSegment } from '../targeting/segments.ts'
import { type ImportTarget, readImportTarget } from './feature-import-target.ts'
import { requireImportable } from './import-check.ts'
import { getImportWarnings } from './import-effects.ts'
import { ImportProblems } from './import-problems.ts'
import { findState } from './imported-states.ts'

const FOR_EVERYONE: StrategyInput = { name: 'default' }

/** Import document with its target, and the permissions of the caller. */
export interface ImportOrder {
  readonly actor: Rights
  readonly input: FeatureImport
}

/**
 * Imports flags into a project: creates missing flags, updates existing flags, and sets their state in one environment
 * to the state in the document. Nothing else changes, and archived flags are skipped. Imports either all flags or none.
 * Each imported flag is on for the same users as in the document. A flag that the document enables without an enabled
 * strategy is on for everyone, so the import adds a strategy for everyone. Throws NotFoundError, NoAccessError,
 * InvalidOperationError, and one Problem that lists all rejected parts of the document.
 */
export const importFeatures: Change<ImportOrder, ImportWarnings> = async (tx, { actor, input }, moment) => {
  const { project, environment, data } = input
  if (actor.hidden?.includes(project)) throw noProject(project)
  await requireOpenProject(tx, project)
  if (!(await hasEnvironment(tx, { project, environment }))) {
    throw notFound(`There is no environment "${environment}" in project "${project}".`)
  }
  const target = await readImportTarget(tx, input, actor)
  requireImportable(actor, input, target)
  const { events, segments } = await createSharedResources(tx, input, target, moment)
  const coming = data.features.filter(({ name }) => (target.known.get(name)?.archived_at ?? null) === null)
  const parts = groupByFlag(data, segments)
  const problems = new ImportProblems()
  for (const feature of coming) {
    const part = { flag: feature.name, environment, path: 'body/data/features' }
    const one = { feature, input, target, parts, problems }
    events.push(...((await problems.collect(part, () => importOne(tx, one, moment))) ?? []))
  }
  problems.require()
  // parents may follow their children in the document
  const names = new Set(coming.map(({ name }) => name))
  for (const { feature, dependencies } of data.dependencies ?? []) {
    if (!names.has(feature)) continue
    if (dependencies.length > 1)
      throw invalid(`The flag "${feature}" can have one parent only.`, 'body/data/dependencies')
    for (const body of dependencies)
      events.push(...(await addDependency(tx, { project, feature, body }, moment)).events)
  }
  events.push({ type: 'features-imported', project, environment, data: { count: coming.length } })
  return { result: { warnings: getImportWarnings(input, target) }, events }
}

/** Shared resources that an import has created or found. */
interface SharedResources {
  readonly events: NewEvent[]
  /** Ids of all segments, keyed by name, including new segments. */
  readonly segments: ReadonlyMap<string, number>
}

/** Creates missing context fields and tag types and, on request, missing segments. Existing objects stay unchanged. */
async function createSharedResources(
  tx: Tx,
  { data }: FeatureImport,
  target: ImportTarget,
  moment: ChangeContext,
): Promise<SharedResources> {
  const events: NewEvent[] = []
  for (const field of data.contextFields ?? []) {
    if (!target.legalValues.has(field.name)) events.push(...(await createContextField(tx, field, moment)).events)
  }
  for (const type of data.tagTypes) {
    if (!target.tagTypes.has(type.name)) events.push(...(await createTagType(tx, type, moment)).events)
  }
  const segments = new Map(target.segments.ids)
  for (const segment of target.segments.toCreate) {
    const made = await createSegment(tx, segment, moment)
    segments.set(segment.name, made.result.id)
    events.push(...made.events)
  }
  return { events, segments }
}

type Data = FeatureImport['data']
type DataItem<K extends 'featureStrategies' | 'featureEnvironments' | 'featureTags'> = NonNullable<Data[K]>[number]

/** Parts of a document, grouped by flag, and ids of existing segments, keyed by their ids in the document. */
interface Parts {
  readonly strategies: ReadonlyMap<string, readonly DataItem<'featureStrategies'>[]>
  readonly states: ReadonlyMap<string, readonly DataItem<'featureEnvironments'>[]>
  readonly tags: ReadonlyMap<string, readonly DataItem<'featureTags'>[]>
  readonly segments: ReadonlyMap<number, number>
}

function groupByFlag(data: Data, here: ReadonlyMap<string, number>): Parts {
  const segments = new Map<number, number>()
  for (const { id, name } of data.segments ?? []) {
    const own = here.get(name)
    if (own !== undefined && !segments.has(id)) segments.set(id, own)
  }
  const flagOf = ({ featureName }: { readonly featureName: string }) => featureName
  return {
    strategies: Map.groupBy(data.featureStrategies, flagOf),
    states: Map.groupBy(data.featureEnvironments ?? [], flagOf),
    tags: Map.groupBy(data.featureTags ?? [], flagOf),
    segments,
  }
}

interface FlagToImport {
  readonly feature: TransferredFeature
  readonly input: FeatureImport
  readonly target: ImportTarget
  readonly parts: Parts
  readonly problems: ImportProblems
}

async function importOne(tx: Tx, one: FlagToImport, moment: ChangeContext): Promise<NewEvent[]> {
  const { feature, input, target, parts } = one
  const { project, environment } = input
  const { name } = feature
  const ref = { project, feature: name, environment }
  const { row, events: made } = await putFeature(tx, { project, feature, isKnown: target.known.has(name) }, moment)
  const events = [...made]
  const bodies = (parts.strategies.get(name) ?? []).map((strategy) => toStrategyInput(strategy, parts))
  const state = findState(environment, parts.states.get(name) ?? [])
  const isOpen = isUnguarded({ enabled: state?.enabled, strategies: bodies })
  const isOn = state?.enabled === true && !(isOpen && input.closeUnguarded === true)
  if (isOpen && isOn) bodies.push(FOR_EVERYONE)
  if (state?.enabled !== undefined && !isOn)
    events.push(...(await setEnabled(tx, { ...ref, enabled: false }, moment)).events)
  events.push(...(await replaceStrategies(tx, { ref, bodies, problems: one.problems }, moment)))
  if (state?.variants !== undefined) {
    events.push(...(await copyVariants(tx, { ...ref, variants: state.variants }, moment)).events)
  }
  if (isOn) {
    events.push(...(await setEnabled(tx, { ...ref, enabled: true }, moment)).events)
  }
  for (const { tagType: type, tagValue: value } of parts.tags.get(name) ?? []) {
    events.push(...(await tagFeature(tx, row, { type, value })))
  }
  return events
}

/** Flag in the document, and its target project. */
interface ImportedFlag {
  readonly project: string
  readonly feature: TransferredFeature
  readonly isKnown: boolean
}

async function putFeature(
  tx: Tx,
  { project, feature, isKnown }: ImportedFlag,
  moment: ChangeContext,
): Promise<{ row: FeatureRow; events: readonly NewEvent[] }> {
  const { name, type, description, impressionData, stale } = feature
  const parts = {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(typeof impressionData === 'boolean' ? { impressionData } : {}),
  }
  const made = isKnown ? undefined : await createFeature(tx, { project, body: { name, ...parts } }, moment)
  if (made !== undefined && stale !== true) return { row: made.result, events: made.events }
  const change = { ...parts, ...(stale === undefined ? {} : { stale }) }
  const { result, events } = await updateFeature(tx, { project, feature: name, body: change }, moment)
  return { row: result, events: [...(made?.events ?? []), ...events] }
}

/** Converts a strategy from the document, replacing its segment ids with the ids of existing segments. */
function toStrategyInput(strategy: DataItem<'featureStrategies'>, { segments }: Parts): StrategyInput {
  const { name, title, disabled, parameters, constraints, variants, segments: used = [] } = strategy
  return {
    name,
    title: title === undefined || title === '' ? null : title,
    disabled: disabled === true,
    parameters: parameters ?? {},
    constraints: constraints ?? [],
    variants: variants ?? [],
    segments: used.map((id) => requireSegmentId(id, segments)),
  }
}

/**
 * Returns the id of the existing segment for an id in the document. Throws ValidationError if there is none, because
 * the strategy would match more users without the segment.
 */
function requireSegmentId(id: number, segments: Parts['segments']): number {
  const own = segments.get(id)
  if (own === undefined) throw invalid(`There is no segment with the id ${id} in the document.`, 'body/data/segments')
  return own
}

/** Strategies that a flag will have, in sort order. */
interface NewStrategies {
  readonly ref: FeatureEnvironmentRef
  readonly bodies: readonly StrategyInput[]
  readonly problems: ImportProblems
}

/**
 * Replaces all strategies of a flag, in the given order; does nothing if the flag already has exactly these strategies.
 */
async function replaceStrategies(
  tx: Tx,
  { ref, bodies, problems }: NewStrategies,
  moment: ChangeContext,
): Promise<NewEvent[]> {
  const before = await listStrategies(tx, ref.feature, ref.environment)
  const wanted = []
  for (const [index, body] of bodies.entries()) {
    const strategy = { name: body.name, place: index + 1 }
    const part = { flag: ref.feature, environment: ref.environment, strategy, path: 'body/data/featureStrategies' }
    const checked = await problems.collect(part, () => checkStrategy(tx, ref, body, true))
    if (checked !== undefined) wanted.push(checked)
  }
  // if strategies were rejected, the whole import fails anyway
  if (wanted.length < bodies.length) return []
  if (areSameStrategies(ref.feature, before, wanted) && haveSameVariantOrder(before, wanted)) return []
  const events: NewEvent[] = []
  for (const { id } of before) events.push(...(await removeStrategy(tx, { ...ref, id }, moment)).events)
  for (const body of bodies) events.push(...(await addStrategy(tx, { ...ref, body, isAsGiven: true }, moment)).events)
  return events
}
