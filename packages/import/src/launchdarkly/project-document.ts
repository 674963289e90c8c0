import { isObject } from '@burgee/kit/input/is-object'
import { SourceRefused } from '../model/source.ts'
import type { SourceFlag } from '../model/source-flags.ts'
import type { NamedValue } from '../rules/typed-values.ts'
import type { DocumentFile } from '../unleash/documents/read-document.ts'
import { isPresent, requireLists, requireWholeList, requireWholeState, SEGMENT_LISTS } from './completeness.ts'
import type { ProjectFlag } from './prerequisites.ts'

type Json = Readonly<Record<string, unknown>>

/** A project, independent of the file format. */
export interface ProjectDocument {
  readonly environments: readonly string[]
  readonly flags: readonly (ProjectFlag & { readonly about: FlagMetadata })[]
  /** Segments by environment and then by key. */
  readonly segments: ReadonlyMap<string, ReadonlyMap<string, Json>>
}

/**
 * File with flags, and the target project for these flags. API lists contain several environments; `environment`
 * selects which one to read.
 */
export interface ProjectFile extends DocumentFile {
  readonly project: string
  readonly environment: string | undefined
}

type FlagMetadata = Partial<Pick<SourceFlag, 'type' | 'description' | 'stale' | 'createdAt' | 'archivedAt' | 'tags'>>

const TAG_LENGTH = { least: 2, most: 50 }

/**
 * Reads both formats: SDK data, which is for one environment, and API lists, which are for all environments. Throws
 * SourceRefused.
 */
export function parseProjectDocument(document: Json, { path, environment }: ProjectFile): ProjectDocument {
  if (Array.isArray(document.items)) return parseApiList(document, environment, path)
  if (environment === undefined)
    throw new SourceRefused(`${path} does not name its environment: --environment production`)
  const flags = listNamedObjects(document.flags, 'flags', path)
    .filter(([, flag]) => isPresent(flag))
    .map(([key, flag]) => {
      requireMatchingKey(flag, key, `flags.${key} of ${path}`)
      requireWholeState(flag, `flags.${key} of ${path}`)
      return { key, values: listValues(flag, path), about: {}, states: new Map([[environment, flag]]) }
    })
  const constant = isObject(document.flagValues) ? Object.entries(document.flagValues) : []
  const fixed = constant.map(([key, value]) => ({
    key,
    values: listValues({ key, variations: [value] }, path),
    about: {},
    states: new Map([[environment, { on: true, fallthrough: { variation: 0 } } as Json]]),
  }))
  const segments = new Map(
    listNamedObjects(document.segments, 'segments', path).filter(([, segment]) => isPresent(segment)),
  )
  for (const [key, segment] of segments) {
    requireMatchingKey(segment, key, `segments.${key} of ${path}`)
    requireLists(segment, SEGMENT_LISTS, `segments.${key} of ${path}`)
  }
  return { environments: [environment], flags: [...flags, ...fixed], segments: new Map([[environment, segments]]) }
}

/** Throws SourceRefused for a key that differs from the name of the property: SDKs find the object by either. */
function requireMatchingKey({ key }: Json, name: string, where: string): void {
  if (key !== undefined && key !== name) throw new SourceRefused(`"key" of ${where} must be "${name}"`)
}

function parseApiList(document: Json, only: string | undefined, path: string): ProjectDocument {
  const flags = requireWholeList(document, path).map((flag) => {
    if (!isObject(flag) || typeof flag.key !== 'string') throw new SourceRefused(`a flag of ${path} has no key`)
    if (!isObject(flag.environments))
      throw new SourceRefused(`flag ${flag.key} of ${path} has no "environments": request the list with summary=0`)
    const wanted = listNamedObjects(flag.environments, `environments" of "${flag.key}`, path).filter(
      ([name]) => only === undefined || name === only,
    )
    for (const [name, state] of wanted) requireWholeState(state, `flag ${flag.key} of ${path} in ${name}`, true)
    return { key: flag.key, values: listValues(flag, path), states: new Map(wanted), about: toMetadata(flag) }
  })
  const twice = flags.find(({ key }, index) => flags.findIndex((one) => one.key === key) !== index)
  if (twice !== undefined) throw new SourceRefused(`${path} has the flag "${twice.key}" more than once`)
  const environments = [...new Set(flags.flatMap(({ states }) => [...states.keys()]))]
  const listed = isObject(document.segments) ? Object.entries(document.segments) : []
  const segments = new Map(
    listed.map(([environment, list]) => [
      environment,
      new Map(listSegments(list, `segments of ${environment} in ${path}`)),
    ]),
  )
  return { environments, flags, segments }
}

function toMetadata({
  temporary,
  description,
  archived,
  archivedDate,
  deprecated,
  creationDate,
  tags,
}: Json): FlagMetadata {
  const texts = Array.isArray(tags) ? tags.map(String) : []
  const fitting = texts.filter(({ length }) => length >= TAG_LENGTH.least && length <= TAG_LENGTH.most)
  return {
    type: temporary === false ? 'operational' : 'release',
    description: typeof description === 'string' && description !== '' ? description : null,
    stale: deprecated === true,
    tags: fitting.map((value) => ({ type: 'simple', value })),
    ...(typeof creationDate === 'number' ? { createdAt: creationDate } : {}),
    archivedAt: archived === true ? (typeof archivedDate === 'number' ? archivedDate : Date.UTC(2020, 0)) : null,
  }
}

/** Returns the values of a flag, each with a unique name. API lists name the values; SDK data does not. */
function listValues({ key, variations }: Json, path: string): NamedValue[] {
  if (!Array.isArray(variations)) throw new SourceRefused(`flag ${String(key)} of ${path} has no list "variations"`)
  const list: readonly unknown[] = variations
  const seen = new Set<string>()
  return list.map((one, index) => {
    const isNamed = isObject(one) && 'value' in one && ('_id' in one || 'name' in one)
    const value = isNamed ? one.value : one
    const own = isNamed && typeof one.name === 'string' ? one.name : shortenValue(value)
    const name = own === '' || seen.has(own) ? `${own} ${index + 1}`.trim() : own
    seen.add(name)
    return { name, value }
  })
}

const MAX_SHOWN_LENGTH = 40

function shortenValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.slice(0, MAX_SHOWN_LENGTH).trim()
}

function listNamedObjects(value: unknown, name: string, path: string): [string, Json][] {
  if (value === undefined || value === null) return []
  if (!isObject(value)) throw new SourceRefused(`"${name}" of ${path} is not an object`)
  return Object.entries(value).map(([key, item]) => {
    if (!isObject(item)) throw new SourceRefused(`${name}.${key} of ${path} is not an object`)
    return [key, item]
  })
}

/** Returns the segments of an API list, or of its items. */
function listSegments(list: unknown, path: string): [string, Json][] {
  const items = isObject(list) ? requireWholeList(list, path) : list
  if (!Array.isArray(items)) throw new SourceRefused(`${path} are not a list`)
  return items.filter(isPresent).map((segment) => {
    if (!isObject(segment) || typeof segment.key !== 'string') throw new SourceRefused(`a segment has no key: ${path}`)
    requireLists(segment, SEGMENT_LISTS, `segment ${segment.key} of ${path}`)
    return [segment.key, segment]
  })
}
