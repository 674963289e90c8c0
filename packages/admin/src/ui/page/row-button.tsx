import { Button } from '@mantine/core'

interface Props {
  /** What is read out: what it does, to which row. */
  readonly label: string
  readonly text: string
  readonly isDanger?: boolean
  readonly disabled?: boolean
  readonly act: () => unknown
}

/** A small button in a row of a table. */
export function RowButton({ label, text, isDanger = false, disabled = false, act }: Props) {
  return (
    <Button
      size="compact-sm"
      {...(isDanger ? { variant: 'subtle', color: 'red' } : { variant: 'default' })}
      aria-label={label}
      disabled={disabled}
      onClick={() => void act()}
    >
      {text}
    </Button>
  )
}
