import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCatalogue } from '../../text/texts.tsx'
import { ACCESS_TEXTS } from './texts.ts'

/** Pages of who may what, in their order. */
const PAGES = ['/users', '/groups', '/service-accounts', '/roles', '/single-sign-on'] as const
type AccessPage = (typeof PAGES)[number]

/** The way between the pages of who may what. */
export function AccessTabs({ here }: { here: AccessPage }) {
  const t = useCatalogue(ACCESS_TEXTS)
  const navigate = useNavigate()
  return (
    <Tabs value={here} onChange={(to) => void navigate({ to: to as AccessPage })} mb="md">
      <Tabs.List aria-label={t.label}>
        {PAGES.map((page) => (
          <Tabs.Tab key={page} value={page}>
            {t.pages[page]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
