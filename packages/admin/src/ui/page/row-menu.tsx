import { ActionIcon, Menu, type MenuItemProps, Text } from '@mantine/core'
import { createLink, type LinkOptions } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'

interface Shown {
  /** What is read out: what it does, to which row. */
  readonly label: string
  readonly text: string
}

/** Something that a menu of a row offers. */
export interface RowAct extends Shown {
  readonly isDanger?: boolean
  /** Why it cannot be done now; then it is there, and says so. */
  readonly obstacle?: string | undefined
  readonly act: () => unknown
}

/** Another page that a menu of a row leads to. */
export interface RowLink extends Shown {
  readonly link: LinkOptions
}

type AnchorProps = Omit<ComponentPropsWithRef<'a'>, keyof MenuItemProps> & MenuItemProps

const ItemLink = createLink((props: AnchorProps) => <Menu.Item component="a" {...props} />)

/** What else can be done with a row, behind one button at its end; nothing where there is nothing. */
export function RowMenu({ label, acts }: { label: string; acts: readonly (RowAct | RowLink)[] }) {
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
            <ActItem key={one.label} {...one} />
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function ActItem({ label, text, isDanger = false, obstacle, act }: RowAct) {
  return (
    <Menu.Item
      // a label would be read in the place of the obstacle
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
