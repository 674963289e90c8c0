import type { Note } from '../model/fidelity.ts'
import type { HeldSegment } from '../model/held-flags.ts'
import { alternativesOf, type Condition, NotExpressible } from '../rules/condition.ts'
import { type FindSegment, segmentCondition } from './clauses.ts'

type Json = Readonly<Record<string, unknown>>

/** Segments of one environment: a lookup by key, the imported segments, and notes. */
export interface ReadSegments {
  readonly find: FindSegment
  readonly held: readonly HeldSegment[]
  readonly notes: readonly Note[]
}

const DEEPEST = 5

/**
 * Converts segments. A segment with alternatives becomes several segments, because all constraints of a segment must
 * hold here.
 */
export function readSegments(
  segments: ReadonlyMap<string, Json>,
  {
    firstId,
    nameOf,
    now,
  }: { readonly firstId: number; readonly nameOf: (key: string) => string; readonly now: number },
): ReadSegments {
  const inline =
    (depth: number): FindSegment =>
    (key) => {
      const segment = segments.get(key)
      if (segment === undefined) return undefined
      return depth > DEEPEST
        ? { unknown: 'its segments refer to each other too deeply' }
        : segmentCondition(segment, inline(depth + 1))
    }
  const held: HeldSegment[] = []
  const notes: Note[] = []
  const found = new Map<string, Condition>()
  for (const [key, segment] of segments) {
    const name = nameOf(key)
    const means = segmentCondition(segment, inline(0))
    try {
      const ways = alternativesOf(means)
      const own = ways.map(
        ({ constraints }, index): HeldSegment => ({
          ...{ id: firstId + held.length + index, name: index === 0 ? name : `${name} (${index + 1})`, constraints },
          ...{ description: typeof segment.description === 'string' ? segment.description : null, project: null },
          ...{ createdBy: '', createdAt: now },
        }),
      )
      held.push(...own)
      found.set(key, { segments: own.map(({ id }) => id), means })
      if (own.length > 1)
        notes.push({
          kind: 'segment',
          name,
          fidelity: 'exact',
          words: `it is ${own.length} segments here, any of which is enough`,
        })
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error
      found.set(key, { unknown: error.message })
      notes.push({
        kind: 'segment',
        name,
        fidelity: 'not carried',
        words: `${error.message}: flags that use it are off`,
      })
    }
  }
  return { find: (key) => found.get(key), held, notes }
}
