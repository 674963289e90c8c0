import type { AdminSegment } from '@burgee/protocol/targeting/segment'
import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getUsagesQuery } from '../api/queries.ts'
import { useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { USAGE_TEXTS } from '../usages/texts.ts'
import { UsageList } from '../usages/usages-dialog.tsx'

/** Flags and strategies that a change to a segment affects; red in production. */
export function AffectedFlags({ segment: { id, name } }: { segment: AdminSegment }) {
  const t = useCatalogue(USAGE_TEXTS).uses
  const typeOf = useEnvironmentType()
  const answer = useQuery(getUsagesQuery({ kind: 'segments', id }))
  return (
    <Loaded answer={answer}>
      {(uses) => {
        if (uses.length === 0) return <Text c="dimmed">{t.reachesNone}</Text>
        const environments = [...new Set(uses.map(({ environment }) => environment))]
        const flags = new Set(uses.map(({ featureName }) => featureName)).size
        const isLive = environments.some((environment) => typeOf(environment) === 'production')
        return (
          <Alert color={isLive ? 'red' : 'yellow'} title={t.reaches(t.flags(flags), environments.join(', '))}>
            <UsageList name={name} uses={uses} />
          </Alert>
        )
      }}
    </Loaded>
  )
}
