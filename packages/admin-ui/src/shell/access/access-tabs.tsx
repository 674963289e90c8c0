import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCatalogue } from '../../text/texts.tsx'
import { usePermissionCheck } from '../session/session.tsx'
import { type AccessPage, listAccessPages } from './access-pages.ts'
import { ACCESS_TEXTS } from './texts.ts'

/** Tabs of the access-control pages that the user may see. */
export function AccessTabs({ here }: { here: AccessPage }) {
  const t = useCatalogue(ACCESS_TEXTS)
  const navigate = useNavigate()
  const pages = listAccessPages(usePermissionCheck())
  if (pages.length < 2) return null
  return (
    <Tabs value={here} onChange={(to) => void navigate({ to: to as AccessPage })} mb="md">
      <Tabs.List aria-label={t.label}>
        {pages.map((page) => (
          <Tabs.Tab key={page} value={page}>
            {t.pages[page]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
