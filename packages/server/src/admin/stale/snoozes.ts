import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { putSnoozes, readSnoozes, removeSnoozes } from '@burgee/storage/queries/flags/snoozes'
import type { Change } from '../../core/execute.ts'
import { type FeatureRefs, requireFeatures } from '../flags/lifecycle.ts'

const YEAR_MS = 366 * 86_400_000

/**
 * Snoozes flags until a time within a year, or ends their snooze, atomically (all flags or none). Creates no event for
 * flags whose snooze does not change. Throws ValidationError, and NotFoundError for a missing or archived flag.
 */
export const snoozeFeatures: Change<FeatureRefs & { until: string | null; by: string }, void> = async (
  tx,
  { until: text, by, ...refs },
  { now },
) => {
  const until = text === null ? null : Date.parse(text)
  // an invalid time fails both comparisons
  if (until !== null && !(until > now && until <= now + YEAR_MS)) {
    throw invalid('"until" must be a time within the next year.', 'body/until')
  }
  const rows = await requireFeatures(tx, refs)
  const archived = rows.find((row) => row.archived_at !== null)
  if (archived !== undefined) throw notFound(`The flag "${archived.name}" is archived.`)
  const names = rows.map(({ name }) => name)
  const before = await readSnoozes(tx, names)
  // treat an expired snooze as if there were none
  const held = (name: string) => {
    const at = before.get(name)?.until ?? 0
    return at > now ? at : null
  }
  const changing = rows.filter(({ name }) => held(name) !== until)
  if (until === null) await removeSnoozes(tx, names)
  else
    await putSnoozes(
      tx,
      changing.map(({ name }) => ({ feature_name: name, until, created_by: by })),
    )
  const events = changing.map(({ name, project }): NewEvent => {
    const was = held(name)
    return {
      type: until === null ? 'feature-unsnoozed' : 'feature-snoozed',
      project,
      featureName: name,
      ...(until === null ? {} : { data: { until: new Date(until).toISOString() } }),
      ...(was === null ? {} : { preData: { until: new Date(was).toISOString() } }),
    }
  })
  return { result: undefined, events }
}
