import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FlagQuery } from '../api/flags.ts'
import { SEGMENTS } from '../api/queries.ts'
import { useFlagRows } from '../flags/flag-data.ts'
import { useSwitch } from '../flags/use-switch.ts'
import { useTexts } from '../text/texts.tsx'
import { ADMIN_PAGES, WORK_PAGES } from './nav.ts'
import { PALETTE } from './palette-store.ts'
import { useMay } from './session.tsx'
import { lastProject } from './use-project.ts'

const TYPING_MS = 120
const MOST_FLAGS = 8

interface Entry {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly onClick: () => void
}

interface EntryGroup {
  readonly group: string
  readonly actions: Entry[]
}

/** Finds flags, segments and pages, and does things: one field for everything. */
export function Palette() {
  const t = useTexts()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const pages = usePages(text)
  const things = useThings(settled)
  const groups = [...Map.groupBy([...things, ...pages], ({ group }) => group)]
    .map(([group, parts]) => ({ group, actions: parts.flatMap(({ actions }) => actions) }))
    .filter(({ actions }) => actions.length > 0)
  return (
    <Spotlight
      store={PALETTE}
      shortcut={null}
      lockScroll={false}
      attributes={{ content: { 'aria-label': t.nav.search } }}
      actions={groups}
      query={text}
      onQueryChange={setText}
      filter={(_query, all) => all}
      nothingFound={t.palette.nothing}
      searchProps={{ placeholder: t.palette.placeholder, 'aria-label': t.palette.placeholder }}
      scrollable
      maxHeight={420}
    />
  )
}

function usePages(text: string): EntryGroup[] {
  const t = useTexts()
  const navigate = useNavigate()
  const may = useMay()
  const { setColorScheme } = useMantineColorScheme()
  const project = lastProject()
  const pages: Entry[] = [...WORK_PAGES, ...ADMIN_PAGES]
    .filter(({ needs }) => needs === undefined || may(needs))
    .map(({ id, link }) => ({ id, label: t.nav[id], onClick: () => void navigate(link(project)) }))
  const actions: Entry[] = [
    { id: 'light', label: t.palette.light, onClick: () => setColorScheme('light') },
    { id: 'dark', label: t.palette.dark, onClick: () => setColorScheme('dark') },
  ]
  if (may('CREATE_FEATURE', { project })) {
    const create = { to: '/projects/$project', params: { project }, search: { create: true } } as const
    actions.unshift({ id: 'create', label: t.palette.create, onClick: () => void navigate(create) })
  }
  const fits = ({ label }: Entry): boolean => label.toLowerCase().includes(text.trim().toLowerCase())
  return [
    { group: t.palette.pages, actions: pages.filter(fits) },
    { group: t.palette.actions, actions: actions.filter(fits) },
  ]
}

/** Flags that fit the text; the first one can be switched and copied from here. */
function useThings(text: string): EntryGroup[] {
  const t = useTexts()
  const navigate = useNavigate()
  const may = useMay()
  const { run } = useSwitch()
  const project = lastProject()
  const query: FlagQuery = { project, text: text.trim(), sort: 'name', order: 'asc' }
  const rows = useFlagRows(query, 0, MOST_FLAGS, query.text !== '')
  const { data: segments = [] } = useQuery(SEGMENTS)
  if (text.trim() === '') return []
  const flags = Array.from({ length: MOST_FLAGS }, (_, index) => rows.row(index)).filter((flag) => flag !== undefined)
  const open: Entry[] = flags.map(({ name: feature, description }) => ({
    id: `flag ${feature}`,
    label: feature,
    ...(description ? { description } : {}),
    onClick: () => void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } }),
  }))
  const found: Entry[] = segments
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ id, name }) => ({
      id: `segment ${id}`,
      label: `${t.nav.segments}: ${name}`,
      onClick: () => void navigate({ to: '/segments', search: { edit: String(id) } }),
    }))
  const [first] = flags
  const acts: Entry[] = (first?.environments ?? [])
    .filter(({ name }) => may('UPDATE_FEATURE_ENVIRONMENT', { project, environment: name }))
    .map(({ name: environment, type: environmentType, enabled }) => {
      const feature = first?.name ?? ''
      const label = (enabled ? t.palette.turnOff : t.palette.turnOn)(feature, environment)
      return {
        id: `switch ${environment}`,
        label,
        onClick: () => void run({ project, feature, environment, environmentType }, !enabled),
      }
    })
  if (first !== undefined) {
    const { name } = first
    acts.push({ id: 'copy', label: t.palette.copyName(name), onClick: () => void navigator.clipboard.writeText(name) })
  }
  return [
    { group: t.palette.flags, actions: [...open, ...found] },
    { group: t.palette.actions, actions: acts },
  ]
}
