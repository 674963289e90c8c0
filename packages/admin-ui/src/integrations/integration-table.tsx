import type {
  Integration,
  IntegrationEvent,
  IntegrationStatus,
  Integrations,
} from '@burgee/protocol/administration/integration'
import { Badge, Group, Switch, Text } from '@mantine/core'
import { useRefetch } from '../api/use-refetch.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { showFailure } from '../ui/messages/feedback.ts'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { type RowAction, RowMenu } from '../ui/page/row-menu.tsx'
import { Table } from '../ui/page/table.tsx'
import { DeliveryBadge } from './delivery-badge.tsx'
import type { TestResult } from './delivery-log.tsx'
import { removeIntegration, setIntegrationEnabled, testIntegration } from './integration-calls.ts'
import { getIntegrationName, getProviderName, isForAllProjects } from './integration-name.ts'
import type { IntegrationSearch } from './search-params.ts'
import { INTEGRATION_TEXTS } from './texts.ts'

interface Props {
  readonly all: Integrations
  readonly go: (search: IntegrationSearch) => void
  readonly tested: (tested: TestResult) => void
}

/** Table of all integrations with their events and status. */
export function IntegrationTable({ all, go, tested }: Props) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { common } = useTexts()
  return (
    <Table label={t.title} columns={[t.name, t.toldOf, t.lastDelivery, t.state, common.actions]}>
      {all.addons.map((one) => (
        <Row
          key={one.id}
          one={one}
          all={all}
          standing={all.standings.find(({ integrationId }) => integrationId === one.id)}
          go={go}
          tested={tested}
        />
      ))}
    </Table>
  )
}

interface RowProps extends Props {
  readonly one: Integration
  readonly standing: IntegrationStatus | undefined
}

function Row({ one, all: { providers }, standing, go, tested }: RowProps) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const name = getIntegrationName(one, providers)
  const kind = getProviderName(one.provider, providers)
  const projectName = useProjectName()
  return (
    <tr>
      <th scope="row">
        {name}
        {name !== kind && (
          <Text size="sm" c="dimmed">
            {kind}
          </Text>
        )}
      </th>
      <td>
        <Text size="sm">
          {t.eventCount(one.events.length)}, {describeScope(t, one, projectName)}
        </Text>
        {one.environments.length > 0 && (
          <Group gap={4} mt={4}>
            {one.environments.map((environment) => (
              <EnvironmentChip key={environment} name={environment} />
            ))}
          </Group>
        )}
      </td>
      <td>
        <DeliveryStatus one={one} standing={standing} />
      </td>
      <td>
        <State one={one} name={name} />
      </td>
      <td>
        <Actions one={one} name={name} go={go} tested={tested} />
      </td>
    </tr>
  )
}

function describeScope(
  t: (typeof INTEGRATION_TEXTS)['en'],
  one: Integration,
  projectName: (id: string) => string,
): string {
  const { projects, hiddenProjects = 0 } = one
  if (isForAllProjects(one)) return t.ofAllProjects
  const hidden = hiddenProjects === 0 ? [] : [t.hiddenProjects(hiddenProjects)]
  return t.ofProjects([...projects.map(projectName), ...hidden].join(', '))
}

/**
 * Returns true if the user can see all projects of an integration. Otherwise the server rejects the user's changes to
 * the integration.
 */
const canSeeAllProjects = ({ hiddenProjects = 0 }: Integration): boolean => hiddenProjects === 0

/** Result of the last delivery, and the number of pending deliveries. */
function DeliveryStatus({ one, standing }: { one: Integration; standing: IntegrationStatus | undefined }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { ago } = useFormat()
  const last = standing?.last ?? undefined
  const waiting = one.enabled ? (standing?.waiting ?? 0) : 0
  return (
    <>
      {last === undefined ? (
        <Text size="sm" c="dimmed">
          {t.noDelivery}
        </Text>
      ) : (
        <Group gap="xs">
          <DeliveryBadge state={last.state} />
          <Text size="sm">{ago(last.createdAt)}</Text>
        </Group>
      )}
      {waiting > 0 && (
        <Text size="sm" c="dimmed">
          {t.waiting(waiting)}
        </Text>
      )}
    </>
  )
}

function State({ one, name }: { one: Integration; name: string }) {
  const { id, enabled } = one
  const t = useCatalogue(INTEGRATION_TEXTS)
  const act = useAction()
  const may = usePermissionCheck()
  if (!may('UPDATE_ADDON') || !canSeeAllProjects(one)) {
    return (
      <Badge variant={enabled ? 'light' : 'default'} tt="none">
        {enabled ? t.on : t.off}
      </Badge>
    )
  }
  const set = (on: boolean) => ({
    run: () => setIntegrationEnabled(id, on),
    done: on ? t.switchedOn(name) : t.switchedOff(name),
  })
  return (
    <Switch
      aria-label={t.switchLabel(name)}
      checked={enabled}
      onChange={() =>
        void act({
          what: t.switchLabel(name),
          ...set(!enabled),
          undo: set(enabled),
          changes: ['integrations'],
        })
      }
    />
  )
}

interface ActionProps extends Pick<Props, 'go' | 'tested'> {
  readonly one: Integration
  readonly name: string
}

function Actions({ one, name, go, tested }: ActionProps) {
  const { id } = one
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { common } = useTexts()
  const held = usePermissionCheck()
  const may = (right: string): boolean => canSeeAllProjects(one) && held(right)
  const act = useAction()
  const test = useTestDelivery(id, (outcome) => tested({ name, outcome }))
  const remove = () =>
    act({
      what: t.remove(name),
      ask: { title: t.removeTitle(name), text: t.removeText, action: common.delete, isDanger: true },
      run: () => removeIntegration(id),
      done: t.removed(name),
      changes: ['integrations'],
    })
  const acts: readonly RowAction[] = [
    ...(may('UPDATE_ADDON') ? [{ label: t.testLabel(name), text: t.test, act: test }] : []),
    ...(may('DELETE_ADDON') ? [{ label: t.remove(name), text: common.delete, isDanger: true, act: remove }] : []),
  ]
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_ADDON') && (
        <RowButton label={t.editLabel(name)} text={common.edit} act={() => go({ edit: String(id) })} />
      )}
      <RowButton label={t.logLabel(name)} text={t.log} act={() => go({ log: String(id) })} />
      <RowMenu label={`${common.more}: ${name}`} acts={acts} />
    </Group>
  )
}

/** Sends a test delivery and passes the result to `tested`; the result is too long for a short message. */
function useTestDelivery(id: number, tested: (outcome: IntegrationEvent) => void): () => Promise<void> {
  const t = useTexts(INTEGRATION_TEXTS)
  const refetch = useRefetch()
  return async () => {
    try {
      tested(await testIntegration(id))
      await refetch(['integrations'], ['deliveries', id])
    } catch (error) {
      showFailure(t, t.test, error)
    }
  }
}
