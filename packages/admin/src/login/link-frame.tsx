import { Anchor, Stack, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BASE_PATH } from '../api/http.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import styles from './login.module.css'
import { LINK_TEXTS } from './texts.ts'

interface LinkFrameProps<T> {
  /** What the link is good for. */
  readonly answer: UseQueryResult<T>
  /** Whether the answer says that the link is not good any more. */
  readonly isGone: boolean
  readonly texts: { readonly title: string; readonly gone: string; readonly goneText: string }
  readonly children: (value: T) => ReactNode
}

/** The page of a link that somebody was sent: what is done with it, or that it is good no more. */
export function LinkFrame<T>({ answer, isGone, texts, children }: LinkFrameProps<T>) {
  const { link } = useCatalogue(LINK_TEXTS)
  useDocumentTitle(`${texts.title} · Burgee`)
  return (
    <main className={styles.page}>
      {isGone ? (
        <div className={styles.card}>
          <Notice isPage title={texts.gone} action={<Anchor href={`${BASE_PATH}/login`}>{link.toLogin}</Anchor>}>
            {texts.goneText}
          </Notice>
        </div>
      ) : (
        <Stack className={styles.card ?? ''}>
          <Title order={1} size="h3">
            {texts.title}
          </Title>
          <Loaded answer={answer}>{children}</Loaded>
        </Stack>
      )}
    </main>
  )
}
