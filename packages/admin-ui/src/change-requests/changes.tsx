import type { ChangeRequest, PreviousState, ProposedChange } from '@burgee/protocol/administration/change-request'
import type { DependencyInput } from '@burgee/protocol/batch'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { discardChange, rebaseChange } from '../api/change-requests.ts'
import { getFlagQuery } from '../api/queries.ts'
import { FLAG_TEXTS } from '../flag/texts.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { ChangeGaps } from './change-gaps.tsx'
import { ChangeImpact } from './change-impact.tsx'
import styles from './change-requests.module.css'
import { type AddedStrategy, type ChangeText, type CurrentFlag, describeChange } from './change-text.ts'
import { type LinePart, markDifferences } from './marked-lines.ts'
import type { RequestRights } from './step-rights.ts'
import { REQUEST_TEXTS } from './texts.ts'
import { usePlanLines } from './use-plan-lines.ts'

const AFFECTED_QUERIES = ['change-request', 'change-requests']

interface Props {
  readonly request: ChangeRequest
  readonly rights: RequestRights
}

/** Changes of a change request, grouped by flag, each with the states before and after. */
export function Changes({ request, rights }: Props) {
  const t = useCatalogue(REQUEST_TEXTS)
  return (
    <>
      {request.features.map(({ name, changes, defaultChange, previous }) => (
        <FlagChanges
          key={name}
          request={request}
          rights={rights}
          name={name}
          changes={changes}
          added={defaultChange?.payload}
          previous={previous}
        />
      ))}
      {request.segments.map((change) => (
        <Section key={change.id} title={t.segment(change.name)}>
          <ul className={styles.changes}>
            <ChangeCard request={request} rights={rights} change={change} of={change.name} now={undefined} />
          </ul>
        </Section>
      ))}
    </>
  )
}

interface FlagProps extends Props {
  readonly name: string
  readonly changes: readonly ProposedChange[]
  /** Default strategy that the flag gets when it is turned on. */
  readonly added: AddedStrategy | undefined
  /** State before the request was applied. */
  readonly previous: PreviousState | undefined
}

function FlagChanges({ request, rights, name, changes, added, previous }: FlagProps) {
  const { project, environment, state } = request
  // Applied requests are compared with the state before they were applied; other closed requests are not compared.
  const isOpen = state !== 'Applied' && state !== 'Cancelled' && state !== 'Rejected'
  const { data } = useQuery({ ...getFlagQuery({ project, feature: name }), enabled: isOpen })
  const here = isOpen ? data?.environments.find((one) => one.name === environment) : undefined
  const now: CurrentFlag | undefined = here
    ? { ...here, dependencies: (data?.dependencies ?? []) as DependencyInput[] }
    : previous
  const { toFlag } = useCatalogue(REQUEST_TEXTS)
  const link = (
    <Link to="/projects/$project/features/$feature" params={{ project, feature: name }} className={ui.link ?? ''}>
      {toFlag}
    </Link>
  )
  return (
    <Section title={name} actions={link}>
      <ul className={styles.changes}>
        {changes.map((change, index) => (
          <ChangeCard
            key={change.id}
            request={request}
            rights={rights}
            change={change}
            earlier={changes.slice(0, index)}
            now={now}
            added={added}
            of={name}
            isOpen={isOpen}
          />
        ))}
      </ul>
    </Section>
  )
}

interface ChangeProps extends Props {
  readonly change: ProposedChange
  /** Name of the flag or segment. */
  readonly of: string
  readonly now: Parameters<typeof describeChange>[1]
  readonly added?: AddedStrategy | undefined
  /** Earlier changes to the same flag, which are applied before this change. */
  readonly earlier?: readonly ProposedChange[]
  /** True if the request has not been closed, so that the change can still have an impact. */
  readonly isOpen?: boolean
}

