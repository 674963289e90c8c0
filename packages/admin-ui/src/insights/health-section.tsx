import type { ProjectInsights } from '@burgee/protocol/project'
import { Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { searchFlags } from '../api/flags.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { calculateHealthAfter } from './health-after.ts'
import { INSIGHT_TEXTS } from './texts.ts'

const GOOD_PERCENT = 75
const FAIR_PERCENT = 50
const SHOWN = 5

interface Props {
  readonly project: string
  readonly health: ProjectInsights['health']
}

/** Health of a project with its parts, the flags that lower it and possible improvements. */
export function HealthSection({ project, health }: Props) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number } = useFormat()
  const { rating, activeCount: active, staleCount: stale, potentiallyStaleCount: overdue } = health
  const all = active + stale + overdue
  const after = calculateHealthAfter({ active, stale, overdue })
  const color = rating >= GOOD_PERCENT ? 'teal' : rating >= FAIR_PERCENT ? 'yellow' : 'red'
  if (all === 0) {
    return (
      <Section title={t.health}>
        <Text c="dimmed">{t.noFlags}</Text>
      </Section>
    )
  }
  return (
    <Section title={t.health}>
      <Stack gap="sm">
        <Group gap="md" wrap="nowrap">
          <Text fz={28} fw={600}>
            {t.healthOf(number(rating))}
          </Text>
          <Progress value={rating} color={color} flex={1} aria-label={t.health} />
        </Group>
        <Text>{t.made(number(active), number(all))}</Text>
        {stale + overdue === 0 && <Text c="var(--good)">{t.allWell}</Text>}
        {overdue > 0 && (
          <UnhealthyFlags
            project={project}
            state="potentially-stale"
            count={overdue}
            text={t.overdue(overdue, number(overdue))}
            label={t.showOverdue}
          />
        )}
        {stale > 0 && (
          <UnhealthyFlags
            project={project}
            state="stale"
            count={stale}
            text={t.stale(stale, number(stale))}
            label={t.showStale}
          />
        )}
        {stale + overdue > 0 && (
          <div>
            <Text fw={600}>{t.raise}</Text>
            <List>
              {stale > 0 && <List.Item>{t.raiseStale(number(after.withoutStale))}</List.Item>}
              {overdue > 0 && <List.Item>{t.raiseOverdue(number(after.withoutOverdue))}</List.Item>}
            </List>
          </div>
        )}
      </Stack>
    </Section>
  )
}

interface UnhealthyFlagsProps {
  readonly project: string
  readonly state: 'stale' | 'potentially-stale'
  readonly count: number
  readonly text: string
  readonly label: string
}

/** Sentence about flags in a state, with the oldest ones and a link to all. */
function UnhealthyFlags({ project, state, count, text, label }: UnhealthyFlagsProps) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number } = useFormat()
  const { data } = useQuery({
    queryKey: ['flags', project, 'oldest', state],
    queryFn: () => searchFlags({ project, state, sort: 'createdAt', order: 'asc' }, 0, SHOWN),
  })
  const names = data?.features.map(({ name }) => name) ?? []
  return (
    <div>
      <Group gap="sm">
        <Text>{text}</Text>
        <LinkButton to="/projects/$project" params={{ project }} search={{ state }} aria-label={label}>
          {t.show}
        </LinkButton>
      </Group>
      <Text size="sm" component="div">
        {names.map((feature, index) => (
          <span key={feature}>
            {index > 0 && ', '}
            <Link to="/projects/$project/features/$feature" params={{ project, feature }} className={ui.link ?? ''}>
              {feature}
            </Link>
          </span>
        ))}
        {names.length > 0 && count > names.length && ` ${t.andMore(number(count - names.length))}`}
      </Text>
    </div>
  )
}
