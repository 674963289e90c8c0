import type { StateDocument } from '@burgee/protocol/administration/state'
import type { Note } from '../../model/fidelity.ts'
import {
  environmentWith,
  fieldsReadBy,
  flagWith,
  projectWith,
  stateWith,
  strategyWith,
} from '../../model/held-defaults.ts'
import type { HeldFlag, HeldState } from '../../model/held-flags.ts'
import { emptyInstallation, type Installation, type Origin } from '../../model/installation.ts'
import { decisionNotes } from '../decision-notes.ts'
import { constraintsOf, parametersOf, textOf, variantsOf } from '../stored-json.ts'
import { flagsOf, isArchived, type StateFlag, type StateInEnvironment } from './state-flags.ts'

const DEFAULT = 'default'

/** Converts an exported document to an installation. Missing properties get the defaults of new objects. */
export function stateInstallation(document: StateDocument, origin: Origin): Installation {
  const listedSegments = (document.segments ?? []).filter(({ constraints }) => Array.isArray(constraints))
  const known = new Set(listedSegments.map(({ id }) => id))
  const all = flagsOf(document)
  const flags = all.map((flag) => heldFlag(flag, known, origin.readAt))
  const used = [...new Set(flags.flatMap(({ states }) => states.map(({ environment }) => environment)))]
  const listed = (document.environments ?? []).map(({ name, type, sortOrder, enabled, protected: isProtected }) =>
    environmentWith({
      ...{ name, type, enabled: enabled !== false, protected: isProtected === true },
      ...(sortOrder === undefined ? {} : { sortOrder }),
    }),
  )
  const missing = used.filter((name) => !listed.some((one) => one.name === name))
  const segments = listedSegments.map(({ id, name, description, project, constraints }) => ({
    ...{
      id,
      name,
      description: description ?? null,
      project: project ?? null,
      constraints: constraintsOf(constraints),
    },
    ...{ createdBy: '', createdAt: 0 },
  }))
  const rules = flags.flatMap(({ states }) => states.flatMap(({ strategies }) => strategies))
  const read = {
    ...emptyInstallation(origin),
    environments: [...listed, ...missing.map((name) => environmentWith({ name }))],
    projects: projectsOf(document, flags),
    contextFields: fieldsReadBy([
      ...rules,
      ...segments.map(({ constraints }) => ({ constraints, parameters: {}, variants: [] })),
    ]),
    ...{ segments, flags, ...materialOf(document) },
  }
  const notes = [
    ...all.flatMap((flag) => segmentNotes(flag, known)),
    // documents contain no users, so their absence is not reported
    ...decisionNotes(read, origin.readAt).filter(({ kind }) => kind !== 'user'),
  ]
  return { ...read, notes }
}

/** Returns true if all segments are known. Without them a strategy would match more users than before. */
function isWhole(segments: readonly number[] | undefined, known: SegmentIds): boolean {
  return (segments ?? []).every((id) => known.has(id))
}

function segmentNotes({ feature, environments }: StateFlag, known: SegmentIds): Note[] {
  return environments.flatMap(({ environment, strategies }) =>
    strategies
      .filter(({ segments }) => !isWhole(segments, known))
      .map(({ name }) => ({
        ...{ kind: 'flag', name: `${feature.name} in ${environment}`, fidelity: 'approximated' },
        words: `a strategy ${name} is disabled here: the document does not say what its segments are`,
      })),
  )
}

type SegmentIds = ReadonlySet<number>

function heldFlag({ feature, environments, tags }: StateFlag, known: SegmentIds, readAt: number): HeldFlag {
  const { name, project, type, description, stale, impressionData, createdAt } = feature
  return flagWith({
    ...{ name, project: project ?? DEFAULT, type: type ?? 'release', description: description ?? null },
    ...{
      stale: stale === true,
      impressionData: impressionData === true,
      tags,
      states: environments.map((place) => heldState(place, known)),
    },
    ...{
      createdAt: timeOf(createdAt) ?? readAt,
      archivedAt: isArchived(feature) ? (timeOf(feature.archivedAt) ?? readAt) : null,
    },
  })
}

function heldState({ environment, enabled, variants, strategies }: StateInEnvironment, known: SegmentIds): HeldState {
  // a flag that matched nobody must not become one that is on without strategies, and so for everyone
  const isClosed =
    strategies.length > 0 && strategies.every((one) => one.disabled === true || !isWhole(one.segments, known))
  const isOpen = strategies.every(({ disabled }) => disabled === true)
  return stateWith({
    ...{ environment, enabled: enabled && (isOpen || !isClosed), variants: variantsOf(variants) },
    strategies: strategies.map(({ name, title, disabled, parameters, constraints, variants: own, segments }) =>
      strategyWith({
        ...{
          name,
          title: textOf(title) || null,
          disabled: disabled === true || !isWhole(segments, known),
          parameters: parametersOf(parameters),
        },
        ...{
          constraints: constraintsOf(constraints),
          variants: variantsOf(own),
          segments: (segments ?? []).filter((id) => known.has(id)),
        },
      }),
    ),
  })
}

function projectsOf({ projects = [] }: StateDocument, flags: readonly HeldFlag[]): Installation['projects'] {
  const placesOf = (id: string) => [
    ...new Set(
      flags
        .filter(({ project }) => project === id)
        .flatMap(({ states }) => states.map(({ environment }) => environment)),
    ),
  ]
  const listed = projects.map(({ id, name, description, mode, defaultStickiness }) =>
    projectWith(
      {
        ...{ id, name, description: description ?? null, mode: mode ?? 'open' },
        ...(defaultStickiness === undefined ? {} : { defaultStickiness }),
      },
      placesOf(id),
    ),
  )
  const missing = new Set(flags.map(({ project }) => project).filter((id) => !projects.some((one) => one.id === id)))
  return [...listed, ...[...missing].map((id) => projectWith({ id }, placesOf(id)))]
}

function materialOf({ tagTypes = [], tags = [], featureTags = [], strategies = [] }: StateDocument) {
  const used = featureTags.map(({ tagType, type, tagValue, value }) => ({
    ...{ type: tagType ?? type ?? 'simple', value: tagValue ?? value ?? '' },
  }))
  const all = new Map([...tags, ...used].map(({ type, value }) => [JSON.stringify([type, value]), { type, value }]))
  return {
    tags: [...all.values()],
    tagTypes: tagTypes.map(({ name, description, icon }) => ({
      name,
      description: description ?? null,
      icon: icon ?? null,
    })),
    strategyTypes: strategies.map(({ name, title, description, parameters, deprecated }, index) => ({
      ...{ name, title: title ?? null, description: description ?? null, deprecated: deprecated === true },
      ...{ sortOrder: index, parameters: (parameters ?? []).map(parameterOf) },
    })),
  }
}

type Parameter = NonNullable<NonNullable<StateDocument['strategies']>[number]['parameters']>[number]

function parameterOf({
  name,
  type,
  description,
  required,
}: Parameter): Installation['strategyTypes'][number]['parameters'][number] {
  return {
    ...{ name, type: textOf(type) ?? 'string' },
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof required === 'boolean' ? { required } : {}),
  }
}

function timeOf(text: unknown): number | undefined {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
