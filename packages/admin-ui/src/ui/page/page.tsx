import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from '../ui.module.css'

interface PageProps {
  readonly title: string
  /** Link to the parent page. */
  readonly back?: ReactNode
  /** Small content shown next to the title. */
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  /** Tabs to related pages. */
  readonly tabs?: ReactNode
  readonly intro?: ReactNode
  readonly children: ReactNode
  /** True to use the full window width, for content side by side. */
  readonly isWide?: boolean
}

/** Page with its heading, which is also the document title, and its actions. */
export function Page(props: PageProps) {
  useDocumentTitle(`${props.title} · Burgee`)
  return (
    <div className={styles.page} data-wide={props.isWide || undefined}>
      {props.back}
      <header className={styles.pageHead}>
        <div className={styles.pageTitle}>
          <Title order={1} size="h2">
            {props.title}
          </Title>
          {props.beside}
        </div>
        {props.actions}
      </header>
      {props.tabs}
      {props.intro}
      {props.children}
    </div>
  )
}
