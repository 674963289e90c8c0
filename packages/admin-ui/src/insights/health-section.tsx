import type { ProjectInsights } from '@burgee/protocol/project'
import { Group, List, Progress, Stack, Text } from '@mantine/core'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import { FixFirst } from './fix-first.tsx'
import { calculateHealthAfter } from './health-after.ts'
import { INSIGHT_TEXTS } from './texts.ts'

const GOOD_PERCENT = 75
const FAIR_PERCENT = 50

interface Props {
  readonly project: string
  readonly health: ProjectInsights['health']
}

/** Health of a project with its components, the flags that lower it, and possible improvements. */
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
        {stale + overdue > 0 && (
          <>
            <FixFirst project={project} count={stale + overdue} />
            <div>
              <Text fw={600}>{t.raise}</Text>
              <List>
                {stale > 0 && <List.Item>{t.raiseStale(number(after.withoutStale))}</List.Item>}
                {overdue > 0 && <List.Item>{t.raiseOverdue(number(after.withoutOverdue))}</List.Item>}
              </List>
            </div>
          </>
        )}
      </Stack>
    </Section>
  )
}
