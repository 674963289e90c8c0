import { Button, Menu } from '@mantine/core'
import { type EventQuery, getEventExportAddress } from '../api/events.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { EVENT_TEXTS } from './texts.ts'

/** Menu that downloads all events that match the filters. Renders nothing for users who may not export events. */
export function EventExportMenu({ search }: { search: EventQuery }) {
  const t = useCatalogue(EVENT_TEXTS).log
  if (!usePermissionCheck()('ADMIN')) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{t.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {search.q !== undefined && <Menu.Label>{t.exportWithoutText}</Menu.Label>}
        <Menu.Item component="a" href={getEventExportAddress(search, 'csv')} download>
          {t.exportCsv}
        </Menu.Item>
        <Menu.Item component="a" href={getEventExportAddress(search, 'jsonl')} download>
          {t.exportJsonLines}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
