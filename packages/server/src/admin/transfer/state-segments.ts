import type { StateFlag } from '@burgee/import/unleash/documents/state-flags'
import type { StateDocument } from '@burgee/protocol/administration/state'
import type { Constraint } from '@burgee/protocol/feature'
import type { Tx } from '@burgee/storage/database'
import { listSegments } from '@burgee/storage/queries/targeting/segments'
import { areSameConstraints } from '../targeting/same-strategy.ts'
import { createSegment } from '../targeting/segments.ts'
import type { ImportProblems } from './import-problems.ts'
import type { Steps } from './import-steps.ts'

/** Segments of a document, and the document's flags. */
export interface SegmentParts {
  readonly document: StateDocument
  readonly flags: readonly StateFlag[]
  readonly problems: ImportProblems
}

/** Segment that exists or was created from the document. */
interface AvailableSegment {
  readonly id: number
  readonly constraints: readonly Constraint[]
}

/**
 * Creates missing segments and returns the ids of existing segments keyed by ids in the document. An existing segment
 * with the same name is used if it has the same constraints. If its constraints differ, a problem is reported, because
 * flags that use it would match other users.
 */
export async function putSegments(
  tx: Tx,
  steps: Steps,
  { document, flags, problems }: SegmentParts,
): Promise<ReadonlyMap<number, number>> {
  const here = new Map<string, AvailableSegment>((await listSegments(tx)).map((row) => [row.name, row]))
  const used = new Set(
    flags.flatMap(({ environments }) =>
      environments.flatMap(({ strategies }) => strategies.flatMap(({ segments = [] }) => segments)),
    ),
  )
  const found = new Map<number, number>()
  for (const { id, name, description, project, constraints } of document.segments ?? []) {
    const path = 'body/segments'
    const known = here.get(name)
    if (known === undefined) {
      const body = { name, constraints, description: description ?? null, project: project ?? null }
      const result = await problems.collect({ segment: name, path }, () => steps.do(createSegment, body))
      if (result === undefined) continue
      found.set(id, result.id)
      here.set(name, { id: result.id, constraints: constraints as readonly Constraint[] })
      continue
    }
    found.set(id, known.id)
    if (used.has(id) && !areSameConstraints(constraints as readonly Constraint[], known.constraints)) {
      problems.add({ segment: name, path }, 'it has other constraints here; rename it in the document or here')
    }
  }
  return found
}
