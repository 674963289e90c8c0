import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { searchFlags } from '../api/flags.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { CONNECT_TEXTS } from './texts.ts'

const MAX_OFFERED = 20
const DEBOUNCE_MS = 200

/**
 * Returns the newest flags in a project that match the search text; undefined until the flags are loaded.
 */
function useNewestFlags(project: string, text: string): readonly FeatureListItem[] | undefined {
  const { data } = useQuery({
    queryKey: ['flags', 'newest', project, text],
    queryFn: () => searchFlags({ project, text: text || undefined, sort: 'createdAt', order: 'desc' }, 0, MAX_OFFERED),
    placeholderData: keepPreviousData,
  })
  return data?.features
}

/**
 * Returns the flag for the sample code: the chosen flag or, if there is none, the project's newest flag, preferably one
 * that is not stale.
 */
export function useSampleFlag(project: string, chosen: string | undefined): string | undefined {
  const newest = useNewestFlags(project, '')
  return chosen ?? (newest?.find(({ stale }) => !stale) ?? newest?.[0])?.name
}

interface Props {
  readonly project: string
  readonly flag: string | undefined
  readonly choose: (flag: string) => void
}

/**
 * Field that selects the flag evaluated by the sample code, newest flags first. If the project has no flag, links to
 * the form that creates a flag.
 */
export function FlagChoice({ project, flag, choose }: Props) {
  const t = useTexts()
  const own = useCatalogue(CONNECT_TEXTS)
  const may = usePermissionCheck()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text === flag ? '' : text, DEBOUNCE_MS)
  const offered = useNewestFlags(project, typed)?.map(({ name }) => name)
  if (flag === undefined) {
    if (offered === undefined) return null
    return (
      <Text size="sm" mb="sm">
        {own.noFlagsYet}{' '}
        {may('CREATE_FEATURE', { project }) && (
          <LinkButton to="/projects/$project" params={{ project }} search={{ create: true }}>
            {t.flags.create}
          </LinkButton>
        )}
      </Text>
    )
  }
  return (
    <Select
      label={own.flag}
      description={own.flagHint}
      mb="sm"
      maw={420}
      searchable
      allowDeselect={false}
      filter={({ options }) => options}
      nothingFoundMessage={own.noFlagFound}
      data={[...new Set(typed === '' ? [flag, ...(offered ?? [])] : offered)]}
      value={flag}
      searchValue={text}
      onSearchChange={setText}
      onChange={(name) => name !== null && choose(name)}
    />
  )
}
