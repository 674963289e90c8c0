import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/http.ts'
import { describeGeneralError } from '../../text/general-error.ts'
import { useTexts } from '../../text/texts.tsx'
import styles from '../ui.module.css'

/** Short centered message with an action; `isPage` is true if nothing else is on the page. */
export function Notice(props: { title: string; isPage?: boolean; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className={styles.notice}>
      <Title order={props.isPage ? 1 : 2} size="h3" ta="center">
        {props.title}
      </Title>
      <Text c="dimmed" maw={480} ta="center" component="div">
        {props.children}
      </Text>
      {props.action !== undefined && <Group mt="sm">{props.action}</Group>}
    </Stack>
  )
}

/** Error that is shown instead of the content: no connection, not found, forbidden, or another error. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTexts()
  const status = error instanceof ApiError ? error.status : -1
  const again = retry && (
    <Button variant="default" onClick={retry}>
      {t.common.retry}
    </Button>
  )
  if (status === 404) return <Notice title={t.errors.notFound}>{t.errors.notFoundText}</Notice>
  if (status === 403) return <Notice title={t.errors.forbidden}>{t.errors.forbiddenText}</Notice>
  return (
    <div role="alert">
      <Notice title={t.errors.title} action={again}>
        {error instanceof ApiError && error.isTimeout ? t.problems.lateRead : describeGeneralError(t, error)}
      </Notice>
    </div>
  )
}
