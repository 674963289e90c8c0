import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Flag, Layers } from 'lucide-react'
import { findFlags } from '../api/flags.ts'
import { SEGMENTS } from '../api/queries.ts'
import { useSwitch } from '../flags/use-switch.ts'
import { useProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import type { PaletteEntry, PaletteEntryGroup } from './entry.ts'
import { usePeopleEntries } from './people-entries.ts'
import { filterEntries, rankName } from './ranking.ts'
import { PALETTE_TEXTS } from './texts.ts'

const MAX_FLAGS = 8
/** Number of search results among which the best name matches are selected. */
const MAX_CANDIDATES = 50

interface SearchResults {
  readonly groups: readonly PaletteEntryGroup[]
  /** State of the search for the current text. */
  readonly state: 'coming' | 'here' | 'failed'
  readonly error: Error | null
}

/**
 * Finds flags and segments in all projects that match a text. The first matching flag also gets actions that turn it on
 * or off and copy it.
 */
export function useSearchEntries(text: string): SearchResults {
  const p = useCatalogue(PALETTE_TEXTS)
  const navigate = useNavigate()
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['flags', 'found', text],
    queryFn: () => findFlags(text, MAX_CANDIDATES),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
  const { data: segments = [] } = useQuery(SEGMENTS)
  const acts = useFlagActions()
  const nameOf = useProjectName()
  const people = usePeopleEntries(text)
  if (text === '') return { groups: [], state: 'here', error: null }
  const flags = [...(data ?? [])].sort((a, b) => rankName(a.name, text) - rankName(b.name, text)).slice(0, MAX_FLAGS)
  const [first] = flags
  const found = segments.map(({ id, name, project }) => ({
    id: `segment ${id}`,
    label: name,
    icon: Layers,
    ...(project ? { description: p.inProject(nameOf(project)) } : {}),
    run: () => void navigate({ to: '/segments', search: { edit: String(id) } }),
  }))
  const groups = [
    { group: p.flags, entries: flags.map(acts.open) },
    { group: p.segments, entries: filterEntries(found, text) },
    { group: p.people, entries: people },
    { group: p.actions, entries: first === undefined ? [] : acts.all(first) },
  ]
  const isComing = isFetching || isPlaceholderData
  return { groups, state: isComing ? 'coming' : error === null ? 'here' : 'failed', error: isComing ? null : error }
}

function useFlagActions() {
  const p = useCatalogue(PALETTE_TEXTS)
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const { run } = useSwitch()
  const nameOf = useProjectName()
  const open = ({ name: feature, project, description }: FeatureListItem): PaletteEntry => {
    const about = [p.inProject(nameOf(project)), description ?? ''].filter((one) => one !== '')
    return {
      id: `flag ${feature}`,
      label: feature,
      icon: Flag,
      ...(about.length === 0 ? {} : { description: about.join(' · ') }),
      run: () => void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } }),
    }
  }
  const all = ({ name: feature, project, environments }: FeatureListItem): PaletteEntry[] => [
    ...environments
      .filter(({ name: environment }) => may('UPDATE_FEATURE_ENVIRONMENT', { project, environment }))
      .map(({ name: environment, type: environmentType, enabled, hasStrategies, hasEnabledStrategies }) => ({
        id: `switch ${environment}`,
        label: (enabled ? p.turnOff : p.turnOn)(feature, environment),
        isSwitch: true,
        run: () => {
          const hasOnlyDisabled = hasStrategies && !hasEnabledStrategies
          void run({ project, feature, environment, environmentType, hasOnlyDisabled }, !enabled)
        },
      })),
    { id: 'copy', label: p.copyName(feature), run: () => void navigator.clipboard.writeText(feature) },
    {
      id: 'why',
      label: p.why(feature),
      run: () => {
        const envs = environments.map(({ name }) => name).join(',')
        void navigate({ to: '/playground', search: { envs, project, flag: feature } })
      },
    },
  ]
  return { open, all }
}
