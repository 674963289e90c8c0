import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { useState } from 'react'
import { usePaletteTexts } from '../text/palette.ts'
import { useTexts } from '../text/texts.tsx'
import type { EntryGroup } from './palette-entries.ts'
import { useFoundEntries } from './palette-found.ts'
import { useGeneralEntries } from './palette-general.ts'
import { PALETTE } from './palette-store.ts'

const TYPING_MS = 120

/** Finds flags, segments and pages, and does things: one field for everything. */
export function Palette() {
  const t = useTexts()
  const p = usePaletteTexts()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const general = useGeneralEntries(text)
  const found = useFoundEntries(settled.trim())
  return (
    <Spotlight
      store={PALETTE}
      shortcut={null}
      lockScroll={false}
      attributes={{ content: { 'aria-label': t.nav.search } }}
      actions={joined([...found, ...general])}
      query={text}
      onQueryChange={setText}
      filter={(_query, all) => all}
      nothingFound={p.nothing}
      searchProps={{ placeholder: p.placeholder, 'aria-label': p.placeholder }}
      scrollable
      maxHeight={420}
    />
  )
}

/** Groups of one name as one, in the order of their first; none that is empty. */
function joined(groups: readonly EntryGroup[]) {
  return [...Map.groupBy(groups, ({ group }) => group)]
    .map(([group, parts]) => ({ group, actions: parts.flatMap(({ actions }) => [...actions]) }))
    .filter(({ actions }) => actions.length > 0)
}
