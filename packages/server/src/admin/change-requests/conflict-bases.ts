import { createHash } from 'node:crypto'
import type { ChangePayload } from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import type { ChangeBase } from '@burgee/storage/queries/change-requests/change-request-tables'
import type { ChangeRow } from '@burgee/storage/queries/change-requests/changes'
import { listParents } from '@burgee/storage/queries/flags/dependencies'
import { findFeatureInEnvironment } from '@burgee/storage/queries/flags/features'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import { findDefaultStrategy, type ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { findSegment, readConstraintsOfSegments } from '@burgee/storage/queries/targeting/segments'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'

/** Object that a proposed change affects: a flag in an environment, or a segment. */
export type Subject = { readonly feature: string; readonly environment: string } | { readonly segment: number }

/** Returns the object that a change in a change request affects. */
export function getSubject(row: Pick<ChangeRow, 'feature_name' | 'segment_id'>, environment: string): Subject {
  return row.feature_name === null ? { segment: row.segment_id ?? 0 } : { feature: row.feature_name, environment }
}

/**
 * Returns the state of a segment, or of a flag in one environment, with a hash of each part. Returns undefined if that
 * object does not exist.
 */
export async function readBase(reader: Reader, subject: Subject): Promise<ChangeBase | undefined> {
  if ('segment' in subject) {
    const row = await findSegment(reader, subject.segment)
    return row && { segment: hashState([row.name, row.description, row.project, row.constraints]) }
  }
  const flag = await readFlagRows(reader, subject.feature, subject.environment)
  if (flag === undefined) return undefined
  const { feature, state, strategies, parents } = flag
  return {
    project: feature.project,
    archived: feature.archived_at !== null,
    enabled: state.enabled === 1,
    variants: hashState(state.variants),
    strategies: Object.fromEntries(
      strategies.map(({ id, created_at: _, ...row }) => [
        id,
        hashState([
          row.name,
          row.title,
          row.disabled,
          row.parameters,
          row.constraints,
          row.variants,
          row.sort_order,
          row.segments,
        ]),
      ]),
    ),
    parents: hashState(parents),
  }
}

/**
 * Returns the rows of a flag in one environment that changes can affect; undefined if the flag does not exist there.
 */
export async function readFlagRows(reader: Reader, name: string, environment: string) {
  const [found, strategies, parents] = await inOneRoundTrip([
    findFeatureInEnvironment(reader, name, environment),
    listStrategies(reader, name, environment),
    listParents(reader, name),
  ])
  if (found?.state === undefined) return undefined
  return { feature: found.feature, state: found.state, strategies, parents }
}

/** Adds a hash of other stored data on which the change depends, such as the segments of a strategy. */
export async function addUsedState(
  reader: Reader,
  base: ChangeBase | undefined,
  { environment, ...change }: Pick<ChangeRow, 'action' | 'payload'> & Pick<ProjectEnvironmentKey, 'environment'>,
): Promise<ChangeBase | undefined> {
  if (base === undefined || 'segment' in base) return base
  return { ...base, used: await readUsedHash(reader, { project: base.project, environment }, change) }
}

/**
 * Returns a hash of the segments that a change uses, and of the default strategy that would be added if the change
 * turned the flag on. The default strategy is included even if the flag currently has strategies, because another
 * change in the request may remove them. Returns undefined if the change depends on neither segments nor the default
 * strategy.
 */
async function readUsedHash(
  reader: Reader,
  place: ProjectEnvironmentKey,
  { action, payload }: Pick<ChangeRow, 'action' | 'payload'>,
): Promise<string | undefined> {
  if (action === 'updateEnabled') {
    if (!(payload as ChangePayload<'updateEnabled'>).enabled) return undefined
    const strategy = await findDefaultStrategy(reader, place)
    return hashState([strategy ?? null, await readSegmentConstraints(reader, strategy?.segments)])
  }
  if (action !== 'addStrategy' && action !== 'updateStrategy') return undefined
  const { segments = [] } = payload as ChangePayload<'addStrategy' | 'updateStrategy'>
  return segments.length === 0 ? undefined : hashState(await readSegmentConstraints(reader, segments))
}

async function readSegmentConstraints(reader: Reader, ids: readonly number[] = []) {
  return [...(await readConstraintsOfSegments(reader, ids))].sort(([a], [b]) => a - b)
}

/** Describes how a flag or segment has changed since the proposal; undefined if it is unchanged. */
export function describeMove(before: ChangeBase, now: ChangeBase | undefined): string | undefined {
  if (now === undefined)
    return 'segment' in before ? 'The segment was deleted.' : 'The flag is no longer in this environment.'
  if ('segment' in before || 'segment' in now) {
    const isSame = 'segment' in before && 'segment' in now && before.segment === now.segment
    return isSame ? undefined : 'The segment has changed.'
  }
  const reasons = [
    before.project === now.project ? [] : [`it was moved to the project "${now.project}"`],
    before.archived === now.archived ? [] : [now.archived ? 'it was archived' : 'it was revived'],
    before.enabled === now.enabled ? [] : [now.enabled ? 'it was turned on' : 'it was turned off'],
    before.variants === now.variants ? [] : ['its variants have changed'],
    before.parents === now.parents ? [] : ['its dependencies have changed'],
    describeStrategyMoves(before.strategies, now.strategies),
    before.used === now.used ? [] : ['the segments or the default strategy that the change includes have changed'],
  ].flat()
  return reasons.length === 0 ? undefined : `The flag has changed since the change was proposed: ${reasons.join(', ')}.`
}

const MAX_NAMED = 10

function describeStrategyMoves(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((id) => before[id] !== now[id])
  return ids.slice(0, MAX_NAMED).map((id) => {
    const what = before[id] === undefined ? 'was added' : now[id] === undefined ? 'was removed' : 'has changed'
    return `the strategy "${id}" ${what}`
  })
}

/** Returns a short hash of a state. */
export function hashState(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
