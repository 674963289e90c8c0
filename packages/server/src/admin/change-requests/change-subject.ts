import { notFound } from '@burgee/kit/input/refusals'
import type { Reader, Tx } from '@burgee/storage/database'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { requireSegment } from '../targeting/segments.ts'
import { type CheckedChange, isOfSegment } from './change-actions.ts'
import { addUsedState, getSubject, readBase } from './conflict-bases.ts'
import type { RequestAct } from './request-ref.ts'

/** Returns the flag or segment that a change affects, and its current state. Throws NotFoundError. */
export async function readSubject(
  tx: Tx,
  { feature, action, payload }: CheckedChange & { readonly feature: string | null },
  place: ProjectEnvironmentKey & Pick<RequestAct, 'actor'>,
) {
  const about = isOfSegment(action)
    ? await readSegmentSubject(tx, payload, place.actor)
    : { feature_name: feature, segment_id: null, segment_name: null }
  const { environment } = place
  const base = await addUsedState(tx, await readBase(tx, getSubject(about, environment)), {
    action,
    payload,
    environment,
  })
  const isElsewhere = base !== undefined && 'project' in base && base.project !== place.project
  if (base === undefined || isElsewhere) throw notFound(`There is no flag "${feature}" in project "${place.project}".`)
  if ('archived' in base && base.archived) throw notFound(`The flag "${feature}" is archived.`)
  return { ...about, base }
}

async function readSegmentSubject(reader: Reader, payload: unknown, { hidden }: RequestAct['actor']) {
  const { id, name } = await requireSegment(reader, (payload as { readonly id: number }).id, hidden)
  return { feature_name: null, segment_id: id, segment_name: name }
}
