import { ActionIcon, Menu, Text } from '@mantine/core'
import { Ellipsis } from 'lucide-react'

/** Something that a menu of a row offers. */
export interface RowAct {
  /** What is read out: what it does, to which row. */
  readonly label: string
  readonly text: string
  readonly isDanger?: boolean
  /** Why it cannot be done now; then it is there, and says so. */
  readonly obstacle?: string | undefined
  readonly act: () => unknown
}

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
        {acts.map(({ label: name, text, isDanger = false, obstacle, act }) => (
          <Menu.Item
            key={name}
            aria-label={name}
            disabled={obstacle !== undefined}
            {...(isDanger && obstacle === undefined ? { color: 'red' } : {})}
            onClick={() => void act()}
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
