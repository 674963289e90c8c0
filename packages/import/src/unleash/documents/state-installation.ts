import type { StateDocument } from '@burgee/protocol/administration/state'
import type { Note } from '../../model/fidelity.ts'
import { createEmptyInstallation, type Installation, type InstallationOrigin } from '../../model/installation.ts'
import {
  createEnvironment,
  createFlag,
  createProject,
  createState,
  createStrategy,
  listContextFields,
} from '../../model/source-defaults.ts'
import type { SourceFlag, SourceState } from '../../model/source-flags.ts'
import { listDecisionNotes } from '../decision-notes.ts'
import { toConstraints, toParameters, toText, toVariants } from '../stored-json.ts'
import { isArchived, listFlags, type StateFlag, type StateInEnvironment } from './state-flags.ts'

const DEFAULT = 'default'

/** Converts an exported document to an installation. Missing properties get the defaults of new objects. */
export function buildStateInstallation(document: StateDocument, origin: InstallationOrigin): Installation {
  const listedSegments = (document.segments ?? []).filter(({ constraints }) => Array.isArray(constraints))
  const known = new Set(listedSegments.map(({ id }) => id))
  const all = listFlags(document)
  const flags = all.map((flag) => toSourceFlag(flag, known, origin.readAt))
  const used = [...new Set(flags.flatMap(({ states }) => states.map(({ environment }) => environment)))]
  const listed = (document.environments ?? []).map(({ name, type, sortOrder, enabled, protected: isProtected }) =>
    createEnvironment({
      name,
      type,
      enabled: enabled !== false,
      protected: isProtected === true,
      ...(sortOrder === undefined ? {} : { sortOrder }),
    }),
  )
  const missing = used.filter((name) => !listed.some((one) => one.name === name))
  const segments = listedSegments.map(({ id, name, description, project, constraints }) => ({
    id,
    name,
    description: description ?? null,
    project: project ?? null,
    constraints: toConstraints(constraints),
    createdBy: '',
    createdAt: 0,
  }))
  const rules = flags.flatMap(({ states }) => states.flatMap(({ strategies }) => strategies))
  const read = {
    ...createEmptyInstallation(origin),
    environments: [...listed, ...missing.map((name) => createEnvironment({ name }))],
    projects: buildProjects(document, flags),
    contextFields: listContextFields([
      ...rules,
      ...segments.map(({ constraints }) => ({ constraints, parameters: {}, variants: [] })),
    ]),
    segments,
    flags,
    ...toReferenceData(document),
  }
  const notes = [
    ...all.flatMap((flag) => listSegmentNotes(flag, known)),
    // documents contain no users, so their absence is not reported
    ...listDecisionNotes(read, origin.readAt).filter(({ kind }) => kind !== 'user'),
  ]
  return { ...read, notes }
}

/**
 * Returns true if all segments are known. If an unknown segment were dropped, a strategy would match more users than
 * before.
 */
function hasOnlyImportedSegments(segments: readonly number[] | undefined, known: SegmentIds): boolean {
  return (segments ?? []).every((id) => known.has(id))
}

function listSegmentNotes({ feature, environments }: StateFlag, known: SegmentIds): Note[] {
  return environments.flatMap(({ environment, strategies }) =>
    strategies
      .filter(({ segments }) => !hasOnlyImportedSegments(segments, known))
      .map(({ name }) => ({
        kind: 'flag',
        name: `${feature.name} in ${environment}`,
        fidelity: 'approximated',
        words: `a strategy ${name} is disabled here: the document does not contain the definitions of its segments`,
      })),
  )
}

type SegmentIds = ReadonlySet<number>

function toSourceFlag({ feature, environments, tags }: StateFlag, known: SegmentIds, readAt: number): SourceFlag {
  const { name, project, type, description, stale, impressionData, createdAt } = feature
  return createFlag({
    name,
    project: project ?? DEFAULT,
    type: type ?? 'release',
    description: description ?? null,
    stale: stale === true,
    impressionData: impressionData === true,
    tags,
    states: environments.map((place) => toSourceState(place, known)),
    createdAt: parseTime(createdAt) ?? readAt,
    archivedAt: isArchived(feature) ? (parseTime(feature.archivedAt) ?? readAt) : null,
  })
}

function toSourceState(
  { environment, enabled, variants, strategies }: StateInEnvironment,
  known: SegmentIds,
): SourceState {
  // a flag that matched no one must not end up without strategies, because it would then be on for everyone
  const isClosed =
    strategies.length > 0 &&
    strategies.every((one) => one.disabled === true || !hasOnlyImportedSegments(one.segments, known))
  const isOpen = strategies.every(({ disabled }) => disabled === true)
  return createState({
    environment,
    enabled: enabled && (isOpen || !isClosed),
    variants: toVariants(variants),
    strategies: strategies.map(({ name, title, disabled, parameters, constraints, variants: own, segments }) =>
      createStrategy({
        name,
        title: toText(title) || null,
        disabled: disabled === true || !hasOnlyImportedSegments(segments, known),
        parameters: toParameters(parameters),
        constraints: toConstraints(constraints),
        variants: toVariants(own),
        segments: (segments ?? []).filter((id) => known.has(id)),
      }),
    ),
  })
}

function buildProjects({ projects = [] }: StateDocument, flags: readonly SourceFlag[]): Installation['projects'] {
  const placesOf = (id: string) => [
    ...new Set(
      flags
        .filter(({ project }) => project === id)
        .flatMap(({ states }) => states.map(({ environment }) => environment)),
    ),
  ]
  const listed = projects.map(({ id, name, description, mode, defaultStickiness }) =>
    createProject(
      {
        id,
        name,
        description: description ?? null,
        mode: mode ?? 'open',
        ...(defaultStickiness === undefined ? {} : { defaultStickiness }),
      },
      placesOf(id),
    ),
  )
  const missing = new Set(flags.map(({ project }) => project).filter((id) => !projects.some((one) => one.id === id)))
  return [...listed, ...[...missing].map((id) => createProject({ id }, placesOf(id)))]
}

function toReferenceData({ tagTypes = [], tags = [], featureTags = [], strategies = [] }: StateDocument) {
  const used = featureTags.map(({ tagType, type, tagValue, value }) => ({
    type: tagType ?? type ?? 'simple',
    value: tagValue ?? value ?? '',
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
      name,
      title: title ?? null,
      description: description ?? null,
      deprecated: deprecated === true,
      sortOrder: index,
      parameters: (parameters ?? []).map(toParameter),
    })),
  }
}

type Parameter = NonNullable<NonNullable<StateDocument['strategies']>[number]['parameters']>[number]

function toParameter({
  name,
  type,
  description,
  required,
}: Parameter): Installation['strategyTypes'][number]['parameters'][number] {
  return {
    name,
    type: toText(type) ?? 'string',
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof required === 'boolean' ? { required } : {}),
  }
}

function parseTime(text: unknown): number | undefined {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
