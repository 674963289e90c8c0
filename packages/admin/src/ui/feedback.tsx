import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Texts } from '../text/en.ts'
import { messageOf } from './problem.tsx'

/** Says that something is done, with a way back where there is one. */
export function tellDone(message: string, undo?: { label: string; run: () => void }): void {
  const id = notifications.show({
    color: 'teal',
    withBorder: true,
    message:
      undo === undefined ? (
        message
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{message}</Text>
          <Button
            size="compact-sm"
            variant="default"
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

/** Says that something was refused, and why. */
export function tellFailed(t: Texts, what: string, error: unknown): void {
  notifications.show({
    color: 'red',
    withBorder: true,
    autoClose: 12_000,
    title: t.errors.refused(what),
    message: messageOf(error, t.errors.offline),
    role: 'alert',
  })
}
