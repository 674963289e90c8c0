import { Badge, Group, Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { setGuard } from '../api/change-requests.ts'
import { getGuardsQuery } from '../proposals/guard.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const MAX_APPROVALS = 10
const AFFECTED_QUERIES = ['guards', 'change-request', 'change-requests']

interface Props {
  readonly project: string
  readonly environment: string
}

/** Change-request setting for an environment, with the required number of approvals. */
export function GuardCell({ project, environment }: Props) {
  const t = useTexts()
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const may = usePermissionCheck()
  const act = useAction()
  const { data = [] } = useQuery(getGuardsQuery(project))
  const guard = data.find((one) => one.environment === environment)
  if (guard === undefined) return null
  const { changeRequestEnabled: isOn, requiredApprovals: needed } = guard
  const mayChange = may('UPDATE_PROJECT', { project }) || may('PROJECT_CHANGE_REQUEST_WRITE', { project })
  if (!mayChange) {
    return (
      <Badge variant={isOn ? 'light' : 'default'} tt="none">
        {isOn ? own.approvals(needed ?? 1) : t.common.no}
      </Badge>
    )
  }
  const put = (changeRequestsEnabled: boolean, requiredApprovals?: number) => {
    const place = { project, environment }
    const before = { changeRequestsEnabled: isOn, ...(needed === null ? {} : { requiredApprovals: needed }) }
    return act({
      what: own.guardOf(environment),
      // Turning off change requests leaves open requests unchanged, but lets all users with the permission change flags
      // directly.
      ...(isOn && !changeRequestsEnabled
        ? {
            ask: {
              title: own.guardOffTitle(environment),
              text: own.guardOffText,
              action: own.guardOff,
              isDanger: true,
            },
          }
        : {}),
      run: () =>
        setGuard(place, { changeRequestsEnabled, ...(requiredApprovals === undefined ? {} : { requiredApprovals }) }),
      done: changeRequestsEnabled ? own.guarded(environment) : own.unguarded(environment),
      undo: { run: () => setGuard(place, before), done: own.guardBack(environment) },
      changes: AFFECTED_QUERIES,
    })
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Switch aria-label={own.guardOf(environment)} checked={isOn} onChange={() => void put(!isOn)} />
      {isOn && (
        <Select
          aria-label={own.neededIn(environment)}
          data={Array.from({ length: MAX_APPROVALS }, (_, index) => ({
            value: String(index + 1),
            label: own.approvals(index + 1),
          }))}
          value={String(needed ?? 1)}
          w={150}
          onChange={(value) => value !== null && value !== String(needed) && void put(true, Number(value))}
        />
      )}
    </Group>
  )
}
