import type { InstanceStatistics } from '@burgee/protocol/statistics'
import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BASE_PATH } from '../api/http.ts'
import { fetchHealth, fetchStatistics } from '../api/instance.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { DefinitionList } from '../ui/page/definition-list.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import styles from './instance.module.css'
import { MaintenanceSection } from './maintenance-section.tsx'
import { OriginsSection } from './origins.tsx'
import { PrometheusSection } from './prometheus-section.tsx'
import { RetentionSection } from './retention.tsx'
import { INSTANCE_TEXTS } from './texts.ts'

const REFRESH_MS = 30_000
/** Pattern for the SDK names that proxies report. */
const PROXY = /proxy|edge/i

/** Page about the installation, its contents and its clients. */
export function InstancePage() {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const answer = useQuery({ queryKey: ['statistics'], queryFn: fetchStatistics, refetchInterval: REFRESH_MS })
  return (
    <Page title={own.title}>
      <Loaded answer={answer}>
        {(now) => (
          <Stack gap="lg">
            <InstallationFacts now={now} />
            <Counts now={now} />
            <Sdks sdks={now.sdks} />
            <RetentionSection now={now} />
            <OriginsSection />
            <PrometheusSection />
            <MaintenanceSection />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function InstallationFacts({ now }: { now: InstanceStatistics }) {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  return (
    <Section
      title={own.what}
      actions={
        <Anchor href={`${BASE_PATH}/docs/openapi`} target="_blank">
          {own.docs}
        </Anchor>
      }
    >
      <DefinitionList
        facts={[
          [own.version, now.version],
          [own.database, own.databases[now.database]],
          [own.address, <code key="address">{`${location.origin}${BASE_PATH}`}</code>],
          [own.instanceId, <code key="id">{now.instanceId}</code>],
          [own.health, <State key="process" of="process" />],
          [own.ready, <State key="database" of="database" />],
        ]}
      />
    </Section>
  )
}

function State({ of }: { of: 'process' | 'database' }) {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const { data } = useQuery({ queryKey: ['health'], queryFn: fetchHealth, refetchInterval: REFRESH_MS })
  if (data === undefined) return '…'
  return (
    <Badge variant="light" color={data[of] ? 'teal' : 'red'} tt="none">
      {data[of] ? own.good : own.bad}
    </Badge>
  )
}

function Counts({ now }: { now: InstanceStatistics }) {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const { number } = useFormat()
  const figures: readonly (readonly [string, number])[] = [
    [own.flags, now.featureToggles],
    [own.archived, now.archivedFeatureToggles],
    [own.strategies, now.strategies],
    [own.segments, now.segments],
    [own.projects, now.projects],
    [own.environments, now.environments],
    [own.fields, now.contextFields],
    [own.users, now.users],
    [own.activeUsers, now.activeUsers.last30],
    [own.clientTokens, now.apiTokens.client],
    [own.frontendTokens, now.apiTokens.frontend],
    [own.adminTokens, now.apiTokens.admin],
  ]
  return (
    <Section title={own.counts}>
      <dl className={styles.figures}>
        {figures.map(([term, count]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Sdks({ sdks }: { sdks: InstanceStatistics['sdks'] }) {
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  const { number, ago } = useFormat()
  return (
    <Section title={own.sdks}>
      {sdks.length === 0 ? (
        <Text>
          <strong>{own.noSdks}.</strong> {own.noSdksText}
        </Text>
      ) : (
        <SdkTable>
          {sdks.map(({ sdkVersion, instances, lastSeen }) => (
            <tr key={sdkVersion ?? ''}>
              <th scope="row">
                {sdkVersion ?? own.sdkUnknown}{' '}
                {PROXY.test(sdkVersion ?? '') && (
                  <Badge variant="light" tt="none">
                    {own.proxy}
                  </Badge>
                )}
              </th>
              <td className={ui.number}>{number(instances)}</td>
              <td className={ui.short}>{ago(lastSeen)}</td>
            </tr>
          ))}
        </SdkTable>
      )}
    </Section>
  )
}

function SdkTable({ children }: { children: React.ReactNode }) {
  const t = useTexts()
  const { instance: own } = useCatalogue(INSTANCE_TEXTS)
  return (
    <Table label={own.sdks} columns={[own.sdk, { number: own.processes }, t.common.lastSeen]}>
      {children}
    </Table>
  )
}
