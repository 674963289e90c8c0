import { Alert, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import ui from '../ui.module.css'
import { Page } from './page.tsx'
import { Notice, ProblemNotice } from './problem.tsx'

/** State of a request, such as a TanStack Query query. */
export interface QueryState<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** Widths of the placeholders for texts while a list is loading. */
const ROW_WIDTHS = ['38%', '30%', '44%', '34%', '40%']

/** Renders the loaded data. Renders a placeholder or the error while there is no data. */
export function Loaded<T>({ answer, children }: { answer: QueryState<T>; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = answer
  if (data !== undefined) return children(data)
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  return <RowsSkeleton />
}

/** Placeholder for a list, with rows that are as high as table rows. */
function RowsSkeleton() {
  const { loading } = useTexts().common
  return (
    <div className={ui.card} role="status" aria-label={loading}>
      {ROW_WIDTHS.map((width) => (
        <div key={width} className={ui.skeletonRow}>
          <Skeleton height={14} width={width} />
        </div>
      ))}
    </div>
  )
}

interface Props<T> {
  readonly title: string
  readonly intro?: string
  /** Create button; undefined if the user lacks the permission. */
  readonly create?: ReactNode
  /** Tabs to related lists. */
  readonly tabs?: ReactNode
  /** Filters above the list. */
  readonly filters?: ReactNode
  readonly answer: QueryState<readonly T[]>
  /** Notice that is shown if the list is empty. `action` replaces the create button; null leaves it out. */
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ReactNode }
  /** Entry that the URL names; a notice is shown if the list does not contain it. */
  readonly wanted?: { readonly name: string | undefined; readonly isThere: boolean; readonly forget: () => void }
  readonly children: (items: readonly T[]) => ReactNode
}

const NEW = 'new'

/**
 * Page of a list, with a heading, a create button, and the list (or a placeholder, an error or the notice for an empty
 * list).
 */
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
            <Notice title={empty.title} action={empty.action === undefined ? create : empty.action}>
              {empty.text}
            </Notice>
          )
        }
      </Loaded>
    </Page>
  )
}
