import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Badge, Popover, Text } from '@mantine/core'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { LIFECYCLE_TEXTS } from './texts.ts'

/** Lifecycle stage of a flag, and the date since which the flag has been in it. A click explains the stage. */
export function Stage({ flag: { lifecycle } }: { flag: Pick<AdminFeature, 'lifecycle'> }) {
  const { stages } = useTexts()
  const t = useCatalogue(LIFECYCLE_TEXTS)
  const { ago, date } = useFormat()
  const { stage, enteredStageAt, status, statusValue } = lifecycle
  return (
    <Popover width={300} position="bottom-start" withinPortal>
      <Popover.Target>
        <Badge component="button" type="button" variant={stage === 'live' ? 'light' : 'default'} tt="none">
          {stages[stage]}, {ago(enteredStageAt)}
        </Badge>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">{t.means[stage]}</Text>
        {status !== undefined && <Text size="sm">{status === 'kept' ? t.kept(statusValue) : t.discarded}</Text>}
        <Text size="sm" c="dimmed">
          {t.since(date(enteredStageAt))}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
