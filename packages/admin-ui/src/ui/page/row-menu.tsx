import { ActionIcon, Menu, type MenuItemProps, Text } from '@mantine/core'
import { createLink, type LinkOptions } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'

interface MenuEntry {
  /** Accessible label that names the action and the row. */
  readonly label: string
  readonly text: string
}

/** Action in the menu of a table row. */
export interface RowAction extends MenuEntry {
  readonly isDanger?: boolean
  /** Reason why the action is disabled, shown in the menu. */
  readonly obstacle?: string | undefined
  readonly act: () => unknown
}

/** Link in the menu of a table row. */
export interface RowLink extends MenuEntry {
  readonly link: LinkOptions
}

type AnchorProps = Omit<ComponentPropsWithRef<'a'>, keyof MenuItemProps> & MenuItemProps

const ItemLink = createLink((props: AnchorProps) => <Menu.Item component="a" {...props} />)

/** Menu with further actions, at the end of a table row. Renders nothing if there are no actions. */
export function RowMenu({ label, acts }: { label: string; acts: readonly (RowAction | RowLink)[] }) {
  if (acts.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={label} title={label}>
          <Ellipsis size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((one) =>
          'link' in one ? (
            <ItemLink key={one.label} aria-label={one.label} {...one.link}>
              {one.text}
            </ItemLink>
          ) : (
            <ActionItem key={one.label} {...one} />
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function ActionItem({ label, text, isDanger = false, obstacle, act }: RowAction) {
  return (
    <Menu.Item
      // If there is an obstacle, no label is set, because screen readers would read the label instead of the obstacle.
      {...(obstacle === undefined && { 'aria-label': label })}
      disabled={obstacle !== undefined}
      {...(isDanger && obstacle === undefined && { c: 'var(--bad)' })}
      onClick={() => void act()}
    >
      {text}
      {obstacle !== undefined && (
        <Text size="xs" maw={240} c="dimmed">
          {obstacle}
        </Text>
      )}
    </Menu.Item>
  )
}
