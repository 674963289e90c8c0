import type { FeatureListItem } from '@burgee/protocol/admin'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { findFlags } from '../api/find.ts'
import { SEGMENTS } from '../api/queries.ts'
import { useSwitch } from '../flags/use-switch.ts'
import { usePaletteTexts } from '../text/palette.ts'
import { type Entry, type EntryGroup, fitting } from './palette-entries.ts'
import { useMay } from './session.tsx'
import { lastProject } from './use-project.ts'

const MOST_FLAGS = 8

/** Flags of all projects and segments that fit a text; the first flag can be switched and copied from here. */
export function useFoundEntries(text: string): EntryGroup[] {
  const p = usePaletteTexts()
  const navigate = useNavigate()
  const { data: flags = [] } = useQuery({
    queryKey: ['flags', 'found', text],
    queryFn: () => findFlags(text, MOST_FLAGS),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { data: segments = [] } = useQuery(SEGMENTS)
  const acts = useFlagActs()
  if (text === '') return []
  const [first] = flags
  const found = segments.map(({ id, name }) => ({
    id: `segment ${id}`,
    label: p.segment(name),
    onClick: () => void navigate({ to: '/segments', search: { edit: String(id) } }),
  }))
  return [
    { group: p.flags, actions: [...flags.map(acts.open), ...fitting(found, text)] },
    { group: p.actions, actions: first === undefined ? [] : acts.all(first) },
  ]
}

function useFlagActs() {
  const p = usePaletteTexts()
  const navigate = useNavigate()
  const may = useMay()
  const { run } = useSwitch()
  const open = ({ name: feature, project, description }: FeatureListItem): Entry => {
    const about = [project === lastProject() ? '' : p.inProject(project), description ?? ''].filter((one) => one !== '')
    return {
      id: `flag ${feature}`,
      label: feature,
      ...(about.length === 0 ? {} : { description: about.join(' · ') }),
      onClick: () => void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } }),
    }
  }
  const all = ({ name: feature, project, environments }: FeatureListItem): Entry[] => [
    ...environments
      .filter(({ name: environment }) => may('UPDATE_FEATURE_ENVIRONMENT', { project, environment }))
      .map(({ name: environment, type: environmentType, enabled }) => ({
        id: `switch ${environment}`,
        label: (enabled ? p.turnOff : p.turnOn)(feature, environment),
        onClick: () => void run({ project, feature, environment, environmentType }, !enabled),
      })),
    { id: 'copy', label: p.copyName(feature), onClick: () => void navigator.clipboard.writeText(feature) },
    {
      id: 'why',
      label: p.why(feature),
      onClick: () => {
        const envs = environments.map(({ name }) => name).join(',')
        void navigate({ to: '/playground', search: { envs, project, flag: feature } })
      },
    },
  ]
  return { open, all }
}
