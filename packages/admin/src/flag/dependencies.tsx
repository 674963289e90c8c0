import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { removeParent, setParent } from '../api/dependencies.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useSkipQuestion } from '../proposals/use-skip-question.ts'
import { useMay } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { tellDone, tellFailed } from '../ui/messages/feedback.ts'
import ui from '../ui/ui.module.css'
import styles from './flag.module.css'
import { parentText } from './parent-text.ts'
import { FLAG_TEXTS } from './texts.ts'

const ParentEditor = lazyDialog('ParentEditor', async () => (await import('./parent-editor.tsx')).ParentEditor)

/** Which flag this one depends on, and which depend on it. */
export function Dependencies({ flag }: { flag: AdminFeature }) {
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const { project, name: feature } = flag
  const may = useMay()('UPDATE_FEATURE_DEPENDENCY', { project }) && !flag.archived
  const [isEditing, setEditing] = useState(false)
  const change = useChange({ project, feature })
  const parents = flag.dependencies as DependencyInput[]
  const mayAdd = may && flag.children.length === 0
  if (parents.length === 0 && flag.children.length === 0 && !mayAdd) return null
  return (
    <div className={styles.dependencies}>
      {parents.map((parent) => (
        <span key={parent.feature} className={styles.dependency}>
          <span>
            {words.title} <FlagLink project={project} feature={parent.feature} />: {parentText(words, parent)}
          </span>
          {may && (
            <>
              <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)}>
                {words.change}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => void change.remove(parent)}>
                {words.remove}
              </Button>
            </>
          )}
        </span>
      ))}
      <Children project={project} names={flag.children} />
      {parents.length === 0 && mayAdd && (
        <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)}>
          + {words.add}
        </Button>
      )}
      {isEditing && (
        <ParentEditor
          place={{ project, feature }}
          parent={parents[0]}
          close={() => setEditing(false)}
          saved={() => {
            setEditing(false)
            void change.refresh()
            tellDone(words.saved)
          }}
        />
      )}
    </div>
  )
}

function Children({ project, names }: { project: string; names: readonly string[] }) {
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  if (names.length === 0) return null
  return (
    <span>
      {words.children}:{' '}
      {names.map((child, index) => (
        <span key={child}>
          {index > 0 && ', '}
          <FlagLink project={project} feature={child} />
        </span>
      ))}
    </span>
  )
}

function FlagLink({ project, feature }: { project: string; feature: string }) {
  return (
    <Link to="/projects/$project/features/$feature" params={{ project, feature }} className={ui.link ?? ''}>
      {feature}
    </Link>
  )
}

function useChange(place: { project: string; feature: string }) {
  const t = useTexts()
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const refetch = useRefetch()
  const skips = useSkipQuestion()
  const refresh = async (): Promise<void> => {
    void refetch(['events'])
    await refetch(['flag', place.project])
  }
  const restore = async (parent: DependencyInput): Promise<void> => {
    if (!(await skips.confirm(t.common.undo, [{ project: place.project }]))) return
    try {
      await setParent(place, parent)
      await refresh()
    } catch (error) {
      tellFailed(t, t.common.undo, error)
    }
  }
  const remove = async (parent: DependencyInput): Promise<void> => {
    if (!(await skips.confirm(words.remove, [{ project: place.project }]))) return
    try {
      await removeParent(place, parent.feature)
      await refresh()
      tellDone(words.removed, { label: t.common.undo, run: () => void restore(parent) })
    } catch (error) {
      tellFailed(t, words.remove, error)
    }
  }
  return { refresh, remove }
}
