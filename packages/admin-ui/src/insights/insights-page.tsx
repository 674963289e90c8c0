import type { ProjectInsights } from '@burgee/protocol/project'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { fetchProjectInsights, fetchProjectStatus } from '../api/project-settings.ts'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { HealthSection } from './health-section.tsx'
import styles from './insights.module.css'
import { InsightsTabs } from './insights-tabs.tsx'
import { KeyFigures } from './key-figures.tsx'
import { LifecycleFunnel } from './lifecycle-funnel.tsx'
import { INSIGHT_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/insights')
const MAX_SLOW_FLAGS = 5

/** Page about the health, progress and lead times of a project: figures, lifecycle, and the flags to fix. */
export function InsightsPage() {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { project } = route.useParams()
  const insights = useQuery({ queryKey: ['insights', project], queryFn: () => fetchProjectInsights(project) })
  const status = useQuery({ queryKey: ['insights', project, 'status'], queryFn: () => fetchProjectStatus(project) })
  return (
    <ProjectBoundary project={project}>
      <Page title={t.title} tabs={<InsightsTabs project={project} here="insights" />}>
        <Stack gap="lg">
          <Loaded answer={insights}>{(measured) => <KeyFigures insights={measured} status={status.data} />}</Loaded>
          <Loaded answer={status}>
            {({ lifecycleSummary }) => <LifecycleFunnel project={project} summary={lifecycleSummary} />}
          </Loaded>
          <Loaded answer={insights}>{({ health }) => <HealthSection project={project} health={health} />}</Loaded>
          <Loaded answer={insights}>
            {({ leadTime, stats }) => (
              <>
                <ProductionSection project={project} leadTime={leadTime} />
                <MonthSection stats={stats} />
              </>
            )}
          </Loaded>
        </Stack>
      </Page>
    </ProjectBoundary>
  )
}

function ProductionSection({ project, leadTime }: { project: string; leadTime: ProjectInsights['leadTime'] }) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number } = useFormat()
  const slowest = leadTime.features.toSorted((a, b) => b.timeToProduction - a.timeToProduction).slice(0, MAX_SLOW_FLAGS)
  return (
    <Section title={t.production}>
      {slowest.length === 0 ? (
        <Text c="dimmed">{t.noAverage}</Text>
      ) : (
        <Stack>
          <Text>{t.average(number(leadTime.projectAverage))}</Text>
          <Table label={t.slowest} columns={[t.flag, { number: t.time }]}>
            {slowest.map(({ name, timeToProduction }) => (
              <tr key={name}>
                <th scope="row">
                  <Link
                    to="/projects/$project/features/$feature"
                    params={{ project, feature: name }}
                    className={ui.link ?? ''}
                  >
                    {name}
                  </Link>
                </th>
                <td className={ui.number}>{t.days(number(timeToProduction))}</td>
              </tr>
            ))}
          </Table>
        </Stack>
      )}
    </Section>
  )
}

function MonthSection({ stats }: Pick<ProjectInsights, 'stats'>) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number } = useFormat()
  const rows = [
    [t.createdNow, stats.createdCurrentWindow, stats.createdPastWindow],
    [t.archivedNow, stats.archivedCurrentWindow, stats.archivedPastWindow],
    [t.activity, stats.projectActivityCurrentWindow, stats.projectActivityPastWindow],
  ] as const
  return (
    <Section title={t.month}>
      <dl className={styles.figures}>
        {rows.map(([term, now, before]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {number(now)}
              <span className={styles.hint}>{t.before(number(before))}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
