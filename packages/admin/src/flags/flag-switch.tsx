import { Badge, Switch } from '@mantine/core'
import { useMay } from '../shell/session/session.tsx'
import { useTexts } from '../text/texts.tsx'
import { type Switchable, useSwitch } from './use-switch.ts'

/** On/off in one environment. Shows the wanted state while saving; a refusal puts the old one back and says why. */
export function FlagSwitch({ enabled, size = 'md', ...place }: Switchable & { enabled: boolean; size?: string }) {
  const t = useTexts()
  const may = useMay()
  const { run, pending } = useSwitch()
  const shown = pending?.on ?? enabled
  if (!may('UPDATE_FEATURE_ENVIRONMENT', place)) return <StateBadge on={enabled} />
  return (
    <Switch
      aria-label={t.flags.switchLabel(place.feature, place.environment)}
      checked={shown}
      size={size}
      onChange={() => pending === undefined && void run(place, !enabled)}
    />
  )
}

/** The state of a flag for those who may not change it. */
export function StateBadge({ on }: { on: boolean }) {
  const t = useTexts()
  return (
    <Badge variant={on ? 'filled' : 'default'} color="teal" tt="none">
      {on ? t.flags.on : t.flags.off}
    </Badge>
  )
}