function ChangeCard({ request, rights, change, of, now, added, earlier = [], isOpen = false }: ChangeProps) {
  const own = useCatalogue(REQUEST_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const { dependencies: parents } = useCatalogue(FLAG_TEXTS)
  const segmentName = useSegmentName()
  const act = useAction()
  const place = { project: request.project, feature: of, environment: request.environment }
  const planLines = usePlanLines(change, place)
  const text = { ...describeChange(change, now, { own, words, parents, segmentName }, added), ...planLines }
  const remove = () =>
    act({
      what: own.takeOut,
      run: () => discardChange(request, change.id),
      done: own.takenOut,
      changes: AFFECTED_QUERIES,
    })
  return (
    <li className={styles.change}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>{text.what}</Text>
        {rights.mayEdit && <RowButton label={own.takeOutLabel(text.what, of)} text={own.takeOut} act={remove} />}
      </Group>
      <BeforeAfter text={text} isPast={request.state === 'Applied'} />
      {now !== undefined && (
        <ChangeImpact place={place} change={change} earlier={earlier} now={now} added={added} isOpen={isOpen} />
      )}
      {now !== undefined && isOpen && (
        <ChangeGaps place={place} change={change} earlier={earlier} now={now} added={added} />
      )}
      {change.conflict !== undefined && <Conflict request={request} change={change} mayEdit={rights.mayEdit} />}
      {change.scheduleConflicts !== undefined && (
        <Text size="sm" c="var(--warn)">
          {own.alsoScheduled(
            change.scheduleConflicts.changeRequests.map(({ title, id }) => title ?? `#${id}`).join(', '),
          )}
        </Text>
      )}
    </li>
  )
}

/**
 * Descriptions before and after a change, in which the words that differ are marked. If the change has no effect, shows
 * a note. `isPast` is true if the request was applied.
 */
function BeforeAfter({ text: { before, after }, isPast }: { text: ChangeText; isPast: boolean }) {
  const t = useCatalogue(REQUEST_TEXTS)
  if (before.length === 0 && after.length === 0) return null
  const shown = after.length > 0 ? after : [t.nothing]
  if (before.length > 0 && before.join('\n') === shown.join('\n')) {
    return (
      <Text size="sm" c="dimmed">
        {t.noChange(before.join(', '))}
      </Text>
    )
  }
  const pairs = Array.from({ length: Math.max(before.length, shown.length) }, (_, index) =>
    markDifferences(before[index] ?? '', shown[index] ?? ''),
  )
  return (
    <dl className={styles.sides}>
      {before.length > 0 && <Side term={isPast ? t.before : t.now} lines={pairs.map((pair) => pair.before)} isBefore />}
      <Side term={t.after} lines={pairs.map((pair) => pair.after)} isNew={before.length === 0} />
    </dl>
  )
}

interface SideProps {
  readonly term: string
  readonly lines: readonly (readonly LinePart[])[]
  readonly isBefore?: boolean
  /** True if there is no previous state, so that nothing is marked. */
  readonly isNew?: boolean
}

function Side({ term, lines, isBefore = false, isNew = false }: SideProps) {
  return (
    <div className={styles.side} data-before={isBefore || undefined} data-new={isNew || undefined}>
      <dt>{term}</dt>
      <dd>
        {lines.map((parts, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
          <div key={index}>
            {parts.map(({ text, isChanged }, part) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
              isChanged && !isNew ? <mark key={part}>{text}</mark> : text,
            )}
          </div>
        ))}
      </dd>
    </div>
  )
}

function Conflict({ request, change, mayEdit }: Pick<ChangeProps, 'request' | 'change'> & { mayEdit: boolean }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const act = useAction()
  const renew = () =>
    act({ what: t.renew, run: () => rebaseChange(request, change), done: t.renewed, changes: AFFECTED_QUERIES })
  return (
    <Alert color="red" role="alert" mt="xs">
      {t.conflict}
      {mayEdit && (
        <Button size="compact-sm" variant="default" mt="xs" display="block" onClick={() => void renew()}>
          {t.renew}
        </Button>
      )}
    </Alert>
  )
}
