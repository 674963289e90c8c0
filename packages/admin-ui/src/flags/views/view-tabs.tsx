import { useState } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { type FlagSearch, isFiltered } from '../search-params.ts'
import { BUILT_IN_VIEWS, type BuiltInView, isBuiltInView, toBuiltInSearch } from './built-in-views.ts'
import { isSame, readSavedViews, removeView } from './saved-views.ts'
import styles from './views.module.css'

const SaveView = lazyDialog('SaveView', async () => (await import('./save-view.tsx')).SaveView)

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch) => void
}

/**
 * Tabs with views of the list: first the views that every user has, then the views that the user has saved and can
 * remove.
 */
export function ViewTabs({ search, go }: Props) {
  const { list } = useTexts()
  const [isSaving, setSaving] = useState(false)
  // The user's views are stored in the browser, and are read again after a view is removed or saved.
  const [, setRemoved] = useState(0)
  const own = readSavedViews()
  const builtIn = (Object.keys(BUILT_IN_VIEWS) as BuiltInView[]).find((view) => isBuiltInView(view, search))
  const current = builtIn === undefined ? own.find((view) => isSame(view.search, search)) : undefined
  return (
    <nav className={styles.tabs} aria-label={list.views}>
      {(Object.keys(BUILT_IN_VIEWS) as BuiltInView[]).map((view) => (
        <Tab
          key={view}
          label={list.viewNames[view]}
          isCurrent={view === builtIn}
          hint={view === 'mine' ? list.mineHint : undefined}
          open={() => go(toBuiltInSearch(view, search))}
        />
      ))}
      {own.map((view) => (
        <Tab key={view.name} label={view.name} isCurrent={view === current} open={() => go(view.search)} />
      ))}
      {current !== undefined && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            removeView(current.name)
            setRemoved((count) => count + 1)
          }}
        >
          {list.removeView(current.name)}
        </button>
      )}
      {isFiltered(search) && builtIn === undefined && current === undefined && (
        <button type="button" className={styles.action} onClick={() => setSaving(true)}>
          {list.saveView}
        </button>
      )}
      {isSaving && <SaveView search={search} close={() => setSaving(false)} />}
    </nav>
  )
}

interface TabProps {
  readonly label: string
  readonly isCurrent: boolean
  readonly hint?: string | undefined
  readonly open: () => void
}

function Tab({ label, isCurrent, hint, open }: TabProps) {
  return (
    <button type="button" className={styles.tab} aria-pressed={isCurrent} title={hint} onClick={open}>
      {label}
    </button>
  )
}
