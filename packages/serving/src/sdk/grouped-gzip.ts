import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { TextRun } from '../document/view.ts'
import { joinCrc32 } from './joined-crc.ts'

const compressAsync = promisify(deflateRaw)

/**
 * Flush mode used at the end of a group. The flush makes a group end at a byte boundary, and prevents references to the
 * bytes of earlier groups, so that the group can follow any other group.
 */
const GROUP_END = { finishFlush: constants.Z_SYNC_FLUSH }

/**
 * Minimum group length. Minimum length of a group: shorter groups would compress worse, so only the last group may be
 * shorter.
 */
const MIN_CHARACTERS = 24 * 1024
/**
 * Maximum length of a group: `DEFAULT_CHARACTERS` in the first body, `MAX_CHARACTERS` between reused groups. The
 * difference between the two leaves room for inserted texts, without splitting a group.
 */
const DEFAULT_CHARACTERS = 80 * 1024
const MAX_CHARACTERS = 128 * 1024
/**
 * Maximum length of text that is compressed synchronously. For shorter texts, switching to another thread would take
 * longer than compressing.
 */
const MAX_SYNC_CHARACTERS = 192 * 1024

/**
 * Gzip header: magic number, method deflate, no flags, no time, no hints, and Unix as the system.
 * Source: RFC 1952 §2.3.
 */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** Bytes of an empty final block. Source: RFC 1951 §3.2.6. */
const END = Buffer.from([0x03, 0x00])
const TRAILER_BYTES = 8

/** Texts that were compressed together, as one group. */
interface Group {
  readonly lead: string
  readonly texts: readonly string[]
  /** Compressed bytes of the group, which are part of the body. */
  readonly packed: Buffer
  readonly plainBytes: number
  readonly crc: number
}

/** Gzip body, and the groups in it that can be reused. */
export interface GroupedGzip {
  readonly body: Buffer
  readonly groups: readonly Group[]
  /** Length of the uncompressed text. */
  readonly plainBytes: number
}

type Planned = Group | Pick<Group, 'lead' | 'texts'>

/**
 * Compresses the text of a view in groups, and reuses the unchanged groups of `before`, so that the cost is
 * proportional to the change. Compresses small amounts of text synchronously, and larger amounts off the event loop.
 * Throws or rejects if the compressor fails.
 */
export function gzipInGroups(
  runs: readonly TextRun[],
  before: GroupedGzip | undefined,
): GroupedGzip | Promise<GroupedGzip> {
  const known = new Map(before?.groups.map((group) => [group.texts[0] ?? group.lead, group]))
  const planned = runs.flatMap((run) => splitIntoGroups(run, known))
  const fresh = planned.reduce((sum, group) => sum + ('packed' in group ? 0 : countCharacters(group.texts)), 0)
  return fresh <= MAX_SYNC_CHARACTERS ? assemble(planned.map(packSync)) : packAsync(planned).then(assemble)
}

function packSync(group: Planned): Group {
  if ('packed' in group) return group
  const plain = toPlainText(group)
  return createGroup(group, plain, deflateRawSync(plain, GROUP_END))
}

/** Compresses one group at a time, so that the thread pool remains available for other work. */
async function packAsync(planned: readonly Planned[]): Promise<Group[]> {
  const groups: Group[] = []
  for (const group of planned) {
    if ('packed' in group) {
      groups.push(group)
      continue
    }
    const plain = toPlainText(group)
    groups.push(createGroup(group, plain, await compressAsync(plain, GROUP_END)))
  }
  return groups
}

const toPlainText = ({ lead, texts }: Planned) => Buffer.from(lead + texts.join(','))

const createGroup = ({ lead, texts }: Planned, plain: Buffer, small: Buffer): Group => ({
  lead,
  texts,
  packed: small,
  plainBytes: plain.length,
  crc: crc32(plain),
})

/** Concatenates the groups. The returned groups are slices of the body, so that no bytes are stored twice. */
function assemble(all: readonly Group[]): GroupedGzip {
  const length = all.reduce((sum, { packed }) => sum + packed.length, HEAD.length + END.length + TRAILER_BYTES)
  const body = Buffer.allocUnsafeSlow(length)
  let at = HEAD.copy(body)
  let [crc, plainBytes] = [0, 0]
  const groups = all.map((group): Group => {
    const from = at
    at += group.packed.copy(body, at)
    crc = joinCrc32(crc, group.crc, group.plainBytes)
    plainBytes += group.plainBytes
    return { ...group, packed: body.subarray(from, at) }
  })
  at += END.copy(body, at)
  body.writeUInt32LE(crc, at)
  body.writeUInt32LE(plainBytes >>> 0, at + 4)
  return { body, groups, plainBytes }
}

/**
 * Divides a run of texts into groups. Reuses an existing group wherever its texts occur in the run. Collects the texts
 * between reused groups into new groups. A new group ends at the next reused group or at the maximum length, so that
 * adding or removing a text does not affect other groups.
 */
function splitIntoGroups({ lead, texts }: TextRun, known: ReadonlyMap<string, Group>): Planned[] {
  if (texts.length === 0) return [known.get(lead) ?? { lead, texts }]
  const groups: Planned[] = []
  const mostCharacters = known.size === 0 ? DEFAULT_CHARACTERS : MAX_CHARACTERS
  let [from, characters] = [0, 0]
  const leadAt = (place: number) => (place === 0 ? lead : ',')
  const close = (to: number) => {
    if (to > from) groups.push({ lead: leadAt(from), texts: texts.slice(from, to) })
    ;[from, characters] = [to, 0]
  }
  for (let at = 0; at < texts.length; ) {
    const text = texts[at] ?? ''
    const group = known.get(text)
    if (group === undefined || group.lead !== leadAt(at) || !fits(group, texts, at)) {
      characters += text.length
      at += 1
      if (characters >= mostCharacters) close(at)
      continue
    }
    const isTakenIn = characters > 0 && characters < MIN_CHARACTERS
    if (!isTakenIn) close(at)
    at += group.texts.length
    if (isTakenIn) {
      close(at)
      continue
    }
    groups.push(group)
    from = at
  }
  close(texts.length)
  return groups
}

/**
 * Returns true if the texts from an index on are exactly the texts of a group. A group that is shorter than the minimum
 * matches only at the end of the texts.
 */
function fits({ texts: its }: Group, texts: readonly string[], at: number): boolean {
  const end = at + its.length
  if (end > texts.length || (end < texts.length && countCharacters(its) < MIN_CHARACTERS)) return false
  return its.every((text, index) => text === texts[at + index])
}

const countCharacters = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)
