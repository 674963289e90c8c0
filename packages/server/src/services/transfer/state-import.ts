import { flagsOf, type StateFlag, type StateInEnvironment } from '@burgee/import/unleash/documents/state-flags'
import { findStateProblems } from '@burgee/import/unleash/documents/state-problems'
import { invalid } from '@burgee/kit/input/refusals'
import type { StateDocument } from '@burgee/protocol/administration/state'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import { featuresNamed } from '../../store/features/features.ts'
import { hasEnvironment } from '../../store/projects/environments.ts'
import { projectById } from '../../store/projects/projects.ts'
import { strategyTypeExists } from '../../store/targeting/strategy-types.ts'
import { segmentIds } from '../../store/transfer/feature-material.ts'
import { allEnvironments } from '../../store/transfer/state-reads.ts'
import type { Change, Moment } from '../execute.ts'
import { createFeature, setEnabled, updateFeature } from '../features/features.ts'
import { archiveFeature } from '../features/lifecycle.ts'
import { addStrategy } from '../features/strategies.ts'
import { createTag, createTagType, listTags } from '../features/tag-types.ts'
import { tagFeature } from '../features/tags.ts'
import { copyVariants } from '../features/variants.ts'
import { createEnvironment } from '../projects/environments.ts'
import { addProjectEnvironment } from '../projects/project-environments.ts'
import { createProject } from '../projects/projects.ts'
import { createSegment } from '../targeting/segments.ts'
import { createStrategyType, setDeprecated } from '../targeting/strategy-types.ts'
import { dropState } from './state-drop.ts'

/** A document, and what becomes of what is there already. */
export interface StateImport {
  readonly document: StateDocument
  /** What the document replaces is removed first. */
  readonly drop: boolean
  /** Flags that are there are left as they are, instead of refusing the document. */
  readonly keep: boolean
}

/** Writes of one import, one after the other, and what happened so far. */
class Steps {
  readonly events: NewEvent[] = []
  readonly #tx: Tx
  readonly #moment: Moment

  constructor(tx: Tx, moment: Moment) {
    this.#tx = tx
    this.#moment = moment
  }

