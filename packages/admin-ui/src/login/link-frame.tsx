import { Anchor, Stack, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BASE_PATH } from '../api/http.ts'
import { Logo } from '../shell/frame.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import styles from './login.module.css'
import { LINK_TEXTS } from './texts.ts'

interface LinkFrameProps<T> {
  /** Result of checking the link. */
  readonly answer: UseQueryResult<T>
  /** True if the link is invalid or has expired. */
  readonly isGone: boolean
  readonly texts: { readonly title: string; readonly gone: string; readonly goneText: string }
  readonly children: (value: T) => ReactNode
}

/** Page that a link sent to a user opens. Shows a notice if the link is no longer valid. */
export function LinkFrame<T>({ answer, isGone, texts, children }: LinkFrameProps<T>) {
  const { link } = useCatalogue(LINK_TEXTS)
  useDocumentTitle(`${texts.title} · Burgee`)
  return (
    <main className={styles.page}>
      {isGone ? (
        <div className={styles.card}>
          <Logo />
          <Notice isPage title={texts.gone} action={<Anchor href={`${BASE_PATH}/login`}>{link.toLogin}</Anchor>}>
            {texts.goneText}
          </Notice>
        </div>
      ) : (
        <Stack className={styles.card ?? ''}>
          <Logo />
          <Title order={1} size="h3">
            {texts.title}
          </Title>
          <Loaded answer={answer}>{children}</Loaded>
        </Stack>
      )}
    </main>
  )
}
