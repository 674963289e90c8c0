import { isObject } from '@burgee/kit/input/is-object'
import type { Note } from '../model/fidelity.ts'
import type { Installation } from '../model/installation.ts'
import { type ImportSource, SourceRefused } from '../model/source.ts'
import { createFlag, createState } from '../model/source-defaults.ts'
import type { SourceFlag, SourceSegment } from '../model/source-flags.ts'
import { buildRulesInstallation } from '../rules/rules-installation.ts'
import { compileState } from '../rules/rules-state.ts'
import { toFlagValues } from '../rules/typed-values.ts'
import { readObject } from '../unleash/documents/read-document.ts'
import { createFileSource, createOrigin } from '../unleash/documents/unleash-files.ts'
import { type ConvertedSegments, convertSegments } from './convert-segments.ts'
import { type LaunchDarklyApi, readLaunchDarkly } from './launchdarkly-api.ts'
import { convertPrerequisites, type ProjectFlag } from './prerequisites.ts'
import { type ProjectDocument, type ProjectFile, parseProjectDocument } from './project-document.ts'
import { isTrueWhenOff, listStateRules } from './state-rules.ts'

/**
 * Creates a source for a LaunchDarkly file: either the data of its SDKs (`flags`, `segments`, `flagValues`; one
 * environment), or a response of its API (`items`; all environments).
 */
export function createLaunchDarklySource(place: ProjectFile, clock: () => number): ImportSource {
  return createFileSource(async () => {
    const document = unwrapMessage(
      await readObject(place, ['launchdarkly', 'launchdarkly payload', 'launchdarkly list']),
    )
    if (!['flags', 'items', 'flagValues'].some((name) => name in document)) {
      throw new SourceRefused(`${place.path} has neither "flags" nor "items": is it a file of LaunchDarkly?`)
    }
    return buildInstallation(document, place, createOrigin('file of LaunchDarkly', place.path, clock))
  })
}

/** Returns the data in a message of the SDK stream. A stream message contains all data. */
function unwrapMessage(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(document.data) && isObject(document.data.flags) ? document.data : document
}

/** Creates a source that reads a project through the LaunchDarkly API. */
export function createLaunchDarklyApiSource(
  api: LaunchDarklyApi,
  { project, environment }: Omit<ProjectFile, 'path' | 'content'>,
  clock: () => number,
): ImportSource {
  return createFileSource(async () => {
    const document = await readLaunchDarkly(api, environment)
    const place = { path: api.url, project, environment }
    return buildInstallation(document, place, createOrigin('LaunchDarkly API', api.url, clock))
  })
}

function buildInstallation(
  document: Readonly<Record<string, unknown>>,
  place: ProjectFile,
  origin: Installation['origin'],
): Installation {
  const read = parseProjectDocument(document, place)
  const now = origin.readAt
  const segments = readSegmentsByEnvironment(read, now)
  const flags = new Map(read.flags.map((flag) => [flag.key, flag]))
  const made = read.flags.map((flag) => toFlag({ flag, flags, segments, now }, place.project))
  return buildRulesInstallation(origin, {
    flags: made.map(({ held }) => held),
    segments: [...segments.values()].flatMap(({ segments: held }): readonly SourceSegment[] => held),
    notes: [
      ...[...segments.values()].flatMap(({ notes }) => notes),
      ...made.flatMap(({ notes }) => notes),
      ...made.flatMap(({ held }) =>
        listParentNotes(
          held,
          made.flatMap(({ notes }) => notes),
        ),
      ),
    ],
    environments: read.environments,
  })
}

/** Copies the notes on parent flags to their child flags, because the child flags depend on the parent flags. */
function listParentNotes({ name, states, dependencies }: SourceFlag, notes: readonly Note[]): Note[] {
  return dependencies.flatMap(({ parent }) =>
    states.flatMap(({ environment }) =>
      notes
        .filter((note) => note.kind === 'flag' && note.name === `${parent} in ${environment}`)
        .map(
          ({ fidelity, words }): Note => ({
            kind: 'flag',
            name: `${name} in ${environment}`,
            words: `of its parent "${parent}": ${words}`,
            fidelity: fidelity === 'exact' ? 'exact' : 'approximated',
          }),
        ),
    ),
  )
}

/**
 * Reads the segments, each of which belongs to one environment in LaunchDarkly. If there are several environments, the
 * segment names include the environment.
 */
function readSegmentsByEnvironment(
  { environments, segments }: ProjectDocument,
  now: number,
): Map<string, ConvertedSegments> {
  const found = new Map<string, ConvertedSegments>()
  let firstId = 1
  for (const environment of environments) {
    const nameOf = (key: string) => (environments.length === 1 ? key : `${key} in ${environment}`)
    const own = convertSegments(segments.get(environment) ?? new Map(), { firstId, formatName: nameOf, now })
    firstId += own.segments.length
    found.set(environment, own)
  }
  return found
}

interface FlagParts {
  readonly flag: ProjectDocument['flags'][number]
  readonly flags: ReadonlyMap<string, ProjectFlag>
  readonly segments: ReadonlyMap<string, ConvertedSegments>
  readonly now: number
}

function toFlag({ flag, flags, segments, now }: FlagParts, project: string): { held: SourceFlag; notes: Note[] } {
  const { key, values, states, about } = flag
  const { dependencies, offIn, notes: ofParents } = convertPrerequisites(flag, flags)
  const notes: Note[] = [...ofParents]
  const own = toFlagValues(values)
  const held = [...states].map(([environment, state]) => {
    const why = offIn.get(environment)
    if (why !== undefined) {
      notes.push({
        kind: 'flag',
        name: `${key} in ${environment}`,
        fidelity: 'not carried',
        words: `it is off here, and without its rules: ${why}`,
      })
      return createState({ environment, enabled: false })
    }
    const rules = listStateRules(state, own, (name) => segments.get(environment)?.find(name))
    const made = compileState({ flag: key, environment, rules, values: own })
    notes.push(...made.notes, ...listOffValueNotes(flag, environment))
    return made.state
  })
  return {
    held: createFlag({ ...about, name: key, project, createdAt: about.createdAt ?? now, states: held, dependencies }),
    notes,
  }
}

/**
 * Reports off variations that cannot be imported: in Burgee, a flag that is off has no value, and a boolean flag that
 * is off is false. In Burgee, a flag that is off has no value, and a boolean flag that is off is false.
 */
function listOffValueNotes({ key, values, states }: FlagParts['flag'], environment: string): Note[] {
  const state = states.get(environment) ?? {}
  const own = toFlagValues(values)
  const value = values[typeof state.offVariation === 'number' ? state.offVariation : Number.NaN]
  const note = (words: string): Note[] => [
    { kind: 'flag', name: `${key} in ${environment}`, fidelity: 'approximated', words },
  ]
  if (own.areVariants) {
    if (value === undefined || value.value === null) return []
    return note(`where it is off, the default in the code applies, not its off variation "${value.name}"`)
  }
  const hasParents = Array.isArray(state.prerequisites) && state.prerequisites.length > 0
  const isGiven = state.on !== true || hasParents
  if (isGiven && value === undefined) return note('where it is off, it is false here, not the default in the code')
  return state.on === true && hasParents && isTrueWhenOff(state, own)
    ? note('where its prerequisites are not met, it is off here instead of its off variation true')
    : []
}
