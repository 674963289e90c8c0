import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { TextRun } from '../document/view.ts'
import { joinedCrc32 } from './joined-crc.ts'

const compressAside = promisify(deflateRaw)

/** Each group ends at a byte and refers to nothing before it, so that it can stand behind any other. */
const GROUP_END = { finishFlush: constants.Z_SYNC_FLUSH }

/** A shorter group would compress worse: it takes the next one in, if more texts follow. */
const LEAST_CHARACTERS = 24 * 1024
/** Groups of a first body are about as long, those between known ones at most: so texts may come without dividing one. */
const USUAL_CHARACTERS = 80 * 1024
const MOST_CHARACTERS = 128 * 1024
/** Up to here the way to another thread and back is longer than the work. */
const MOST_AT_ONCE_CHARACTERS = 192 * 1024

/** Magic number, deflate, no flags, no time, no hints, Unix. Source: RFC 1952 §2.3. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** A last block of nothing. Source: RFC 1951 §3.2.6. */
const END = Buffer.from([0x03, 0x00])
const TRAILER_BYTES = 8

/** Texts that were compressed together. */
interface Group {
  readonly lead: string
  readonly texts: readonly string[]
  /** Its part of the body. */
  readonly packed: Buffer
  readonly plainBytes: number
  readonly crc: number
}

/** A body in gzip, and what of it can be used again. */
export interface GroupedGzip {
  readonly body: Buffer
  readonly groups: readonly Group[]
  /** Of the plain text. */
  readonly plainBytes: number
}

type Planned = Group | Pick<Group, 'lead' | 'texts'>

/**
 * Compresses the text of a view group by group, those that stand in `before` taken from there: a change costs what has
 * changed. A few groups are compressed at once, more off the event loop. Throws or rejects when the compressor fails.
 */
export function gzipInGroups(
  runs: readonly TextRun[],
  before: GroupedGzip | undefined,
): GroupedGzip | Promise<GroupedGzip> {
  const known = new Map(before?.groups.map((group) => [group.texts[0] ?? group.lead, group]))
  const planned = runs.flatMap((run) => groupsOf(run, known))
  const fresh = planned.reduce((sum, group) => sum + ('packed' in group ? 0 : charactersOf(group.texts)), 0)
  return fresh <= MOST_AT_ONCE_CHARACTERS ? assemble(planned.map(packAtOnce)) : packAside(planned).then(assemble)
}

function packAtOnce(group: Planned): Group {
  if ('packed' in group) return group
  const plain = plainOf(group)
  return packed(group, plain, deflateRawSync(plain, GROUP_END))
}

/** One after the other: the threads that compress have other work too. */
async function packAside(planned: readonly Planned[]): Promise<Group[]> {
  const groups: Group[] = []
  for (const group of planned) {
    if ('packed' in group) {
      groups.push(group)
      continue
    }
    const plain = plainOf(group)
    groups.push(packed(group, plain, await compressAside(plain, GROUP_END)))
  }
  return groups
}

const plainOf = ({ lead, texts }: Planned) => Buffer.from(lead + texts.join(','))

const packed = ({ lead, texts }: Planned, plain: Buffer, small: Buffer): Group => ({
  ...{ lead, texts, packed: small },
  plainBytes: plain.length,
  crc: crc32(plain),
})

/** The groups of a body become parts of it, so that their bytes are kept once. */
function assemble(all: readonly Group[]): GroupedGzip {
  const length = all.reduce((sum, { packed }) => sum + packed.length, HEAD.length + END.length + TRAILER_BYTES)
  const body = Buffer.allocUnsafeSlow(length)
  let at = HEAD.copy(body)
  let [crc, plainBytes] = [0, 0]
  const groups = all.map((group): Group => {
    const from = at
    at += group.packed.copy(body, at)
    crc = joinedCrc32(crc, group.crc, group.plainBytes)
    plainBytes += group.plainBytes
    return { ...group, packed: body.subarray(from, at) }
  })
  at += END.copy(body, at)
  body.writeUInt32LE(crc, at)
  body.writeUInt32LE(plainBytes >>> 0, at + 4)
  return { body, groups, plainBytes }
}

/**
 * Divides a run: where a known group begins and fits, it is taken; what differs is gathered until there, or until it is
 * long enough, so that a text more or less moves no other group.
 */
function groupsOf({ lead, texts }: TextRun, known: ReadonlyMap<string, Group>): Planned[] {
  if (texts.length === 0) return [known.get(lead) ?? { lead, texts }]
  const groups: Planned[] = []
  const mostCharacters = known.size === 0 ? USUAL_CHARACTERS : MOST_CHARACTERS
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
    const isTakenIn = characters > 0 && characters < LEAST_CHARACTERS
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

/** Whether a group stands in these texts from a place on; one that is too short only at the end. */
function fits({ texts: its }: Group, texts: readonly string[], at: number): boolean {
  const end = at + its.length
  if (end > texts.length || (end < texts.length && charactersOf(its) < LEAST_CHARACTERS)) return false
  return its.every((text, index) => text === texts[at + index])
}

const charactersOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)
