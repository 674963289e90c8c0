import { ActionIcon, Menu, Text } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'

/** Something that a menu of a row offers. */
export interface RowAct {
  /** What is read out: what it does, to which row. */
  readonly label: string
  readonly text: string
  readonly isDanger?: boolean
  /** Why it cannot be done now; then it is there, and says so. */
  readonly obstacle?: string | undefined
  readonly act: () => unknown
  /** Where it leads, if to another page: then it opens in a tab of its own as well, as links do. */
  readonly href?: string
}

/** A link: with a key that opens a tab or a window the click is the browser's. */
const linkTo = (href: string) => ({
  renderRoot: (props: ComponentProps<'a'>) => (
    <a {...props} href={href}>
      {props.children}
    </a>
  ),
})

const isForBrowser = (event: MouseEvent) => event.ctrlKey || event.metaKey || event.shiftKey

/** What else can be done with a row, behind one button at its end; nothing where there is nothing. */
export function RowMenu({ label, acts }: { label: string; acts: readonly RowAct[] }) {
  if (acts.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={label} title={label}>
          <Ellipsis size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label: name, text, isDanger = false, obstacle, act, href }) => (
          <Menu.Item
            key={name}
            aria-label={name}
            disabled={obstacle !== undefined}
            {...(isDanger && obstacle === undefined ? { color: 'red' } : {})}
            {...(href === undefined ? {} : linkTo(href))}
            onClick={(event: MouseEvent) => {
              if (href !== undefined && isForBrowser(event)) return
              event.preventDefault()
              void act()
            }}
          >
            {text}
            {obstacle !== undefined && (
              <Text size="xs" maw={240}>
                {obstacle}
              </Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
