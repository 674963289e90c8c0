import { Alert, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { Page } from './page.tsx'
import { Notice, ProblemNotice } from './problem.tsx'

/** What a page knows of the answer it waits for; a query of TanStack Query is one. */
export interface Answer<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** What the server answered; until then that it is on its way, or what went wrong. */
export function Loaded<T>({ answer, children }: { answer: Answer<T>; children: (data: T) => ReactNode }) {
  const t = useTexts()
  const { data, error, refetch } = answer
  if (data !== undefined) return children(data)
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  return <Skeleton height={240} role="status" aria-label={t.common.loading} />
}

interface Props<T> {
  readonly title: string
  readonly intro?: string
  /** The button that makes a new one; nothing where the person may not. */
  readonly create?: ReactNode
  /** The way to the lists beside it. */
  readonly tabs?: ReactNode
  /** What narrows the list, above it. */
  readonly filters?: ReactNode
  readonly answer: Answer<readonly T[]>
  /** What is said in place of an empty list; `action` is there instead of the button that makes one. */
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ReactNode }
  /** What the address names: said, where the list has no such thing. */
  readonly wanted?: { readonly name: string | undefined; readonly isThere: boolean; readonly forget: () => void }
  readonly children: (items: readonly T[]) => ReactNode
}

const NEW = 'new'

/** A page that lists things: heading, what makes a new one, and the list in each of its states. */
export function ListPage<T>({ title, intro, create, tabs, filters, answer, empty, wanted, children }: Props<T>) {
  const t = useTexts()
  const lost = wanted !== undefined && !wanted.isThere && wanted.name !== NEW ? wanted.name : undefined
  return (
    <Page
      title={title}
      actions={create}
      tabs={tabs}
      intro={
        intro !== undefined && (
          <Text c="dimmed" mb="md">
            {intro}
          </Text>
        )
      }
    >
      {lost !== undefined && answer.data !== undefined && (
        <Alert
          color="yellow"
          role="alert"
          mb="md"
          title={t.errors.noneCalled(lost)}
          withCloseButton
          closeButtonLabel={t.common.close}
          onClose={() => wanted?.forget()}
        >
          {t.errors.notFoundText}
        </Alert>
      )}
      {filters}
      <Loaded answer={answer}>
        {(items) =>
          items.length > 0 ? (
            children(items)
          ) : (
            <Notice title={empty.title} action={empty.action ?? create}>
              {empty.text}
            </Notice>
          )
        }
      </Loaded>
    </Page>
  )
}
