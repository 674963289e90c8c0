import type {
  FeatureImport,
  SegmentFinding,
  TransferredSegment,
} from '@burgee/protocol/administration/feature-transfer'
import { SegmentInput } from '@burgee/protocol/targeting/segment'
import { Compile } from 'typebox/compile'
import type { SegmentRow } from '../../store/targeting/segments.ts'
import { areSameConstraints } from '../targeting/same-strategy.ts'
import { isSegmentSeen } from '../targeting/segments.ts'

/** What flags of a document need of segments, and what of that is here. */
export interface ImportSegments {
  /** Ids of all that are here by their names. */
  readonly ids: ReadonlyMap<string, number>
  /** Names of those that are missing, and ids that the document does not name. */
  readonly missing: readonly string[]
  /** Names of those that belong to other projects here. */
  readonly foreign: readonly string[]
  /** Those to be made, where the caller wants it. */
  readonly toCreate: readonly SegmentInput[]
  /** Those to be looked at, by the places in the document. */
  readonly findings: readonly SegmentFinding[]
}

const isInput = Compile(SegmentInput)

/**
 * Compares the segments of a document with those here, by name. One that is missing can be made where the document says
 * once what it is; one that belongs to a project will belong to that of the import.
 */
export function importSegments(
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
    if (row !== undefined && isSegmentSeen(row, hidden)) {
      if (row.project !== null && row.project !== project) foreign.push(name)
      else findings.push(...comparedOf(row, entries))
      continue
    }
    // of a project that is hidden nothing is told, and the name is taken
    const input = row === undefined ? inputOf(entries, project) : undefined
    if (input !== undefined && createMissingSegments) toCreate.push(input)
    else missing.push(name)
    findings.push({ name, here: null, coming: input?.constraints ?? null, isCreatable: input !== undefined })
  }
  const unnamed = [...used].filter((id) => !named.has(id)).map(String)
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return { ids, missing: [...missing, ...unnamed], foreign, toCreate, findings }
}

/** What is to be said of a segment that is here: that it says something else, or nothing at all. */
function comparedOf({ name, constraints: here }: SegmentRow, entries: readonly TransferredSegment[]): SegmentFinding[] {
  const said = entries.flatMap(({ constraints }) => (constraints === undefined ? [] : [constraints]))
  const other = said.find((constraints) => !areSameConstraints(constraints, here))
  if (other === undefined && here.length > 0) return []
  return [{ name, here, coming: other ?? said[0] ?? null, isCreatable: false }]
}

/** The segment that entries of one name are; undefined where one does not say it, or says something else. */
function inputOf(entries: readonly TransferredSegment[], project: string): SegmentInput | undefined {
  const [first] = entries
  const constraints = first?.constraints
  if (first === undefined || constraints === undefined) return undefined
  if (!entries.every((one) => one.constraints && areSameConstraints(one.constraints, constraints))) return undefined
  const { name, description = null } = first
  // narrower than for all: whoever made it for a project did not mean others to use it
  const isOwned = entries.some((one) => typeof one.project === 'string')
  const input = { name, description, project: isOwned ? project : null, constraints }
  return isInput.Check(input) ? input : undefined
}

/** Whether a segment here says something else than the document does. */
export const isOtherSegment = ({ here, coming }: SegmentFinding): boolean =>
  here !== null && coming !== null && !areSameConstraints(here, coming)
