import { useNavigate, useParams } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import { useProjectName } from '../shell/project/project-name.tsx'
import { readRecentFlags } from '../shell/recent-flags.ts'
import { useCatalogue } from '../text/texts.tsx'
import type { PaletteEntryGroup } from './entry.ts'
import { PALETTE_TEXTS } from './texts.ts'

/** Returns the recently opened flags, except the one being displayed, as suggestions while the input is empty. */
export function useRecentEntries(): PaletteEntryGroup[] {
  const p = useCatalogue(PALETTE_TEXTS)
  const navigate = useNavigate()
  const nameOf = useProjectName()
  const { feature: current } = useParams({ strict: false })
  const others = readRecentFlags().filter(({ feature }) => feature !== current)
  const entries = others.map(({ project, feature }) => ({
    id: `recent ${feature}`,
    label: feature,
    icon: Flag,
    description: p.inProject(nameOf(project)),
    run: () => void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } }),
  }))
  return [{ group: p.recent, entries }]
}
