import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FolderKanban } from 'lucide-react'
import { PROJECTS } from '../api/queries.ts'
import { GENERAL_PAGES, getPageLink, PROJECT_PAGES } from '../shell/nav.ts'
import { NOTIFICATION_PANEL, SHORTCUT_LIST } from '../shell/overlays.ts'
import { readLastProject } from '../shell/project/last-project.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { SETTINGS_GROUPS } from '../shell/settings/settings-pages.ts'
import { LANGUAGES, type Language } from '../text/languages.ts'
import { useCatalogue, useLanguage, useTexts } from '../text/texts.tsx'
import { COLOR_SCHEMES } from '../ui/style/theme.ts'
import { setHighContrast, useHighContrast } from '../ui/style/theme-contrast.ts'
import { useColorScheme } from '../ui/style/use-color-scheme.ts'
import type { PaletteEntry, PaletteEntryGroup } from './entry.ts'
import { PALETTE_KEYWORDS } from './keywords.ts'
import { filterEntries } from './ranking.ts'
import { listTabs } from './tabs.ts'
import { PALETTE_TEXTS } from './texts.ts'

/** Returns the entries that are always available: pages, create actions, projects and color schemes. */
export function useGeneralEntries(text: string): PaletteEntryGroup[] {
  const p = useCatalogue(PALETTE_TEXTS)
  const make = useCreateEntries()
  const looks = useColorSchemeEntries()
  return [
    { group: p.pages, entries: filterEntries(usePageEntries(), text) },
    { group: p.actions, entries: filterEntries([...make, ...looks], text) },
  ]
}

function usePageEntries(): PaletteEntry[] {
  const t = useTexts()
  const p = useCatalogue(PALETTE_TEXTS)
  const k: Readonly<Record<string, string>> = useCatalogue(PALETTE_KEYWORDS)
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const { data: projects = [] } = useQuery(PROJECTS)
  const current = readLastProject()
  const pages = [...PROJECT_PAGES, ...GENERAL_PAGES, ...SETTINGS_GROUPS.flatMap((group) => group.pages)].flatMap(
    (page) => {
      const link = getPageLink(page, may, current)
      const entry = { id: page.id, label: t.nav[page.id], keywords: k[page.id] ?? '', icon: page.icon }
      return link === undefined ? [] : [{ ...entry, run: () => void navigate(link) }]
    },
  )
  const tabs = listTabs(current).map(({ id, link }) => ({
    id,
    label: p.tabs[id],
    keywords: k[id] ?? '',
    run: () => void navigate(link),
  }))
  const mine = {
    id: 'my flags',
    label: p.myFlags,
    run: () => void navigate({ to: '/projects/$project', params: { project: current }, search: { mine: true } }),
  }
  const others = projects
    .filter(({ id }) => id !== current)
    .map(({ id, name }) => ({
      id: `project ${id}`,
      label: p.project(name),
      keywords: id,
      icon: FolderKanban,
      run: () => void navigate({ to: '/projects/$project', params: { project: id } }),
    }))
  return [...pages, ...tabs, mine, ...others]
}

function useCreateEntries(): PaletteEntry[] {
  const p = useCatalogue(PALETTE_TEXTS)
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const project = readLastProject()
  const flag = { to: '/projects/$project', params: { project }, search: { create: true } } as const
  const all = [
    { isAllowed: may('CREATE_FEATURE', { project }), id: 'create', label: p.create, go: () => navigate(flag) },
    {
      isAllowed: may('CREATE_SEGMENT'),
      id: 'create segment',
      label: p.createSegment,
      go: () => navigate({ to: '/segments', search: { edit: 'new' } }),
    },
    {
      isAllowed: may('CREATE_CLIENT_API_TOKEN'),
      id: 'create token',
      label: p.createToken,
      go: () => navigate({ to: '/tokens', search: { create: true } }),
    },
    {
      isAllowed: may('CREATE_ADDON'),
      id: 'create integration',
      label: p.createIntegration,
      go: () => navigate({ to: '/integrations', search: { edit: 'new' } }),
    },
    {
      isAllowed: may('ADMIN'),
      id: 'create invite link',
      label: p.createInviteLink,
      go: () => navigate({ to: '/invite-links', search: { edit: 'new' } }),
    },
    {
      isAllowed: true,
      id: 'transfer',
      label: p.transfer,
      go: () => navigate({ to: '/projects/$project/settings', params: { project }, search: { tab: 'transfer' } }),
    },
  ]
  return all.filter((one) => one.isAllowed).map(({ id, label, go }) => ({ id, label, run: () => void go() }))
}

function useColorSchemeEntries(): PaletteEntry[] {
  const p = useCatalogue(PALETTE_TEXTS)
  const { language, choose } = useLanguage()
  const { setColorScheme } = useColorScheme()
  const isHigh = useHighContrast()
  const schemes = COLOR_SCHEMES.map((scheme) => ({
    id: scheme,
    label: p[scheme],
    run: () => setColorScheme(scheme),
  }))
  const contrast = {
    id: 'contrast',
    label: isHigh ? p.contrastOff : p.contrastOn,
    run: () => setHighContrast(!isHigh),
  }
  const languages = Object.entries(LANGUAGES)
    .filter(([one]) => one !== language)
    .map(([one, name]) => ({ id: one, label: p.language(name), run: () => choose(one as Language) }))
  const opened = [
    { id: 'notifications', label: p.notifications, run: () => NOTIFICATION_PANEL.show(true) },
    { id: 'keys', label: p.keys, run: () => SHORTCUT_LIST.show(true) },
  ]
  return [...schemes, contrast, ...languages, ...opened]
}
