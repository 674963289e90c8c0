import type { Delivery, PendingConnection } from '@burgee/protocol/administration/delivery-receipt'
import { Alert, Badge, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FlagEnvironment } from '../api/flags.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Table } from '../ui/page/table.tsx'
import { createDeliveryQuery } from './delivery-query.ts'
import styles from './fleet.module.css'
import { FLEET_TEXTS } from './texts.ts'

const MAX_SHOWN = 100
const MS_PER_SECOND = 1000

interface Props {
  readonly place: FlagEnvironment
  readonly close: () => void
}

/**
 * Panel that shows where the latest change to a flag has taken effect, and which processes are still waiting for it.
 */
export function DeliveryPanel({ place, close }: Props) {
  const own = useCatalogue(FLEET_TEXTS)
  const answer = useQuery(createDeliveryQuery(place))
  return (
    <SidePanel title={own.panel(place.feature, place.environment)} close={close} isWide>
      <Loaded answer={answer}>{(delivery) => <Receipt delivery={delivery} />}</Loaded>
    </SidePanel>
  )
}

function Receipt({ delivery }: { delivery: Delivery }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { number } = useFormat()
  const { processes, streams, pages, edges, isIncomplete } = delivery
  return (
    <Stack gap="sm">
      <Headline delivery={delivery} />
      {processes.offered > 0 && <Text>{own.offered(number(processes.offered))}</Text>}
      {edges.length > 0 && (
        <Text>{own.edgesHold(number(edges.filter(({ isHeld }) => isHeld).length), number(edges.length))}</Text>
      )}
      {streams.open > 0 && <Text>{own.sentToStreams(number(streams.sent), number(streams.open))}</Text>}
      {pages.seen > 0 && <Text>{own.pages(number(pages.held), number(pages.seen))}</Text>}
      {isIncomplete && <Alert color="yellow">{own.incomplete}</Alert>}
      {processes.waiting.length > 0 && <PendingTable waiting={processes.waiting} />}
    </Stack>
  )
}

function Headline({ delivery: { processes, p50Ms, p99Ms } }: { delivery: Delivery }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { number } = useFormat()
  if (processes.known === 0) return <Text>{own.nothing}</Text>
  const seconds = (ms: number) => number(Math.round(ms / (MS_PER_SECOND / 10)) / 10)
  return (
    <div role="status">
      <Text className={styles.summary ?? ''}>{own.processes(number(processes.held), number(processes.known))}</Text>
      {p50Ms !== null && p99Ms !== null && <Text c="dimmed">{own.after(seconds(p50Ms), seconds(p99Ms))}</Text>}
    </div>
  )
}

function PendingTable({ waiting }: { waiting: readonly PendingConnection[] }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { number } = useFormat()
  return (
    <div>
      <Table
        label={own.waiting}
        columns={[own.application, own.process, own.via, own.holds, own.lastSeen, own.next, own.state]}
        isDense
      >
        {waiting.slice(0, MAX_SHOWN).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several rows can be equal in all that identifies them
          <PendingRow key={`${one.via} ${one.appName} ${one.connectionId} ${one.holds} ${index}`} waiting={one} />
        ))}
      </Table>
      {waiting.length > MAX_SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {own.more(number(MAX_SHOWN))}
        </Text>
      )}
    </div>
  )
}

function PendingRow({ waiting }: { waiting: PendingConnection }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { ago, number } = useFormat()
  const { appName, connectionId, isAbout, via, connections, state, holds, lastSeen, expectedBy, isSilent } = waiting
  const process = connectionId === null ? own.processCount(number(connections)) : connectionId.slice(0, 8)
  return (
    <tr>
      <th scope="row">{appName || '–'}</th>
      <td title={connectionId ?? undefined}>{isAbout ? `${own.about} ${process}` : process}</td>
      <td>{via ?? own.direct}</td>
      <td>{holds ?? own.noRevision}</td>
      <td>{lastSeen === null ? '–' : ago(lastSeen)}</td>
      <td>{isSilent ? own.overdue : expectedBy === null ? '–' : formatTime(expectedBy)}</td>
      <td>
        <Badge color={isSilent ? 'red' : 'yellow'} variant="light" tt="none">
          {isSilent ? own.isSilent : state === 'offered' ? own.offeredState : own.waitingState}
        </Badge>
      </td>
    </tr>
  )
}

/** Formats only the time of day, because the next poll is seconds or minutes away. */
function formatTime(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour12: false })
}
