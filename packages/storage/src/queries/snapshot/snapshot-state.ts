import { runInSlices } from '@burgee/kit/slices'
import type { Tag } from '@burgee/protocol/event'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { DocumentFlag, DocumentState } from '@burgee/serving/document/environment-document'
import type { Position, Revision } from '../../epochs.ts'
import type { TokenRow } from '../access/tokens.ts'

/** SDK token as it was last read from the database. Contains only the hash of the secret. */
export interface SnapshotToken {
  readonly row: TokenRow
  /** Time at which the database last confirmed this token, in milliseconds since 1970. */
  readonly atMs: number
}

/** Settings that affect what SDKs receive. */
export interface SnapshotSettings {
  readonly frontendApiOrigins: readonly string[]
  readonly instanceId: string
}

/** Revision of a snapshot, and the time at which it was current. */
export interface SnapshotHead {
  /** Position in the event log of the last known state of the database. */
  readonly mark: Position
  /** Time at which the database was last known to be at that position, in milliseconds since 1970. */
  readonly asOfMs: number
}

/** Data with which a server serves SDKs without its database, as written to the snapshot. */
export interface SnapshotState extends SnapshotHead {
  readonly settings: SnapshotSettings
  readonly tokens: readonly SnapshotToken[]
  /** SDK documents by environment. All documents belong to the database epoch of `mark`. */
  readonly documents: ReadonlyMap<string, DocumentState>
}

/** Flags and segments of one environment, as read from the snapshot. */
export interface SnapshotDocument {
  readonly revision: Revision
  readonly flags: readonly DocumentFlag[]
  readonly segments: readonly Segment[]
}

/** Everything in a snapshot except the documents. */
export type SnapshotAccess = Omit<SnapshotState, 'documents'>

/** Content of a snapshot after it was read and parsed. */
export interface LoadedSnapshot extends SnapshotAccess {
  readonly documents: ReadonlyMap<string, SnapshotDocument>
}

/** Document of a snapshot whose flags have not been parsed yet. */
export interface UnparsedDocument extends Omit<SnapshotDocument, 'flags'> {
  /** Parses the flags, one per iteration. Returns undefined if a flag is in another format. */
  parseFlags(): Generator<void, readonly DocumentFlag[] | undefined>
}

/** Snapshot whose documents are parsed only on demand, because parsing takes much longer than reading the file. */
export interface OpenedSnapshot extends SnapshotAccess {
  readonly documents: ReadonlyMap<string, UnparsedDocument>
}

/** Version of the file format; files of other versions are rejected. */
const FORMAT_VERSION = 1

/**
 * Serializes a state to lines: the head, then the access data, then one line for each environment, followed by one line
 * for each of its flags. The lines themselves contain no line breaks.
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

/** Parses the first line of a snapshot; undefined if the line is in another format. */
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

const LINE_END = 0x0a
/**
 * Text with which the first line of an environment starts. A line break within a JSON string is escaped, so a flag
 * never contains this text.
 */
const ENVIRONMENT_START = Buffer.from('\n{"environment":')

/** Parses the first two lines of a snapshot; undefined if one of them is in another format. */
export function parseAccess(first: string, access: string): SnapshotAccess | undefined {
  const head = parseHead(first)
  if (head === undefined) return undefined
  try {
    const { settings, tokens } = JSON.parse(access) as AccessLine
    if (!Array.isArray(settings.frontendApiOrigins) || !tokens.every(isToken)) return undefined
    return { ...head, settings, tokens: tokens.map(({ row, atMs }) => ({ row: { ...row, masked: '' }, atMs })) }
  } catch {
    // another program may have written the file, so nothing in it may appear in an error message
    return undefined
  }
}

/** Parses the lines that `toLines` produces, except the lines of flags; undefined if they are in another format. */
export function openSnapshot(lines: Buffer): OpenedSnapshot | undefined {
  const headEnd = lines.indexOf(LINE_END)
  const accessEnd = lines.indexOf(LINE_END, headEnd + 1)
  if (headEnd < 0 || accessEnd < 0) return undefined
  const access = parseAccess(lines.toString('utf8', 0, headEnd), lines.toString('utf8', headEnd + 1, accessEnd))
  if (access === undefined) return undefined
  const documents = new Map<string, UnparsedDocument>()
  // the text that marks an environment includes the line break before its first line
  let start = accessEnd
  while (start + 1 < lines.length) {
    if (lines.indexOf(ENVIRONMENT_START, start) !== start) return undefined
    const next = lines.indexOf(ENVIRONMENT_START, start + 1)
    const end = next < 0 ? lines.length - 1 : next
    const opened = openEnvironment(lines.subarray(start + 1, end + 1))
    if (opened === undefined) return undefined
    documents.set(opened.environment, opened.document)
    start = end
  }
  return { ...access, documents }
}

/** Parses the first of the lines of an environment; undefined if it is in another format. */
function openEnvironment(lines: Buffer): { environment: string; document: UnparsedDocument } | undefined {
  const end = lines.indexOf(LINE_END)
  const line = parseLine<EnvironmentLine>(lines.toString('utf8', 0, end))
  if (line === undefined || !isEnvironment(line)) return undefined
  const { environment, revision, segments } = line
  return { environment, document: { revision, segments, parseFlags: () => parseFlags(lines.subarray(end + 1)) } }
}

function* parseFlags(lines: Buffer): Generator<void, readonly DocumentFlag[] | undefined> {
  const flags: DocumentFlag[] = []
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LINE_END, start)
    const line = parseLine<FlagLine>(lines.toString('utf8', start, end))
    if (line === undefined || !isFlag(line)) return undefined
    flags.push(line)
    start = end + 1
    yield
  }
  return flags
}

function parseLine<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

/** Parses the flags of all documents; undefined if some are in another format. */
export async function loadDocuments({ documents, ...access }: OpenedSnapshot): Promise<LoadedSnapshot | undefined> {
  const loaded = new Map<string, SnapshotDocument>()
  for (const [environment, { revision, segments, parseFlags: parse }] of documents) {
    const flags = await runInSlices(parse())
    if (flags === undefined) return undefined
    loaded.set(environment, { revision, segments, flags })
  }
  return { ...access, documents: loaded }
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
