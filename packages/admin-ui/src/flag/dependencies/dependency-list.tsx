import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMayChange } from '../../proposals/may-change.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { FlagLink } from '../../ui/page/flag-link.tsx'
import styles from '../flag.module.css'
import { describeParent } from '../parent-text.ts'
import { FLAG_TEXTS } from '../texts.ts'
import { useParentChanges } from './use-parent-changes.ts'

const ParentEditor = lazyDialog('ParentEditor', async () => (await import('./parent-editor.tsx')).ParentEditor)

/** Parents and children of a flag. */
export function DependencyList({ flag }: { flag: AdminFeature }) {
  const { dependencies: words } = useCatalogue(FLAG_TEXTS)
  const { project, name: feature } = flag
  const may = useMayChange(project)('UPDATE_FEATURE_DEPENDENCY', { project }) && !flag.archived
  const [isEditing, setEditing] = useState(false)
  const change = useParentChanges({ project, feature })
  const parents = flag.dependencies as DependencyInput[]
  const mayAdd = may && flag.children.length === 0
  if (parents.length === 0 && flag.children.length === 0 && !mayAdd) return null
  return (
    <div className={styles.dependencies}>
      {parents.map((parent) => (
        <span key={parent.feature} className={styles.dependency}>
          <span>
            {words.title} <FlagLink project={project} feature={parent.feature} />: {describeParent(words, parent)}
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
          flag={flag}
          parent={parents[0]}
          close={() => setEditing(false)}
          saved={(parents) => {
            setEditing(false)
            if (parents !== undefined) void change.done(parents.before, parents.after)
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
