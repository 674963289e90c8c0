import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './change-requests.module.css'
import { REQUEST_TEXTS } from './texts.ts'

interface Entry {
  readonly at: string
  readonly text: string
}

/** States that a change request has had, with time and user, oldest first. */
export function Timeline({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { ago, time } = useFormat()
  const entries = listEntries(request, t, ago).toSorted((a, b) => a.at.localeCompare(b.at))
  return (
    <Section title={t.timeline}>
      <ol className={styles.timeline}>
        {entries.map(({ at, text }) => (
          <li key={text} title={time(at)}>
            {text}
          </li>
        ))}
      </ol>
    </Section>
  )
}

type Words = (typeof REQUEST_TEXTS)['en']

function listEntries(request: ChangeRequest, t: Words, ago: (at: string) => string): Entry[] {
  const { createdBy, createdAt, approvals, rejections, stateTimestamps, appliedBy } = request
  const atState = (state: string, describe: (when: string) => string): Entry[] => {
    const at = stateTimestamps[state]
    return at === undefined ? [] : [{ at, text: describe(ago(at)) }]
  }
  const applied = appliedBy === undefined ? t.wasApplied : (when: string) => t.applied(appliedBy.username, when)
  return [
    { at: createdAt, text: t.created(createdBy.username, ago(createdAt)) },
    ...atState('In review', t.submitted),
    ...approvals.map((one) => ({ at: one.createdAt, text: t.approved(one.createdBy.username, ago(one.createdAt)) })),
    ...rejections.map((one) => ({ at: one.createdAt, text: t.rejected(one.createdBy.username, ago(one.createdAt)) })),
    ...atState('Approved', t.wasApproved),
    ...atState('Scheduled', t.wasScheduled),
    ...atState('Cancelled', t.wasCancelled),
    ...atState('Applied', applied),
  ]
}
