import type { Tag } from '@burgee/protocol/event'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { DocumentFlag, DocumentState } from '@burgee/serving/document/environment-document'
import type { Position, Revision } from '../../epochs.ts'
import type { TokenRow } from '../access/tokens.ts'

/** SDK token as last read from the database. Contains only the hash of the secret. */
export interface SnapshotToken {
  readonly row: TokenRow
  /** Time at which the database last confirmed this token, in milliseconds since 1970. */
  readonly atMs: number
}

/** Settings that SDKs depend on. */
export interface SnapshotSettings {
  readonly frontendApiOrigins: readonly string[]
  readonly instanceId: string
}

/** Revision and time of a snapshot. */
export interface SnapshotHead {
  /** Last known state of the database. */
  readonly mark: Position
  /** Time at which the database was last known to be in that state, in milliseconds since 1970. */
  readonly asOfMs: number
}

/** Data with which a server serves SDKs without its database, as written to the snapshot. */
export interface SnapshotState extends SnapshotHead {
  readonly settings: SnapshotSettings
  readonly tokens: readonly SnapshotToken[]
  /** SDK documents by environment. All belong to the epoch of `mark`. */
  readonly documents: ReadonlyMap<string, DocumentState>
}

/** Flags and segments of one environment, as read from the snapshot. */
export interface SnapshotDocument {
  readonly revision: Revision
  readonly flags: readonly DocumentFlag[]
  readonly segments: readonly Segment[]
}

/** Content of a snapshot that was read. */
export interface LoadedSnapshot extends Omit<SnapshotState, 'documents'> {
  readonly documents: ReadonlyMap<string, SnapshotDocument>
}

/** Version of the file format; other versions are not read. */
const FORMAT_VERSION = 1

/**
 * Serializes a state to lines: the head, then access data, then each environment as one line followed by one line per
 * flag. Lines contain no line breaks.
 */
export function* toLines({ mark, asOfMs, settings, tokens, documents }: SnapshotState): Generator<string> {
  yield JSON.stringify({ form: FORMAT_VERSION, mark, asOfMs })
  const known = tokens.map(({ row: { masked: _shown, ...row }, atMs }) => ({ row, atMs }))
  yield JSON.stringify({ settings, tokens: known })
  for (const [environment, { revision, flags, segments }] of documents) {
    const own = [...segments.values()].map(({ json }) => json).join(',')
    yield `{"environment":${JSON.stringify(environment)},"revision":${JSON.stringify(revision)},"segments":[${own}]}`
    for (const { json, tags } of flags) yield `{"tags":${JSON.stringify(tags)},"feature":${json}}`
  }
}

/** Parses the first line of a snapshot; undefined if it has another format. */
export function parseHead(line: string): SnapshotHead | undefined {
  try {
    const { form, mark, asOfMs } = JSON.parse(line) as SnapshotHead & { form?: number }
    return form === FORMAT_VERSION && typeof mark?.id === 'number' && typeof asOfMs === 'number'
      ? { mark, asOfMs }
      : undefined
  } catch {
    return undefined
  }
}

interface AccessLine {
  readonly settings: SnapshotSettings
  readonly tokens: readonly { readonly row: Omit<TokenRow, 'masked'>; readonly atMs: number }[]
}
interface EnvironmentLine {
  readonly environment: string
  readonly revision: Revision
  readonly segments: readonly Segment[]
}
interface FlagLine {
  readonly tags: readonly Tag[]
  readonly feature: Feature
}

/** Parses the lines that `linesOf` creates; undefined if they have another format. */
export function parseSnapshot(lines: readonly string[]): LoadedSnapshot | undefined {
  try {
    return readLines(lines)
  } catch {
    // another program may have written the file, so no part of it may appear in a message
    return undefined
  }
}

function readLines([first = '', access = '', ...rest]: readonly string[]): LoadedSnapshot | undefined {
  const head = parseHead(first)
  if (head === undefined) return undefined
  const { settings, tokens } = JSON.parse(access) as AccessLine
  if (!Array.isArray(settings.frontendApiOrigins) || !tokens.every(isToken)) return undefined
  const documents = new Map<string, SnapshotDocument & { flags: DocumentFlag[] }>()
  let flags: DocumentFlag[] | undefined
  for (const text of rest) {
    const line = JSON.parse(text) as EnvironmentLine | FlagLine
    if ('feature' in line) {
      if (flags === undefined || !isFlag(line)) return undefined
      flags.push(line)
    } else {
      if (!isEnvironment(line)) return undefined
      flags = []
      documents.set(line.environment, { revision: line.revision, segments: line.segments, flags })
    }
  }
  return {
    ...head,
    settings,
    documents,
    tokens: tokens.map(({ row, atMs }) => ({ row: { ...row, masked: '' }, atMs })),
  }
}

function isToken({ row, atMs }: AccessLine['tokens'][number]): boolean {
  return typeof row.hash === 'string' && Array.isArray(row.projects) && typeof atMs === 'number'
}

function isFlag({ feature, tags }: FlagLine): boolean {
  return typeof feature?.name === 'string' && Array.isArray(feature.strategies) && Array.isArray(tags)
}

function isEnvironment({ environment, revision, segments }: EnvironmentLine): boolean {
  return typeof environment === 'string' && typeof revision?.id === 'number' && Array.isArray(segments)
}
