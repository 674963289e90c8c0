import type { Fleet, FleetApplication, FleetEdge, FleetNode } from '@burgee/protocol/administration/delivery-receipt'
import { Alert, Badge, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchFleet } from '../api/fleet.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import styles from './fleet.module.css'
import { FLEET_TEXTS } from './texts.ts'

const REFETCH_MS = 5000

/** Page about server nodes, edges, proxies and applications, with the revision that each of them has. */
export function FleetPage() {
  const own = useCatalogue(FLEET_TEXTS)
  const answer = useQuery({ queryKey: ['fleet'], queryFn: fetchFleet, refetchInterval: REFETCH_MS })
  return (
    <Page
      title={own.title}
      intro={
        <Text c="dimmed" mb="md">
          {own.intro}
        </Text>
      }
    >
      <Loaded answer={answer}>{(fleet) => <FleetSections fleet={fleet} />}</Loaded>
    </Page>
  )
}

function FleetSections({ fleet }: { fleet: Fleet }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { nodes, edges, applications, isIncomplete } = fleet
  return (
    <Stack gap="lg">
      <Summary fleet={fleet} />
      {isIncomplete && <Alert color="yellow">{own.incomplete}</Alert>}
      <Section title={own.nodes}>
        <NodeTable nodes={nodes} />
      </Section>
      <Section title={own.edges}>
        {edges.length === 0 ? <Text>{own.noEdges}</Text> : <EdgeTable edges={edges} />}
      </Section>
      <Section title={own.applications}>
        {applications.length === 0 ? (
          <Text>
            <strong>{own.noApplications}.</strong> {own.noApplicationsText}
          </Text>
        ) : (
          <ApplicationTable applications={applications} />
        )}
      </Section>
    </Stack>
  )
}

/** Summary of the whole fleet in one sentence. */
function Summary({ fleet: { applications, edges } }: { fleet: Fleet }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { number } = useFormat()
  if (applications.length + edges.length === 0) return null
  const edgesBehind = edges.filter(({ environments }) => environments.some(({ isBehind }) => isBehind)).length
  const behind = sum(applications, ({ isBehind, connections }) => (isBehind ? connections : 0)) + edgesBehind
  const silent = sum(applications, (one) => one.silent) + edges.filter(({ isSilent }) => isSilent).length
  const isGood = behind + silent === 0
  const parts = [
    ...(behind === 0 ? [] : [own.behindCount(number(behind))]),
    ...(silent === 0 ? [] : [own.silentCount(number(silent))]),
  ]
  return (
    <Text role="status" className={`${styles.summary} ${silent > 0 ? styles.silent : ''}`}>
      {isGood ? own.summaryGood : parts.join(', ')}
    </Text>
  )
}

function NodeTable({ nodes }: { nodes: readonly FleetNode[] }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { number } = useFormat()
  return (
    <Table label={own.nodes} columns={[own.name, { number: own.connections }, { number: own.streams }]}>
      {nodes.map(({ name, isThis, connections, streams }) => (
        <tr key={name}>
          <th scope="row">{isThis ? own.thisNode : name}</th>
          <td className={ui.number}>{number(connections)}</td>
          <td className={ui.number}>{number(streams)}</td>
        </tr>
      ))}
    </Table>
  )
}

function EdgeTable({ edges }: { edges: readonly FleetEdge[] }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { ago, number } = useFormat()
  const columns = [own.name, own.version, own.holds, { number: own.connections }, { number: own.streams }]
  return (
    <Table label={own.edges} columns={[...columns, own.latency, own.lastSeen, own.state]}>
      {edges.map((edge) => (
        <tr key={`${edge.name} ${edge.version}`}>
          <th scope="row">{edge.name}</th>
          <td>{edge.version ?? '–'}</td>
          <td>
            {edge.environments.map(({ environment, holds }) => (
              <div key={environment}>
                <EnvironmentChip name={environment} /> {holds ?? own.noRevision}
              </div>
            ))}
          </td>
          <td className={ui.number}>{number(edge.connections)}</td>
          <td className={ui.number}>{number(edge.streams)}</td>
          <td>{edge.upstreamP99Ms === null ? '–' : own.milliseconds(number(edge.upstreamP99Ms))}</td>
          <td>{ago(edge.lastSeen)}</td>
          <td>
            <State
              silent={edge.isSilent ? own.isSilent : undefined}
              isBehind={edge.environments.some(({ isBehind }) => isBehind)}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function ApplicationTable({ applications }: { applications: readonly FleetApplication[] }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { ago, number } = useFormat()
  const columns = [own.application, own.environment, own.via, own.holds, { number: own.connections }]
  return (
    <Table label={own.applications} columns={[...columns, own.lastSeen, own.state]}>
      {applications.map((one) => (
        <tr key={JSON.stringify([one.appName, one.environment, one.projects, one.sdk, one.via, one.holds])}>
          <th scope="row">
            {one.appName || '–'}
            {one.sdk !== null && (
              <Text size="xs" c="dimmed">
                {one.sdk}
              </Text>
            )}
          </th>
          <td>
            <EnvironmentChip name={one.environment} />
          </td>
          <td>{one.via ?? own.direct}</td>
          <td>{one.holds ?? own.noRevision}</td>
          <td className={ui.number}>{number(one.connections)}</td>
          <td>{ago(one.lastSeen)}</td>
          <td>
            <State silent={one.silent > 0 ? own.silent(number(one.silent)) : undefined} isBehind={one.isBehind} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Badge for a row: red if it is silent, yellow if it lags behind. */
function State({ silent, isBehind }: { silent: string | undefined; isBehind: boolean }) {
  const own = useCatalogue(FLEET_TEXTS)
  if (silent !== undefined) {
    return (
      <Badge color="red" variant="filled" tt="none">
        {silent}
      </Badge>
    )
  }
  return (
    <Badge color={isBehind ? 'yellow' : 'green'} variant="light" tt="none">
      {isBehind ? own.behind : own.current}
    </Badge>
  )
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0)
}
