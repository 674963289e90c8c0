import { Badge } from '@mantine/core'
import { useMayChange } from '../proposals/may-change.ts'
import type { usePermissionCheck } from '../shell/session/session.tsx'
import { useTexts } from '../text/texts.tsx'
import { LightSwitch } from '../ui/form/light-switch.tsx'
import { type Switchable, type Switches, useSwitch } from './use-switch.ts'

interface Props extends Switchable {
  readonly enabled: boolean
  readonly size?: 'md' | 'lg'
}

/** On/off switch of a flag in one environment. */
export function FlagSwitch(props: Props) {
  const switches = useSwitch()
  const may = useMayChange(props.project)
  return <ListSwitch {...props} switches={switches} may={may} />
}

interface SharedProps extends Props {
  readonly switches: Switches
  readonly may: ReturnType<typeof usePermissionCheck>
}

/**
 * On/off switch for lists. The list fetches the data that all switches share. Shows the new state while saving. If the
 * server rejects the change, the old state is restored and a message is shown.
 */
export function ListSwitch({ enabled, size, switches, may, ...place }: SharedProps) {
  const t = useTexts()
  if (!may('UPDATE_FEATURE_ENVIRONMENT', place)) return <FlagStateBadge on={enabled} />
  const wanted = switches.getPendingState(place)
  return (
    <LightSwitch
      label={t.flags.switchLabel(place.feature, place.environment)}
      isOn={wanted ?? enabled}
      {...(size && { size })}
      change={() => wanted === undefined && void switches.run(place, !enabled)}
    />
  )
}

/** State of a flag for users who may not change it. */
export function FlagStateBadge({ on }: { on: boolean }) {
  const t = useTexts()
  return (
    <Badge variant={on ? 'filled' : 'default'} color="teal" tt="none">
      {on ? t.flags.on : t.flags.off}
    </Badge>
  )
}
