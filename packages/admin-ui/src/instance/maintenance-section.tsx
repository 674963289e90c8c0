import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { setMaintenance } from '../api/instance.ts'
import { MAINTENANCE } from '../shell/maintenance/maintenance-query.ts'
import { MAINTENANCE_TEXTS } from '../shell/maintenance/texts.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Section } from '../ui/page/section.tsx'

/** Switch for maintenance mode, shown to admins. */
export function MaintenanceSection() {
  const t = useCatalogue(MAINTENANCE_TEXTS)
  const act = useAction()
  const isAdmin = usePermissionCheck()('ADMIN')
  const { data: isOn } = useQuery(MAINTENANCE)
  if (!isAdmin || isOn === undefined) return null
  const change = () =>
    act({
      what: t.label,
      ...(isOn ? {} : { ask: { title: t.onTitle, text: t.onText, action: t.turnOn, isDanger: true } }),
      run: () => setMaintenance(!isOn),
      done: isOn ? t.isOff : t.isOn,
      changes: ['maintenance'],
    })
  return (
    <Section title={t.title}>
      <Switch label={t.label} description={t.hint} checked={isOn} onChange={() => void change()} />
    </Section>
  )
}
