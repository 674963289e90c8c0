import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import styles from './ui.module.css'

/** A page with its heading, which is the window's title too, and what one can do on it. */
export function Page(props: { title: string; actions?: ReactNode; intro?: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${props.title} · Burgee`)
  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <Title order={1} size="h2">
          {props.title}
        </Title>
        {props.actions}
      </header>
      {props.intro}
      {props.children}
    </div>
  )
}
