import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fetchStaleCount } from '../api/bulk.ts'
import { useFormat, useTexts } from '../text/texts.tsx'

/** Tabs of the insights of a project. */
export function InsightsTabs({ project, here }: { project: string; here: 'insights' | 'stale' | 'metrics' }) {
  const t = useTexts()
  const navigate = useNavigate()
  const { number } = useFormat()
  const { data } = useQuery({
    queryKey: ['stale', 'count', project],
    queryFn: () => fetchStaleCount(project),
    retry: false,
  })
  const total = data?.total ?? 0
  const go = (tab: string | null): void => {
    if (tab === 'stale') void navigate({ to: '/stale', search: { project } })
    else if (tab === 'metrics') void navigate({ to: '/metrics', search: { project } })
    else void navigate({ to: '/projects/$project/insights', params: { project } })
  }
  return (
    <Tabs value={here} onChange={go} mb="md">
      <Tabs.List aria-label={t.nav.insights}>
        <Tabs.Tab value="insights">{t.nav.overview}</Tabs.Tab>
        <Tabs.Tab value="stale">
          {t.nav.stale}
          {total > 0 && ` ${number(total)}`}
        </Tabs.Tab>
        <Tabs.Tab value="metrics">{t.nav.metrics}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
}
