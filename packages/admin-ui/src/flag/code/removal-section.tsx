import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { CodeReference, Removal } from '@burgee/protocol/administration/removal'
import { Badge, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FlagRef } from '../../api/flags.ts'
import { BASE_PATH, call } from '../../api/http.ts'
import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import { ProblemNotice } from '../../ui/page/problem.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CodePlace, RemovalCommit } from './code-place.tsx'
import { REMOVAL_TEXTS } from './removal-texts.ts'

const COLORS = { ready: 'green', notYet: 'yellow', keep: 'gray' } as const satisfies Record<Removal['verdict'], string>

const getRemovalPath = ({ project, feature }: FlagRef) =>
  `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(feature)}/removal`

/** Places in the code that refer to the flag, and whether the flag can be removed from the code. */
export function RemovalSection({ flag }: { flag: AdminFeature }) {
  const t = useCatalogue(REMOVAL_TEXTS)
  const { common } = useTexts()
  const ref = { project: flag.project, feature: flag.name }
  const path = getRemovalPath(ref)
  const { data, error, refetch } = useQuery({
    queryKey: ['flag', ref.project, ref.feature, 'removal'],
    queryFn: () => call<Removal>('GET', path),
  })
  const brief = (
    <Button
      component="a"
      variant="default"
      size="compact-sm"
      href={`${BASE_PATH}${path}/brief`}
      download={`remove-${flag.name}.md`}
    >
      {t.brief}
    </Button>
  )
  return (
    <Section title={t.title} actions={brief}>
      {data !== undefined ? (
        <Stack gap="sm">
          <Verdict removal={data} />
          <Places removal={data} />
        </Stack>
      ) : error === null ? (
        <Skeleton height={120} role="status" aria-label={common.loading} />
      ) : (
        <ProblemNotice error={error} retry={() => void refetch()} />
      )}
    </Section>
  )
}

function Verdict({ removal: { verdict, keep, since, blockers } }: { removal: Removal }) {
  const t = useCatalogue(REMOVAL_TEXTS)
  const { date } = useFormat()
  const kinds = [...new Set(blockers.map(({ kind }) => kind))]
  return (
    <>
      <Group gap="xs">
        <Badge color={COLORS[verdict]} variant="light" tt="none">
          {t.verdicts[verdict]}
        </Badge>
        <Text>
          {keep === null ? t.undecided : t.keep[keep.path](keep.variant ?? '')} {since !== null && t.since(date(since))}
        </Text>
      </Group>
      {kinds.length > 0 && (
        <List size="sm">
          {kinds.map((kind) => (
            <List.Item key={kind}>{t.blockers[kind]}</List.Item>
          ))}
        </List>
      )}
    </>
  )
}

function Places({ removal: { references, referenceCount, removals } }: { removal: Removal }) {
  const t = useCatalogue(REMOVAL_TEXTS)
  const removed = removals.map((removal) => (
    <List.Item key={removal.repository}>
      <RemovalCommit removal={removal} />
    </List.Item>
  ))
  if (references.length === 0 && removals.length === 0) {
    return (
      <Text c="dimmed">
        {t.none} <code>burgee refs scan</code>
      </Text>
    )
  }
  return (
    <>
      {references.length > 0 && <Text fw={500}>{t.places(referenceCount)}</Text>}
      <List size="sm">
        {references.map((reference) => (
          <Place key={formatKey(reference)} reference={reference} />
        ))}
        {removed}
      </List>
    </>
  )
}

const formatKey = ({ repository, branch, path, line }: CodeReference) =>
  JSON.stringify([repository, branch, path, line])

function Place({ reference }: { reference: CodeReference }) {
  const t = useCatalogue(REMOVAL_TEXTS)
  const { repository, branch, isDefaultBranch } = reference
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      <CodePlace reference={reference} />{' '}
      <Text span c="dimmed" size="sm">
        {isDefaultBranch ? repository : `${repository}, ${t.other(branch)}`}
      </Text>
    </List.Item>
  )
}
