import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { TextRun } from '../document/view.ts'
import { joinCrc32 } from './joined-crc.ts'

const compressAsync = promisify(deflateRaw)

/**
 * Flush mode at the end of a group. A group ends at a byte boundary and refers to no bytes of earlier groups, so that
 * it can follow any other group.
 */
const GROUP_END = { finishFlush: constants.Z_SYNC_FLUSH }

/** Minimum group length. A shorter group would compress worse, so it is extended unless no more texts follow. */
const MIN_CHARACTERS = 24 * 1024
/**
 * Maximum group length: `DEFAULT_CHARACTERS` in a first body, `MAX_CHARACTERS` between reused groups. The difference
 * leaves room to insert texts without splitting a group.
 */
const DEFAULT_CHARACTERS = 80 * 1024
const MAX_CHARACTERS = 128 * 1024
/** Maximum length that is compressed synchronously. Up to this length, a switch to another thread would take longer. */
const MAX_SYNC_CHARACTERS = 192 * 1024

/** Magic number, deflate, no flags, no time, no hints, Unix. Source: RFC 1952 §2.3. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** An empty final block. Source: RFC 1951 §3.2.6. */
const END = Buffer.from([0x03, 0x00])
const TRAILER_BYTES = 8

/** Texts that were compressed together. */
interface Group {
  readonly lead: string
  readonly texts: readonly string[]
  /** Compressed bytes: a part of the body. */
  readonly packed: Buffer
  readonly plainBytes: number
  readonly crc: number
}

/** Gzip body and its reusable groups. */
export interface GroupedGzip {
  readonly body: Buffer
  readonly groups: readonly Group[]
  /** Length of the plain text. */
  readonly plainBytes: number
}

type Planned = Group | Pick<Group, 'lead' | 'texts'>

/**
 * Compresses the text of a view in groups and reuses unchanged groups of `before`, so that the cost is proportional to
 * the change. Compresses a few groups synchronously, and more groups off the event loop. Throws or rejects if the
 * compressor fails.
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

/** Compresses one group at a time, to leave the thread pool available for other work. */
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

/** Concatenates the groups. The returned groups are slices of the body, so that all bytes are stored only once. */
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
 * Divides a run into groups. Reuses a known group wherever its texts occur in the run. Collects the texts between known
 * groups into new groups. A new group ends at the next known group or at the maximum length, so that an added or
 * removed text does not affect other groups.
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
 * Returns true if a group matches the texts at an index. A group below the minimum length matches only at the end of
 * the texts.
 */
function fits({ texts: its }: Group, texts: readonly string[], at: number): boolean {
  const end = at + its.length
  if (end > texts.length || (end < texts.length && countCharacters(its) < MIN_CHARACTERS)) return false
  return its.every((text, index) => text === texts[at + index])
}

const countCharacters = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)
