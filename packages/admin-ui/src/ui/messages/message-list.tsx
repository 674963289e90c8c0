import { Button, Group, MantineThemeProvider, Text } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { useTexts } from '../../text/texts.tsx'
import styles from './messages.module.css'

/** Undo action of a message. */
export interface UndoAction {
  readonly label: string
  readonly run: () => void
}

/** Container of the messages. */
export function Messages() {
  const t = useTexts()
  const closeButtonProps = { 'aria-label': t.common.close }
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}>
      <Notifications
        position="bottom-center"
        classNames={{ root: styles.messages ?? '' }}
        limit={4}
        transitionDuration={160}
      />
    </MantineThemeProvider>
  )
}

/** Shows a success message. */
export function showDone(message: string, undo: UndoAction | undefined): void {
  const id = notifications.show({
    color: 'teal',
    withBorder: true,
    ...(undo === undefined ? {} : { autoClose: 8000 }),
    message:
      undo === undefined ? (
        message
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{message}</Text>
          <Button
            size="compact-sm"
            variant="default"
            flex="none"
            onClick={() => {
              notifications.hide(id)
              undo.run()
            }}
          >
            {undo.label}
          </Button>
        </Group>
      ),
  })
}

/** Shows a failure message. */
export function showFailed(title: string, message: string): void {
  notifications.show({
    color: 'red',
    withBorder: true,
    autoClose: 12_000,
    title,
    message: <span className={styles.reason}>{message}</span>,
    role: 'alert',
  })
}