  async do<I, O>(change: Change<I, O>, input: I): Promise<O> {
    const { result, events } = await change(this.#tx, input, this.#moment)
    this.events.push(...events)
    return result
  }
}

const DEFAULT = 'default'

/**
 * Makes what a document has and the installation has not; what there is of the same name stays, flags as `keep` says. It
 * is the changes that people make one by one, with their rules and events, all or nothing. Nothing is on for anybody whom
 * the document does not name: a flag without an enabled strategy is off. Throws ValidationError, ConflictError for a flag
 * that is there, and what the changes throw.
 */
export const importState: Change<StateImport, void> = async (tx, input, moment) => {
  const { document, drop, keep } = input
  requireWhole(document)
  const steps = new Steps(tx, moment)
  if (drop) steps.events.push(...(await dropState(tx, document, moment)))
  const flags = flagsOf(document)
  const known = new Map(
    (
      await featuresNamed(
        tx,
        flags.map(({ feature }) => feature.name),
      )
    ).map((row) => [row.name, row]),
  )
  const [taken] = keep ? [] : flags.filter(({ feature }) => known.has(feature.name))
  if (taken !== undefined) throw new Problem('ConflictError', `Feature ${taken.feature.name} already exists`)
  const coming = flags.filter(({ feature }) => !known.has(feature.name))
  await putEnvironments(tx, steps, { document, flags: coming })
  await putProjects(tx, steps, { document, flags: coming })
  await putMaterial(tx, steps, document)
  const segments = await putSegments(tx, steps, document)
  for (const flag of coming) await putFlag(tx, steps, { flag, segments, moment })
  return { result: undefined, events: steps.events }
}

/** Throws ValidationError for parts that would be ignored; all of them are in its details. */
function requireWhole(document: StateDocument): void {
  const details = findStateProblems(document).map(({ path, message }) => ({ path: `body/${path}`, message }))
  const [first] = details
  if (first !== undefined) throw new Problem('ValidationError', first.message, { details })
}

interface Parts {
  readonly document: StateDocument
  readonly flags: readonly StateFlag[]
}

/** Environments of the document, and those that its flags are in. */
async function putEnvironments(tx: Tx, steps: Steps, { document, flags }: Parts): Promise<void> {
  const known = new Set((await allEnvironments(tx)).map(({ name }) => name))
  for (const { name, type, sortOrder, enabled } of document.environments ?? []) {
    if (known.has(name)) continue
    const order = sortOrder === undefined ? {} : { sortOrder }
    await steps.do(createEnvironment, { name, type, ...order, enabled: enabled !== false })
    known.add(name)
  }
  for (const { environment } of flags.flatMap(({ environments }) => environments)) {
    if (known.has(environment)) continue
    // documents of the first versions do not name the only one they know
    if (environment !== DEFAULT) throw invalid(`There is no environment "${environment}".`, 'body/featureEnvironments')
    await steps.do(createEnvironment, { name: environment, type: 'production' })
    known.add(environment)
  }
}

/** Projects of the document with the environments of their flags, and those environments for projects that there are. */
async function putProjects(tx: Tx, steps: Steps, { document, flags }: Parts): Promise<void> {
  const placesOf = (id: string) => [
    ...new Set(
      flags
        .filter(({ feature }) => (feature.project ?? DEFAULT) === id)
        .flatMap(({ environments }) => environments.map(({ environment }) => environment)),
    ),
  ]
  for (const { id, name, description, mode, defaultStickiness } of document.projects ?? []) {
    if ((await projectById(tx, id)) !== undefined) continue
    const more = {
      ...(description === undefined ? {} : { description }),
      ...(mode === undefined ? {} : { mode: modeOf(mode) }),
      ...(defaultStickiness === undefined ? {} : { defaultStickiness }),
    }
    await steps.do(createProject, { body: { id, name, ...more, environments: placesOf(id) } })
  }
  for (const id of new Set(flags.map(({ feature }) => feature.project ?? DEFAULT))) {
    if ((await projectById(tx, id)) === undefined) throw invalid(`There is no project "${id}".`, 'body/features')
    for (const environment of placesOf(id)) {
      if (await hasEnvironment(tx, { project: id, environment })) continue
      await steps.do(addProjectEnvironment, { project: id, environment })
    }
  }
}

function modeOf(mode: string): 'open' | 'protected' | 'private' {
  if (mode === 'open' || mode === 'protected' || mode === 'private') return mode
  throw invalid(`"mode" must be "open" or "protected". You provided "${mode}".`, 'body/projects')
}

/** Types of tags, tags, and types of strategies. */
async function putMaterial(tx: Tx, steps: Steps, { tagTypes = [], tags = [], strategies = [] }: StateDocument) {
  const types = new Set((await tx.selectFrom('tag_types').select('name').execute()).map(({ name }) => name))
  for (const { name, description, icon } of tagTypes) {
    if (types.has(name)) continue
    await steps.do(createTagType, { name, description: description ?? null, icon: icon ?? null })
    types.add(name)
  }
  const known = new Set((await listTags(tx)).map(({ type, value }) => JSON.stringify([type, value])))
  for (const { type, value } of tags) {
    const key = JSON.stringify([type, value])
    if (!known.has(key)) await steps.do(createTag, { tag: { type, value } })
    known.add(key)
  }
  for (const { name, description, title, parameters, deprecated } of strategies) {
    if (await strategyTypeExists(tx, name)) continue
    const texts = { description: description ?? null, title: title ?? null }
    await steps.do(createStrategyType, { name, ...texts, parameters: parameters ?? [] })
    if (deprecated === true) await steps.do(setDeprecated, { name, deprecated })
  }
}

/** Ids here by ids of the document; segments of the same name are taken for the same. */
async function putSegments(
  tx: Tx,
  steps: Steps,
  { segments = [] }: StateDocument,
): Promise<ReadonlyMap<number, number>> {
  const known = new Map(await segmentIds(tx))
  const found = new Map<number, number>()
  for (const { id, name, description, project, constraints } of segments) {
    const own =
      known.get(name) ??
      (
        await steps.do(createSegment, {
          ...{ name, constraints },
          ...{ description: description ?? null, project: project ?? null },
        })
      ).id
    known.set(name, own)
    found.set(id, own)
  }
  return found
}

interface OneFlag {
  readonly flag: StateFlag
  readonly segments: ReadonlyMap<number, number>
  readonly moment: Moment
}

async function putFlag(tx: Tx, steps: Steps, { flag, segments }: OneFlag): Promise<void> {
  const { name, type, description, impressionData, stale, archived, project = DEFAULT } = flag.feature
  const row = await steps.do(createFeature, {
    project,
    body: {
      name,
      description: description ?? null,
      impressionData: impressionData === true,
      ...(type === undefined ? {} : { type }),
    },
  })
  const ref = { project, feature: name }
  if (stale === true) await steps.do(updateFeature, { ...ref, body: { stale } })
  for (const place of flag.environments) await putPlace(steps, { place, ref, segments })
  for (const tag of flag.tags) steps.events.push(...(await tagFeature(tx, row, tag)))
  if (archived === true) await steps.do(archiveFeature, ref)
}

interface OnePlace {
  readonly place: StateInEnvironment
  readonly ref: { readonly project: string; readonly feature: string }
  readonly segments: ReadonlyMap<number, number>
}

async function putPlace(steps: Steps, { place, ref, segments }: OnePlace): Promise<void> {
  const { environment, enabled, variants, strategies } = place
  const at = { ...ref, environment }
  for (const strategy of strategies) {
    const own = (strategy.segments ?? []).map((id) => {
      const found = segments.get(id)
      if (found !== undefined) return found
      throw invalid(`There is no segment with the id ${id} in the document.`, 'body/featureStrategySegments')
    })
    await steps.do(addStrategy, { ...at, body: { ...strategy, segments: own }, variantOrder: 'given' })
  }
  if (variants.length > 0) await steps.do(copyVariants, { ...at, variants })
  // to turn on what has no enabled strategy would give it one for everybody
  if (enabled && strategies.some(({ disabled }) => disabled !== true)) {
    await steps.do(setEnabled, { ...at, enabled })
  }
}
