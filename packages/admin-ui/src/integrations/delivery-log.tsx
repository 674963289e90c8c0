import type { IntegrationEvent } from '@burgee/protocol/administration/integration'
import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getEventSubject } from '../events/event-subject.ts'
import { EVENT_TEXTS } from '../events/texts.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { DefinitionList } from '../ui/page/definition-list.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { DeliveryBadge } from './delivery-badge.tsx'
import { fetchDeliveries } from './integration-calls.ts'
import styles from './integrations.module.css'
import { INTEGRATION_TEXTS } from './texts.ts'

const REFRESH_MS = 5000

/** Last hundred delivery attempts of an integration, newest first, with live updates. */
export function DeliveryLog({ id, name, close }: { id: number; name: string; close: () => void }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const answer = useQuery({
    queryKey: ['deliveries', id],
    queryFn: () => fetchDeliveries(id),
    refetchInterval: REFRESH_MS,
  })
  return (
    <SidePanel title={t.logOf(name)} close={close} isWide>
      <Loaded answer={answer}>
        {(tries) =>
          tries.length === 0 ? (
            <Text>
              <strong>{t.noTries}.</strong> {t.noTriesText}
            </Text>
          ) : (
            <AttemptTable tries={tries} />
          )
        }
      </Loaded>
    </SidePanel>
  )
}

function AttemptTable({ tries }: { tries: readonly IntegrationEvent[] }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { time, number } = useFormat()
  return (
    <Table label={t.tries} isDense columns={[t.when, t.event, t.outcome, { number: t.took }]}>
      {tries.map((one) => (
        <tr key={one.id}>
          <th scope="row" className={ui.short}>
            {time(one.createdAt)}
          </th>
          <td>
            <DeliveredEvent one={one} />
          </td>
          <td>
            <Outcome one={one} />
          </td>
          <td className={ui.number}>{t.milliseconds(number(one.durationMs))}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Event that was delivered, with its name from the event log. */
function DeliveredEvent({ one: { event, eventId, attempt } }: { one: IntegrationEvent }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { types } = useCatalogue(EVENT_TEXTS).log
  if (event === null) return eventId === null ? (attempt === 0 ? t.dropped : t.aTest) : t.eventGone
  return (
    <>
      {types[event.type] ?? event.type} <strong>{getEventSubject(event)}</strong>{' '}
      {event.environment !== null && <EnvironmentChip name={event.environment} />}
    </>
  )
}

function Outcome({ one }: { one: IntegrationEvent }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { time } = useFormat()
  const { state, status, stateDetails, attempt, details } = one
  return (
    <Stack gap={2}>
      <span>
        <DeliveryBadge state={state} /> {status !== null && t.status(status)}
        {attempt > 1 && ` · ${t.attempt(attempt)}`}
      </span>
      {stateDetails !== '' && (
        <span className={styles.error} lang="en">
          {stateDetails}
        </span>
      )}
      {state !== 'success' && one.eventId !== null && (
        <Text size="sm" c="dimmed">
          {details.nextAttemptAt === null ? t.givenUp : t.again(time(details.nextAttemptAt))}
        </Text>
      )}
    </Stack>
  )
}

/** Result of a test delivery. */
export interface TestResult {
  readonly name: string
  readonly outcome: IntegrationEvent
}

/** Dialog with the result of a test delivery: the response, or the reason why there was none. */
export function TestDialog({ tested: { name, outcome }, close }: { tested: TestResult; close: () => void }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { number } = useFormat()
  const isGood = outcome.state === 'success'
  return (
    <Dialog title={t.testOf(name)} close={close} size="md">
      <Stack>
        <Alert color={isGood ? 'teal' : 'red'} role="status" title={isGood ? t.testGood : t.testBad}>
          {outcome.stateDetails === '' ? t.testGoodText : <span lang="en">{outcome.stateDetails}</span>}
        </Alert>
        <DefinitionList
          facts={[
            [t.answer, outcome.status === null ? t.noAnswer : t.status(outcome.status)],
            [t.took, t.milliseconds(number(outcome.durationMs))],
          ]}
        />
      </Stack>
    </Dialog>
  )
}
