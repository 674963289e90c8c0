import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from '../ui.module.css'

interface PageProps {
  readonly title: string
  /** The way to the page above. */
  readonly back?: ReactNode
  /** What is small and belongs to the title. */
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  /** The way to the pages beside it. */
  readonly tabs?: ReactNode
  readonly intro?: ReactNode
  readonly children: ReactNode
  /** As wide as the window allows, for what stands side by side. */
  readonly isWide?: boolean
}

/** A page with its heading, which is the window's title too, and what one can do on it. */
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
