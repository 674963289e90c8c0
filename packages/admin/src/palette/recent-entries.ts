import { useNavigate, useParams } from '@tanstack/react-router'
import { usePaletteTexts } from '../text/palette.ts'
import { recentFlags } from '../ui/recent.ts'
import { lastProject } from '../ui/use-project.ts'
import type { EntryGroup } from './entries.ts'

/** The flags that were opened last, without the one that is open: where nothing is typed, they are the likeliest. */
export function useRecentEntries(): EntryGroup[] {
  const p = usePaletteTexts()
  const navigate = useNavigate()
  const { feature: current } = useParams({ strict: false })
  const others = recentFlags().filter(({ feature }) => feature !== current)
  const entries = others.map(({ project, feature }) => ({
    id: `recent ${feature}`,
    label: feature,
    ...(project === lastProject() ? {} : { description: p.inProject(project) }),
    run: () => void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } }),
  }))
  return [{ group: p.recent, entries }]
}
