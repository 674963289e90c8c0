import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { type Author, usePersonNames } from '../people/person-names.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { InitialsAvatar } from '../ui/page/initials-avatar.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './change-requests.module.css'
import { REQUEST_TEXTS } from './texts.ts'

interface Entry {
  readonly at: string
  /** User who moved the request to this state; undefined if the server did so itself or the user is unknown. */
  readonly by: Author | undefined
  /** Describes the entry. `name` is undefined if the author is unknown. */
  readonly describe: (name: string | undefined, when: string) => string
}

/** States that a change request has passed through, each with its time and user, oldest first. */
export function Timeline({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { ago, time } = useFormat()
  const entries = listEntries(request, t).toSorted((a, b) => a.at.localeCompare(b.at))
  const nameOf = usePersonNames(entries.flatMap(({ by }) => by ?? []))
  return (
    <Section title={t.timeline}>
      <ol className={styles.timeline}>
        {entries.map(({ at, by, describe }) => {
          const name = by && nameOf(by)
          const text = describe(name, ago(at))
          return (
            <li key={text} title={time(at)}>
              {name !== undefined && <InitialsAvatar name={name} />}
              <span>{text}</span>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

type Words = (typeof REQUEST_TEXTS)['en']

function listEntries(request: ChangeRequest, t: Words): Entry[] {
  const { createdBy, createdAt, approvals, rejections, stateTimestamps, appliedBy, scheduledBy } = request
  const atState = (state: string, describe: Entry['describe'], by?: Author): Entry[] => {
    const at = stateTimestamps[state]
    return at === undefined ? [] : [{ at, by, describe }]
  }
  return [
    { at: createdAt, by: createdBy, describe: t.created },
    ...atState('In review', t.submitted, createdBy),
    ...approvals.map((one) => ({ at: one.createdAt, by: one.createdBy, describe: t.approved })),
    ...rejections.map((one) => ({ at: one.createdAt, by: one.createdBy, describe: t.rejected })),
    ...atState('Approved', t.wasApproved),
    ...atState('Scheduled', t.wasScheduled, scheduledBy),
    ...atState('Cancelled', t.wasCancelled),
    ...atState('Applied', t.applied, appliedBy),
  ]
}
