import { type ReactNode, useState } from 'react'
import type { ListedFlag } from '../../api/flags.ts'
import { useTexts } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import styles from '../flags.module.css'

interface MenuProps extends Props {
  readonly target: ReactNode
  readonly close: () => void
}

interface Props {
  readonly project: string
  readonly flag: ListedFlag
}

const FlagMenu = lazyDialog<MenuProps>('FlagMenu', async () => (await import('./flag-menu.tsx')).FlagMenu)

/** Button with a menu of actions on one flag. The menu is loaded when first opened. */
export function RowMenuButton({ project, flag }: Props) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const button = (
    <button
      type="button"
      className={styles.more}
      aria-haspopup="menu"
      aria-label={t.list.actions(flag.name)}
      onClick={() => setOpen(true)}
    >
      ⋯
    </button>
  )
  if (!isOpen) return button
  return <FlagMenu target={button} project={project} flag={flag} close={() => setOpen(false)} fallback={button} />
}
