import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import ui from '../ui.module.css'

/** Part of a page: a card with a heading. */
export function Section(props: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={`${ui.card} ${ui.padded}`} aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id={id}>
          {props.title}
        </Title>
        {props.actions}
      </Group>
      {props.children}
    </section>
  )
}
