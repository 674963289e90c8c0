import type {
  FeatureImport,
  SegmentFinding,
  TransferredSegment,
} from '@burgee/protocol/administration/feature-transfer'
import { SegmentInput } from '@burgee/protocol/targeting/segment'
import type { SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { Compile } from 'typebox/compile'
import { areSameConstraints } from '../targeting/same-strategy.ts'
import { isSegmentVisible } from '../targeting/segments.ts'

/** Comparison of the segments in a document with existing segments. */
export interface ImportSegments {
  /** Ids of all existing segments, keyed by name. */
  readonly ids: ReadonlyMap<string, number>
  /** Names of missing segments, and ids that the document does not define. */
  readonly missing: readonly string[]
  /** Names of segments that belong to other projects in this installation. */
  readonly foreign: readonly string[]
  /** Segments to create, if the caller requested it. */
  readonly toCreate: readonly SegmentInput[]
  /** Segments to check, in the order of the document. */
  readonly findings: readonly SegmentFinding[]
}

const isInput = Compile(SegmentInput)

/**
 * Compares the segments of a document with existing segments, by name. A missing segment can be created if the document
 * defines it unambiguously; if it belongs to a project there, the new segment will belong to the import's project.
 */
export function compareImportedSegments(
  { project, data, createMissingSegments = false }: FeatureImport,
  rows: readonly SegmentRow[],
  hidden: readonly string[] = [],
): ImportSegments {
  const known = new Map(rows.map((row) => [row.name, row]))
  const used = new Set(data.featureStrategies.flatMap(({ segments = [] }) => segments))
  const named = new Set((data.segments ?? []).map(({ id }) => id))
  const byName = Map.groupBy(
    (data.segments ?? []).filter(({ id }) => used.has(id)),
    ({ name }) => name,
  )
  const missing: string[] = []
  const foreign: string[] = []
  const toCreate: SegmentInput[] = []
  const findings: SegmentFinding[] = []
  for (const [name, entries] of byName) {
    const row = known.get(name)
    if (row !== undefined && isSegmentVisible(row, hidden)) {
      if (row.project !== null && row.project !== project) foreign.push(name)
      else findings.push(...compareSegment(row, entries))
      continue
    }
    // a hidden segment is reported as missing, and it cannot be created because its name is in use
    const input = row === undefined ? toSegmentInput(entries, project) : undefined
    if (input !== undefined && createMissingSegments) toCreate.push(input)
    else missing.push(name)
    findings.push({ name, here: null, coming: input?.constraints ?? null, isCreatable: input !== undefined })
  }
  const unnamed = [...used].filter((id) => !named.has(id)).map(String)
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return { ids, missing: [...missing, ...unnamed], foreign, toCreate, findings }
}

/** Returns a finding if an existing segment has no constraints or differs from the document. */
function compareSegment(
  { name, constraints: here }: SegmentRow,
  entries: readonly TransferredSegment[],
): SegmentFinding[] {
  const definitions = entries.flatMap(({ constraints }) => (constraints === undefined ? [] : [constraints]))
  const other = definitions.find((constraints) => !areSameConstraints(constraints, here))
  if (other === undefined && here.length > 0) return []
  return [{ name, here, coming: other ?? definitions[0] ?? null, isCreatable: false }]
}

/**
 * Returns the definition that all segments with the same name in the document share. Returns undefined if a definition
 * is missing or the definitions differ.
 */
function toSegmentInput(entries: readonly TransferredSegment[], project: string): SegmentInput | undefined {
  const [first] = entries
  const constraints = first?.constraints
  if (first === undefined || constraints === undefined) return undefined
  if (!entries.every((one) => one.constraints && areSameConstraints(one.constraints, constraints))) return undefined
  const { name, description = null } = first
  // use the narrower scope: a segment that belongs to one project was not meant for others
  const isOwned = entries.some((one) => typeof one.project === 'string')
  const input = { name, description, project: isOwned ? project : null, constraints }
  return isInput.Check(input) ? input : undefined
}

/** Returns true if the existing segment differs from the document. */
export const isOtherSegment = ({ here, coming }: SegmentFinding): boolean =>
  here !== null && coming !== null && !areSameConstraints(here, coming)
