import type { Note } from '../model/fidelity.ts'
import type { SourceSegment } from '../model/source-flags.ts'
import { type Condition, listAlternatives, NotExpressible } from '../rules/condition.ts'
import { type FindSegment, toSegmentCondition } from './clauses.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Result of converting the segments of one environment: a lookup by key, the segments to import, and notes for the
 * report.
 */
export interface ConvertedSegments {
  readonly find: FindSegment
  readonly segments: readonly SourceSegment[]
  readonly notes: readonly Note[]
}

const MAX_DEPTH = 5

/**
 * Converts segments. A segment with alternative conditions becomes several segments, because a Burgee segment requires
 * all of its constraints to hold.
 */
export function convertSegments(
  segments: ReadonlyMap<string, Json>,
  {
    firstId,
    formatName,
    now,
  }: { readonly firstId: number; readonly formatName: (key: string) => string; readonly now: number },
): ConvertedSegments {
  const inline =
    (depth: number): FindSegment =>
    (key) => {
      const segment = segments.get(key)
      if (segment === undefined) return undefined
      return depth > MAX_DEPTH
        ? { unknown: 'its segments refer to each other too deeply' }
        : toSegmentCondition(segment, inline(depth + 1))
    }
  const held: SourceSegment[] = []
  const notes: Note[] = []
  const found = new Map<string, Condition>()
  for (const [key, segment] of segments) {
    const name = formatName(key)
    const means = toSegmentCondition(segment, inline(0))
    try {
      const ways = listAlternatives(means)
      const own = ways.map(
        ({ constraints }, index): SourceSegment => ({
          id: firstId + held.length + index,
          name: index === 0 ? name : `${name} (${index + 1})`,
          constraints,
          description: typeof segment.description === 'string' ? segment.description : null,
          project: null,
          createdBy: '',
          createdAt: now,
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
  return { find: (key) => found.get(key), segments: held, notes }
}
