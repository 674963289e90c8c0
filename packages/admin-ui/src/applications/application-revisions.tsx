import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchFleet } from '../api/fleet.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { mergeGroups, type RevisionGroup } from './revision-groups.ts'
import { APPLICATION_TEXTS } from './texts.ts'

const REFETCH_MS = 15_000

/** Returns a function that returns the revisions on which an application runs, newest first; empty if it is unknown. */
export function useRevisions(): (appName: string) => readonly RevisionGroup[] {
  const { data } = useQuery({ queryKey: ['fleet'], queryFn: fetchFleet, refetchInterval: REFETCH_MS })
  const applications = data?.applications ?? []
  return (appName) => mergeGroups(applications.filter((one) => one.appName === appName))
}

/** Revisions on which an application runs; revisions that lag behind are marked. */
export function Revisions({ revisions }: { revisions: readonly RevisionGroup[] }) {
  const own = useCatalogue(APPLICATION_TEXTS)
  const { number } = useFormat()
  if (revisions.length === 0) return '–'
  return (
    <Stack gap={2}>
      {revisions.map(({ environment, holds, isBehind, connections }) => (
        <Text key={`${environment} ${holds} ${isBehind}`} span size="sm" c={isBehind ? 'var(--bad)' : 'inherit'}>
          {own.revision(environment, holds === null ? own.noRevision : String(holds), number(connections))}
          {isBehind && `, ${own.isBehind}`}
        </Text>
      ))}
    </Stack>
  )
}
